#pragma once
/// Builds the registers and steps of a draft, including sums of registers.

#include <map>
#include <utility>
#include <vector>

#include "concrete/batch/kernels/draft.h"
#include "concrete/batch/kind.h"

namespace mmaspec::batch {

/// x modulo 2^64.
std::uint64_t word_of(const Integer& x);

class DraftBuilder {
 public:
  /// The register that holds x, modulo 2^width of the kind, in all lanes.
  Register constant(const Integer& x, Kind k);

  /// Adds a step and returns its output, of kind `to`. choice.to is set here.
  Register emit(Choice choice, Kind to, std::vector<Register> in, std::uint64_t m = 0,
                std::uint64_t m2 = 0);
  /// The same for a step whose inputs and output have the same kind.
  Register emit(Code code, Kind k, std::vector<Register> in, std::uint64_t m = 0);

  /// The value of a register in another kind, modulo 2^width of that kind.
  Register cast(Register x, Kind from, Kind to);

  /// value + the sum of `positive` - the sum of `negative`, modulo 2^width of k. k is not wide.
  Register narrow_sum(std::uint64_t value, std::vector<Register> positive,
                      std::vector<Register> negative, Kind k);
  /// The same for a wide k.
  Register wide_sum(const Integer& value, std::vector<Register> positive,
                    const std::vector<Register>& negative, Kind k);

  Draft& draft() { return draft_; }

 private:
  std::map<std::pair<Type, std::vector<std::uint64_t>>, Register> constants_;
  Draft draft_;
};

}  // namespace mmaspec::batch
