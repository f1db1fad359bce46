#pragma once
/// Devices that execute kernels. Their libraries are loaded when a device is opened.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "concrete/device/prelude.h"

namespace mmaspec::device {

/// One device. Every function may throw std::invalid_argument with a one-line message about what
/// failed. Not thread-safe.
class Device {
 public:
  /// Memory of the device, which is freed with the object.
  class Memory {
   public:
    virtual ~Memory() = default;
    virtual void write(std::size_t offset, const void* from, std::size_t bytes) = 0;
    virtual void read(std::size_t offset, void* to, std::size_t bytes) const = 0;
    /// The first byte's address on a CUDA device; 0 on other devices.
    virtual std::uint64_t address() const = 0;
  };

  /// A kernel's argument; nullptr is a null pointer. Addresses of a CUDA device are numbers.
  using Argument = std::variant<const Memory*, std::uint64_t>;

  /// A CUDA stream (CUstream). Other devices have only the default stream.
  using Stream = std::uint64_t;
  static constexpr Stream kDefaultStream = 0;

  class Kernel {
   public:
    virtual ~Kernel() = default;
    /// Executes `groups` groups of kTile x kTile threads on the stream, and returns when they have
    /// ended.
    virtual void run(const std::vector<Argument>& arguments, std::size_t groups,
                     Stream stream) const = 0;
  };

  virtual ~Device() = default;

  virtual Dialect dialect() const = 0;
  virtual std::string name() const = 0;
  virtual std::unique_ptr<Memory> allocate(std::size_t bytes) = 0;
  /// Compiles the kernel named kKernelName in the source.
  virtual std::unique_ptr<Kernel> compile(const std::string& source) = 0;
  /// Returns when all work on the stream has ended.
  virtual void finish(Stream stream) const = 0;
};

/// The device that a user calls `cuda`, `cuda:N`, `opencl` or `opencl:N`, where N is its number
/// from 0 on. OpenCL devices are numbered across all platforms, in the order of the loader.
std::shared_ptr<Device> open_device(const std::string& name);

std::shared_ptr<Device> open_cuda(std::size_t number);
std::shared_ptr<Device> open_opencl(std::size_t number);

/// The number of the CUDA device that has memory at this address. Throws std::invalid_argument if
/// there is none.
std::size_t cuda_device_of(std::uint64_t address);

/// The first line of a compiler's log that reports an error; if there is none, the first line.
std::string first_error(const std::string& log);

/// "cuda:2: there is 1 device", for a number that is too large.
std::invalid_argument no_such_device(const char* kind, std::size_t number, std::size_t count);

}  // namespace mmaspec::device
