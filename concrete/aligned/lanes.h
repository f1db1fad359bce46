#pragma once
/// Dot products of which each has its own operands, by the floating-point kernels.

#include <memory>

#include "concrete/aligned/isa.h"
#include "concrete/aligned/operands.h"

namespace mmaspec::aligned {

/// Runs one design. Not for several threads at once.
class LanesRunner {
 public:
  LanesRunner(Lowered lowered, const Kernels& kernels)
      : lowered_(std::move(lowered)), kernels_(&kernels) {}

  /// Whether this is faster than a program of the batch evaluator, as bench/aligned_bench.cpp has
  /// it: each operand is decoded for one product alone. Doubles take too long to decode, and so do
  /// all by AVX2, but for designs whose programs have several steps.
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

  /// Some steps of some lanes.
  struct Part {
    std::size_t first_step;
    std::size_t steps;
    std::size_t first_lane;
    std::size_t lanes;
  };

  /// Finds the patterns of the products, whose rows begin at `row`, and their scale factors, whose
  /// rows begin at `scale_row`.
  void find(const InputRows& rows, std::size_t row, std::size_t scale_row, const Part& part,
            FoundRows& found) const;
  /// The same of groups' scale factors.
  void find_scales(const InputRows& rows, std::size_t scale_row, const Part& part,
                   FoundRows& found) const;
  /// Where a row's lanes are, copied to `copy` if they do not fill a panel.
  const void* row_of(const std::uint64_t* row, const Part& part, std::byte* copy) const;

  Lowered lowered_;
  const Kernels* kernels_;
  FoundRows found_a_;
  FoundRows found_b_;
  FoundRows found_scales_;
  Operands a_;
  Operands b_;
  Operands scale_a_;  ///< of groups
  Operands scale_b_;
  std::vector<float> sums_;
};

/// nullptr where a premise of lower() fails, or the instruction set has no kernels.
std::unique_ptr<LanesRunner> make_lanes_runner(const Algorithm& algorithm,
                                               const DotFormats& formats, Isa isa);

}  // namespace mmaspec::aligned
