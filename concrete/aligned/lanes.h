#pragma once
/// Dot products of which each has its own operands, by the floating-point kernels.

#include "concrete/aligned/isa.h"
#include "concrete/aligned/operands.h"

namespace mmaspec::aligned {

/// Runs one design. Not for several threads at once.
class LanesRunner {
 public:
  LanesRunner(Lowered lowered, const Kernels& kernels)
      : lowered_(std::move(lowered)), kernels_(&kernels) {}

  /// `rows`: operands in the order of dot_inputs(), `lanes` patterns each; `d`: the results.
  void run(const std::vector<const std::uint64_t*>& rows, std::size_t lanes, std::uint64_t* d);

 private:
  void run_panel(const std::vector<const std::uint64_t*>& rows, std::size_t first,
                 std::size_t lanes, std::uint64_t* d);
  /// Patterns of the products of steps first .. first + count - 1.
  void gather(const std::vector<const std::uint64_t*>& rows, std::size_t row, std::size_t scale_row,
              std::size_t first_step, std::size_t steps, std::size_t first_lane, std::size_t lanes);

  Lowered lowered_;
  const Kernels* kernels_;
  std::vector<std::uint32_t> patterns_;
  std::vector<std::uint32_t> scales_;
  Operands a_;
  Operands b_;
  std::vector<float> sums_;
};

/// nullptr where a premise of lower() fails, or the instruction set has no kernels.
std::unique_ptr<LanesRunner> make_lanes_runner(const Algorithm& algorithm,
                                               const DotFormats& formats, Isa isa);

}  // namespace mmaspec::aligned
