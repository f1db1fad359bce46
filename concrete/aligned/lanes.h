#pragma once
/// Dot products with separate operands each, computed by the floating-point kernels.

#include <memory>

#include "concrete/aligned/isa.h"
#include "concrete/aligned/operands.h"

namespace mmaspec::aligned {

/// Evaluates one design. Not thread-safe.
class LanesRunner {
 public:
  LanesRunner(Lowered lowered, const Kernels& kernels)
      : lowered_(std::move(lowered)), kernels_(&kernels) {}

  /// True if this is faster than a program of the batch evaluator, as measured by
  /// bench/aligned_bench.cpp. Each operand is decoded for one product only. Decoding takes too long
  /// for doubles, and with AVX2, except for designs whose programs have several steps.
  bool gains() const {
    constexpr std::size_t kAvx512 = 32;
    const bool wide = kernels_->lanes >= kAvx512 && lowered_.step() >= 8 && !lowered_.has_groups();
    return lowered_.chain.in_double == 0 && (wide || lowered_.chain.family == Family::split);
  }

  /// `rows`: operands in the order of dot_inputs(), `lanes` patterns each; `d`: the results.
  void run(const std::vector<const std::uint64_t*>& rows, std::size_t lanes, std::uint64_t* d);

 private:
  void run_panel(const std::vector<const std::uint64_t*>& rows, std::size_t first,
                 std::size_t lanes, std::uint64_t* d);
  using InputRows = std::vector<const std::uint64_t*>;

  /// A range of steps and lanes.
  struct Part {
    std::size_t first_step;
    std::size_t steps;
    std::size_t first_lane;
    std::size_t lanes;
  };

  /// Finds the patterns of the products, in the rows from `row` on, and their scale factors, in the
  /// rows from `scale_row` on.
  void find(const InputRows& rows, std::size_t row, std::size_t scale_row, const Part& part,
            FoundRows& found) const;
  /// The same for the scale factors of groups.
  void find_scales(const InputRows& rows, std::size_t scale_row, const Part& part,
                   FoundRows& found) const;
  /// The address of a row's lanes. They are copied to `copy` if they do not fill a panel.
  const void* row_of(const std::uint64_t* row, const Part& part, std::byte* copy) const;

  Lowered lowered_;
  const Kernels* kernels_;
  FoundRows found_a_;
  FoundRows found_b_;
  FoundRows found_scales_;
  Operands a_;
  Operands b_;
  Operands scale_a_;  ///< for groups
  Operands scale_b_;
  std::vector<float> sums_;
};

/// nullptr if a precondition of lower() fails, or if the instruction set lacks kernels.
std::unique_ptr<LanesRunner> make_lanes_runner(const Algorithm& algorithm,
                                               const DotFormats& formats, Isa isa);

}  // namespace mmaspec::aligned
