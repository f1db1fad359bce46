// OpenCL 1.2 through its loader. The types and constants are those of the Khronos headers.

#include <fmt/format.h>

#include <array>
#include <stdexcept>

#include "concrete/device/device.h"
#include "concrete/device/kernel.h"
#include "concrete/device/shared_library.h"

namespace mmaspec::device {
namespace opencl {
namespace {

// Opaque objects: cl_platform_id and so on.
using Handle = struct Opaque*;
using Int = std::int32_t;
using Uint = std::uint32_t;
using Flags = std::uint64_t;

constexpr Int kSuccess = 0;
constexpr Int kBuildFailed = -11;
constexpr Flags kAnyDevice = 0xffffffff;
constexpr Uint kDeviceName = 0x102b;
constexpr Uint kBuildLog = 0x1183;
constexpr Flags kReadWrite = 1;
constexpr Uint kBlocking = 1;

/// The loader's functions.
struct Api {
  Int (*get_platforms)(Uint, Handle*, Uint*);
  Int (*get_devices)(Handle, Flags, Uint, Handle*, Uint*);
  Int (*get_device_info)(Handle, Uint, std::size_t, void*, std::size_t*);
  Handle (*create_context)(const void*, Uint, const Handle*, const void*, void*, Int*);
  Handle (*create_queue)(Handle, Handle, Flags, Int*);
  Handle (*create_program)(Handle, Uint, const char**, const std::size_t*, Int*);
  Int (*build_program)(Handle, Uint, const Handle*, const char*, const void*, void*);
  Int (*get_build_info)(Handle, Handle, Uint, std::size_t, void*, std::size_t*);
  Handle (*create_kernel)(Handle, const char*, Int*);
  Int (*set_argument)(Handle, Uint, std::size_t, const void*);
  Handle (*create_buffer)(Handle, Flags, std::size_t, void*, Int*);
  Int (*write_buffer)(Handle, Handle, Uint, std::size_t, std::size_t, const void*, Uint,
                      const Handle*, Handle*);
  Int (*read_buffer)(Handle, Handle, Uint, std::size_t, std::size_t, void*, Uint, const Handle*,
                     Handle*);
  Int (*run_kernel)(Handle, Handle, Uint, const std::size_t*, const std::size_t*,
                    const std::size_t*, Uint, const Handle*, Handle*);
  Int (*finish)(Handle);
  Int (*release_context)(Handle);
  Int (*release_queue)(Handle);
  Int (*release_program)(Handle);
  Int (*release_kernel)(Handle);
  Int (*release_buffer)(Handle);
};

Api load() {
  const SharedLibrary library("opencl", {"libOpenCL.so.1", "libOpenCL.so"});
  Api api{};
  library.load(api.get_platforms, "clGetPlatformIDs");
  library.load(api.get_devices, "clGetDeviceIDs");
  library.load(api.get_device_info, "clGetDeviceInfo");
  library.load(api.create_context, "clCreateContext");
  library.load(api.create_queue, "clCreateCommandQueue");
  library.load(api.create_program, "clCreateProgramWithSource");
  library.load(api.build_program, "clBuildProgram");
  library.load(api.get_build_info, "clGetProgramBuildInfo");
  library.load(api.create_kernel, "clCreateKernel");
  library.load(api.set_argument, "clSetKernelArg");
  library.load(api.create_buffer, "clCreateBuffer");
  library.load(api.write_buffer, "clEnqueueWriteBuffer");
  library.load(api.read_buffer, "clEnqueueReadBuffer");
  library.load(api.run_kernel, "clEnqueueNDRangeKernel");
  library.load(api.finish, "clFinish");
  library.load(api.release_context, "clReleaseContext");
  library.load(api.release_queue, "clReleaseCommandQueue");
  library.load(api.release_program, "clReleaseProgram");
  library.load(api.release_kernel, "clReleaseKernel");
  library.load(api.release_buffer, "clReleaseMemObject");
  return api;
}

const Api& api() {
  static const Api all = load();
  return all;
}

void require(Int status, const char* what) {
  switch (status) {
    case kSuccess:
      return;
    case -4:   // CL_MEM_OBJECT_ALLOCATION_FAILURE
    case -5:   // CL_OUT_OF_RESOURCES
    case -6:   // CL_OUT_OF_HOST_MEMORY
    case -61:  // CL_INVALID_BUFFER_SIZE
      throw std::invalid_argument(
          fmt::format("opencl: {} failed: the device is out of memory (error {})", what, status));
    default:
      throw std::invalid_argument(fmt::format("opencl: {} failed: error {}", what, status));
  }
}

/// An object of the loader, which is released together with this one.
class Object {
 public:
  using Release = Int (*)(Handle);

  Object() = default;
  Object(Handle handle, Release release) : handle_(handle), release_(release) {}
  Object(Object&& other) noexcept
      : handle_(std::exchange(other.handle_, nullptr)), release_(other.release_) {}
  Object& operator=(Object&& other) noexcept {
    std::swap(handle_, other.handle_);
    std::swap(release_, other.release_);
    return *this;
  }
  ~Object() {
    if (handle_ != nullptr) release_(handle_);
  }

  Handle get() const { return handle_; }

 private:
  Handle handle_ = nullptr;
  Release release_ = nullptr;
};

class OpenClMemory : public Device::Memory {
 public:
  OpenClMemory(Handle context, Handle queue, std::size_t bytes) : queue_(queue) {
    Int status = kSuccess;
    buffer_ = {api().create_buffer(context, kReadWrite, bytes, nullptr, &status),
               api().release_buffer};
    require(status, "clCreateBuffer");
  }

  void write(std::size_t offset, const void* from, std::size_t bytes) override {
    require(api().write_buffer(queue_, buffer_.get(), kBlocking, offset, bytes, from, 0, nullptr,
                               nullptr),
            "clEnqueueWriteBuffer");
  }
  void read(std::size_t offset, void* to, std::size_t bytes) const override {
    require(
        api().read_buffer(queue_, buffer_.get(), kBlocking, offset, bytes, to, 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
  }

  std::uint64_t address() const override { return 0; }

  Handle get() const { return buffer_.get(); }

 private:
  Handle queue_;
  Object buffer_;
};

class OpenClKernel : public Device::Kernel {
 public:
  OpenClKernel(Handle queue, Object program) : queue_(queue), program_(std::move(program)) {
    Int status = kSuccess;
    kernel_ = {api().create_kernel(program_.get(), kKernelName, &status), api().release_kernel};
    require(status, "clCreateKernel");
  }

  void run(const std::vector<Device::Argument>& arguments, std::size_t groups,
           Device::Stream) const override {
    for (Uint i = 0; i < arguments.size(); ++i) {
      Int status = kSuccess;
      if (const auto* number = std::get_if<std::uint64_t>(&arguments[i])) {
        status = api().set_argument(kernel_.get(), i, sizeof *number, number);
      } else {
        const auto* memory =
            static_cast<const OpenClMemory*>(std::get<const Device::Memory*>(arguments[i]));
        const Handle buffer = memory == nullptr ? nullptr : memory->get();
        status = api().set_argument(kernel_.get(), i, sizeof(Handle),
                                    memory == nullptr ? nullptr : &buffer);
      }
      require(status, "clSetKernelArg");
    }
    const std::array<std::size_t, 2> all{groups * kTile, kTile};
    const std::array<std::size_t, 2> group{kTile, kTile};
    require(api().run_kernel(queue_, kernel_.get(), 2, nullptr, all.data(), group.data(), 0,
                             nullptr, nullptr),
            "clEnqueueNDRangeKernel");
    require(api().finish(queue_), "clFinish");
  }

 private:
  Handle queue_;
  Object program_;
  Object kernel_;
};

class OpenClDevice : public Device {
 public:
  explicit OpenClDevice(Handle device) : device_(device) {
    Int status = kSuccess;
    context_ = {api().create_context(nullptr, 1, &device_, nullptr, nullptr, &status),
                api().release_context};
    require(status, "clCreateContext");
    queue_ = {api().create_queue(context_.get(), device_, 0, &status), api().release_queue};
    require(status, "clCreateCommandQueue");
  }

  Dialect dialect() const override { return Dialect::opencl; }

  std::string name() const override {
    std::array<char, 256> text{};
    require(api().get_device_info(device_, kDeviceName, text.size() - 1, text.data(), nullptr),
            "clGetDeviceInfo");
    return text.data();
  }

  std::unique_ptr<Memory> allocate(std::size_t bytes) override {
    return std::make_unique<OpenClMemory>(context_.get(), queue_.get(), bytes);
  }

  std::unique_ptr<Kernel> compile(const std::string& source) override {
    const char* text = source.c_str();
    Int status = kSuccess;
    Object program{api().create_program(context_.get(), 1, &text, nullptr, &status),
                   api().release_program};
    require(status, "clCreateProgramWithSource");
    status = api().build_program(program.get(), 1, &device_, "-cl-std=CL1.2 -w", nullptr, nullptr);
    if (status == kBuildFailed) {
      std::size_t size = 0;
      api().get_build_info(program.get(), device_, kBuildLog, 0, nullptr, &size);
      std::string log(size, '\0');
      api().get_build_info(program.get(), device_, kBuildLog, size, log.data(), nullptr);
      throw std::invalid_argument("opencl: the kernel was not compiled: " + first_error(log));
    }
    require(status, "clBuildProgram");
    return std::make_unique<OpenClKernel>(queue_.get(), std::move(program));
  }

  void finish(Stream) const override { require(api().finish(queue_.get()), "clFinish"); }

 private:
  Handle device_;
  Object context_;
  Object queue_;
};

std::vector<Handle> all_devices() {
  Uint count = 0;
  // A loader without any platform reports an error for it.
  if (api().get_platforms(0, nullptr, &count) != kSuccess) return {};
  std::vector<Handle> platforms(count);
  require(api().get_platforms(count, platforms.data(), nullptr), "clGetPlatformIDs");
  std::vector<Handle> all;
  for (const Handle platform : platforms) {
    if (api().get_devices(platform, kAnyDevice, 0, nullptr, &count) != kSuccess) continue;
    std::vector<Handle> devices(count);
    require(api().get_devices(platform, kAnyDevice, count, devices.data(), nullptr),
            "clGetDeviceIDs");
    all.insert(all.end(), devices.begin(), devices.end());
  }
  return all;
}

}  // namespace
}  // namespace opencl

std::shared_ptr<Device> open_opencl(std::size_t number) {
  const std::vector<opencl::Handle> all = opencl::all_devices();
  if (number >= all.size()) throw no_such_device("opencl", number, all.size());
  return std::make_shared<opencl::OpenClDevice>(all[number]);
}

}  // namespace mmaspec::device
