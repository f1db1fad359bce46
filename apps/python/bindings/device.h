#pragma once
/// Devices of the Python package, and arrays in the memory of CUDA devices.

#include <memory>
#include <mutex>
#include <string>

#include "concrete/device/device.h"

namespace mmaspec::python {

/// Held while a device is used: devices are not thread-safe.
std::mutex& device_mutex();

/// The device of this name, which stays open until the process ends. Only under the mutex.
std::shared_ptr<device::Device> opened_device(const std::string& name);

}  // namespace mmaspec::python
