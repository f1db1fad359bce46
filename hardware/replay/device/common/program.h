#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hardware/replay/device/common/replay.h"

/// The command line that the CUDA and the HIP program share.
namespace mmaspec::replay {

/// Thrown if the device or its driver does not exist.
struct NoDevice {
  std::string what;
};

struct Program {
  const char* name;
  std::vector<std::string> (*list)();           ///< returns one line for each instruction
  std::unique_ptr<Device> (*open)(int device);  ///< throws NoDevice
};

/// Returns the exit status: 0 done, 1 the device failed, 2 bad usage or bad input, 3 no usable
/// device.
int run_program(const Program& program, int argc, char** argv);

}  // namespace mmaspec::replay
