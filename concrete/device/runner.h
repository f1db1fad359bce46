#pragma once
/// Computes whole matrices on a device, bit for bit as MatrixRunner does.

#include <memory>
#include <string>
#include <vector>

#include "concrete/device/device.h"
#include "concrete/matrix/matrix.h"

namespace mmaspec::device {

/// A design prepared for one device. Not thread-safe.
class DeviceRunner {
 public:
  /// `formats.k` is the K of the design itself; longer matrices chain it. `title` names the design
  /// in the kernel's source. Throws what matrix_kernel() and Device throw.
  DeviceRunner(std::shared_ptr<Device> device, const Algorithm& algorithm,
               const DotFormats& formats, const std::string& title);

  /// Computes all tasks in sequence. The device needs memory for the operands and the result of one
  /// task, plus 4 bytes. Throws std::invalid_argument if shapes do not match or the device fails,
  /// ClaimViolated, and OutOfTime if work is stopped.
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
