#pragma once
/// Whole matrices on a device: as MatrixRunner computes them, bit for bit.

#include <memory>
#include <string>
#include <vector>

#include "concrete/device/device.h"
#include "concrete/matrix/matrix.h"

namespace mmaspec::device {

/// A design ready to run on one device. Not for several threads at once.
class DeviceRunner {
 public:
  /// `formats.k` is the K of the design itself: longer matrices are chains of it. `title` names the
  /// design in the kernel's source. Throws what matrix_kernel() and Device throw.
  DeviceRunner(std::shared_ptr<Device> device, const Algorithm& algorithm,
               const DotFormats& formats, const std::string& title);

  /// Runs all tasks, one after the other. The device holds the operands and the result of one task,
  /// and 4 bytes more. Throws std::invalid_argument where shapes do not fit and where the device
  /// fails, ClaimViolated, and OutOfTime where work is stopped.
  void run(const std::vector<MatrixTask>& tasks);

 private:
  void run(const MatrixTask& task);

  std::shared_ptr<Device> device_;
  DotFormats formats_;
  std::vector<std::string> claims_;
  std::unique_ptr<Device::Kernel> kernel_;
  std::unique_ptr<Device::Memory> violated_;
};

}  // namespace mmaspec::device
