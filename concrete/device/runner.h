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

  /// Computes all tasks on a CUDA stream, where the views' `data` are addresses on the device:
  /// nothing but 4 bytes is copied. `data` of a C of +0 is nullptr. Returns when all results are
  /// there. Throws what run() throws, and std::invalid_argument if elements have another size than
  /// element_bytes(), or steps or addresses that are not multiples of it.
  void run_in_place(const std::vector<MatrixTask>& tasks, Device::Stream stream);

 private:
  void require_all(const std::vector<MatrixTask>& tasks) const;
  void run(const MatrixTask& task);
  void launch(std::vector<Device::Argument> arguments, const MatrixTask& task,
              Device::Stream stream);

  std::shared_ptr<Device> device_;
  DotFormats formats_;
  std::vector<std::string> claims_;
  std::unique_ptr<Device::Kernel> kernel_;
  std::unique_ptr<Device::Memory> violated_;
};

}  // namespace mmaspec::device
