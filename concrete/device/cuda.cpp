// CUDA through its driver's library, and NVRTC. The types and constants are those of cuda.h and
// nvrtc.h.

#include <fmt/format.h>

#include <array>
#include <stdexcept>

#include "concrete/device/device.h"
#include "concrete/device/kernel.h"
#include "concrete/device/shared_library.h"

namespace mmaspec::device {
namespace cuda {
namespace {

using Handle = struct Opaque*;  // CUcontext, CUmodule, CUfunction, nvrtcProgram
using Pointer = std::uint64_t;  // CUdeviceptr

constexpr int kSuccess = 0;
constexpr int kOutOfMemory = 2;
constexpr int kNoDevice = 100;
constexpr int kComputeMajor = 75;
constexpr int kComputeMinor = 76;
constexpr int kDeviceOrdinal = 9;

/// The driver's functions.
struct Driver {
  int (*init)(unsigned);
  int (*count)(int*);
  int (*get)(int*, int);
  int (*name)(char*, int, int);
  int (*attribute)(int*, int, int);
  int (*retain)(Handle*, int);
  int (*release)(int);
  int (*push)(Handle);
  int (*pop)(Handle*);
  int (*load_module)(Handle*, const void*);
  int (*unload_module)(Handle);
  int (*get_function)(Handle*, Handle, const char*);
  int (*allocate)(Pointer*, std::size_t);
  int (*free)(Pointer);
  int (*write)(Pointer, const void*, std::size_t);
  int (*read)(void*, Pointer, std::size_t);
  int (*launch)(Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                Handle, void**, void**);
  int (*synchronize)(Handle);
  int (*pointer_attribute)(void*, int, Pointer);
  int (*error_string)(int, const char**);
};

/// The compiler's functions.
struct Compiler {
  int (*create)(Handle*, const char*, const char*, int, const char* const*, const char* const*);
  int (*compile)(Handle, int, const char* const*);
  int (*log_size)(Handle, std::size_t*);
  int (*log)(Handle, char*);
  int (*code_size)(Handle, std::size_t*);
  int (*code)(Handle, char*);
  int (*destroy)(Handle*);
};

Driver load_driver() {
  const SharedLibrary library("cuda", {"libcuda.so.1", "libcuda.so"});
  Driver d{};
  library.load(d.init, "cuInit");
  library.load(d.count, "cuDeviceGetCount");
  library.load(d.get, "cuDeviceGet");
  library.load(d.name, "cuDeviceGetName");
  library.load(d.attribute, "cuDeviceGetAttribute");
  library.load(d.retain, "cuDevicePrimaryCtxRetain");
  library.load(d.release, "cuDevicePrimaryCtxRelease_v2");
  library.load(d.push, "cuCtxPushCurrent_v2");
  library.load(d.pop, "cuCtxPopCurrent_v2");
  library.load(d.load_module, "cuModuleLoadData");
  library.load(d.unload_module, "cuModuleUnload");
  library.load(d.get_function, "cuModuleGetFunction");
  library.load(d.allocate, "cuMemAlloc_v2");
  library.load(d.free, "cuMemFree_v2");
  library.load(d.write, "cuMemcpyHtoD_v2");
  library.load(d.read, "cuMemcpyDtoH_v2");
  library.load(d.launch, "cuLaunchKernel");
  library.load(d.synchronize, "cuStreamSynchronize");
  library.load(d.pointer_attribute, "cuPointerGetAttribute");
  library.load(d.error_string, "cuGetErrorString");
  return d;
}

Compiler load_compiler() {
  const SharedLibrary library("cuda", {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12",
                                       "libnvrtc.so.11.2", "/usr/local/cuda/lib64/libnvrtc.so"});
  Compiler c{};
  library.load(c.create, "nvrtcCreateProgram");
  library.load(c.compile, "nvrtcCompileProgram");
  library.load(c.log_size, "nvrtcGetProgramLogSize");
  library.load(c.log, "nvrtcGetProgramLog");
  library.load(c.code_size, "nvrtcGetCUBINSize");
  library.load(c.code, "nvrtcGetCUBIN");
  library.load(c.destroy, "nvrtcDestroyProgram");
  return c;
}

const Driver& driver() {
  static const Driver all = load_driver();
  return all;
}
const Compiler& compiler() {
  static const Compiler all = load_compiler();
  return all;
}

void require(int status, const char* what) {
  if (status == kSuccess) return;
  if (status == kOutOfMemory) {
    throw std::invalid_argument(fmt::format("cuda: {} failed: the device is out of memory", what));
  }
  const char* text = nullptr;
  driver().error_string(status, &text);
  throw std::invalid_argument(fmt::format("cuda: {} failed: {} (error {})", what,
                                          text == nullptr ? "unknown error" : text, status));
}

/// A device's primary context, which CUDA's runtime and other libraries use as well.
class Context {
 public:
  explicit Context(int device) : device_(device) {
    require(driver().retain(&handle_, device), "cuDevicePrimaryCtxRetain");
  }
  ~Context() { driver().release(device_); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  Handle handle() const { return handle_; }

 private:
  int device_;
  Handle handle_ = nullptr;
};
using SharedContext = std::shared_ptr<const Context>;

/// Makes a context the current one of this thread. The destructor restores the caller's.
class Current {
 public:
  explicit Current(const SharedContext& context) {
    require(driver().push(context->handle()), "cuCtxPushCurrent");
  }
  ~Current() {
    Handle popped = nullptr;
    driver().pop(&popped);
  }
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;
};

/// Releases an object of the driver in its context. An error can only mean that the driver or the
/// context has ended.
template <typename Release, typename Object>
void release_in(const SharedContext& context, Release release, Object object) {
  if (driver().push(context->handle()) != kSuccess) return;
  release(object);
  Handle popped = nullptr;
  driver().pop(&popped);
}

Handle handle_of(Device::Stream stream) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): callers have a stream's handle as a number
  return reinterpret_cast<Handle>(stream);
}

class CudaMemory : public Device::Memory {
 public:
  CudaMemory(SharedContext context, std::size_t bytes) : context_(std::move(context)) {
    const Current current(context_);
    require(driver().allocate(&at_, bytes), "cuMemAlloc");
  }
  ~CudaMemory() override { release_in(context_, driver().free, at_); }
  CudaMemory(const CudaMemory&) = delete;
  CudaMemory& operator=(const CudaMemory&) = delete;

  void write(std::size_t offset, const void* from, std::size_t bytes) override {
    const Current current(context_);
    require(driver().write(at_ + offset, from, bytes), "cuMemcpyHtoD");
    // The driver may still copy from its own buffer; streams other than the default one do not wait
    // for that.
    require(driver().synchronize(nullptr), "cuStreamSynchronize");
  }
  void read(std::size_t offset, void* to, std::size_t bytes) const override {
    const Current current(context_);
    require(driver().read(to, at_ + offset, bytes), "cuMemcpyDtoH");
  }
  std::uint64_t address() const override { return at_; }

 private:
  SharedContext context_;
  Pointer at_ = 0;
};

class CudaKernel : public Device::Kernel {
 public:
  CudaKernel(SharedContext context, const std::string& code) : context_(std::move(context)) {
    const Current current(context_);
    require(driver().load_module(&module_, code.data()), "cuModuleLoadData");
    try {
      require(driver().get_function(&function_, module_, kKernelName), "cuModuleGetFunction");
    } catch (...) {
      driver().unload_module(module_);
      throw;
    }
  }
  ~CudaKernel() override { release_in(context_, driver().unload_module, module_); }
  CudaKernel(const CudaKernel&) = delete;
  CudaKernel& operator=(const CudaKernel&) = delete;

  void run(const std::vector<Device::Argument>& arguments, std::size_t groups,
           Device::Stream stream) const override {
    const Current current(context_);
    std::vector<std::uint64_t> words;  // pointers have 64 bits as well
    for (const Device::Argument& argument : arguments) {
      if (const auto* number = std::get_if<std::uint64_t>(&argument)) {
        words.push_back(*number);
      } else {
        const auto* memory = std::get<const Device::Memory*>(argument);
        words.push_back(memory == nullptr ? 0 : memory->address());
      }
    }
    std::vector<void*> all;
    for (std::uint64_t& word : words) all.push_back(&word);
    require(driver().launch(function_, static_cast<unsigned>(groups), 1, 1, kTile, kTile, 1, 0,
                            handle_of(stream), all.data(), nullptr),
            "cuLaunchKernel");
    require(driver().synchronize(handle_of(stream)), "cuStreamSynchronize");
  }

 private:
  SharedContext context_;
  Handle module_ = nullptr;
  Handle function_ = nullptr;
};

/// Machine code for one architecture, such as sm_90.
std::string compiled(const std::string& source, const std::string& architecture) {
  struct Program {
    Handle handle = nullptr;
    ~Program() { compiler().destroy(&handle); }
  } program;
  const auto check = [](int status, const char* what) {
    if (status != kSuccess) {
      throw std::invalid_argument(fmt::format("cuda: {} failed: error {}", what, status));
    }
  };
  check(compiler().create(&program.handle, source.c_str(), nullptr, 0, nullptr, nullptr),
        "nvrtcCreateProgram");
  const std::string option = "--gpu-architecture=" + architecture;
  const std::array<const char*, 1> options{option.c_str()};
  if (compiler().compile(program.handle, 1, options.data()) != kSuccess) {
    std::size_t size = 0;
    compiler().log_size(program.handle, &size);
    std::string log(size, '\0');
    compiler().log(program.handle, log.data());
    throw std::invalid_argument("cuda: the kernel was not compiled: " + first_error(log));
  }
  std::size_t size = 0;
  check(compiler().code_size(program.handle, &size), "nvrtcGetCUBINSize");
  std::string code(size, '\0');
  check(compiler().code(program.handle, code.data()), "nvrtcGetCUBIN");
  return code;
}

class CudaDevice : public Device {
 public:
  explicit CudaDevice(int number) {
    require(driver().get(&device_, number), "cuDeviceGet");
    context_ = std::make_shared<Context>(device_);
  }

  Dialect dialect() const override { return Dialect::cuda; }

  std::string name() const override {
    std::array<char, 256> text{};
    require(driver().name(text.data(), static_cast<int>(text.size()) - 1, device_),
            "cuDeviceGetName");
    return text.data();
  }

  std::unique_ptr<Memory> allocate(std::size_t bytes) override {
    return std::make_unique<CudaMemory>(context_, bytes);
  }

  std::unique_ptr<Kernel> compile(const std::string& source) override {
    int major = 0;
    int minor = 0;
    require(driver().attribute(&major, kComputeMajor, device_), "cuDeviceGetAttribute");
    require(driver().attribute(&minor, kComputeMinor, device_), "cuDeviceGetAttribute");
    return std::make_unique<CudaKernel>(context_,
                                        compiled(source, fmt::format("sm_{}{}", major, minor)));
  }

  void finish(Stream stream) const override {
    const Current current(context_);
    require(driver().synchronize(handle_of(stream)), "cuStreamSynchronize");
  }

 private:
  int device_ = 0;
  SharedContext context_;
};

/// The number of devices. Initializes the driver.
std::size_t count_devices() {
  const int status = driver().init(0);
  int count = 0;
  if (status != kNoDevice) {
    require(status, "cuInit");
    require(driver().count(&count), "cuDeviceGetCount");
  }
  return static_cast<std::size_t>(count);
}

}  // namespace
}  // namespace cuda

std::shared_ptr<Device> open_cuda(std::size_t number) {
  const std::size_t devices = cuda::count_devices();
  if (number >= devices) throw no_such_device("cuda", number, devices);
  return std::make_shared<cuda::CudaDevice>(static_cast<int>(number));
}

std::size_t cuda_device_of(std::uint64_t address) {
  if (cuda::count_devices() == 0) throw no_such_device("cuda", 0, 0);
  int number = 0;
  if (cuda::driver().pointer_attribute(&number, cuda::kDeviceOrdinal, address) != cuda::kSuccess) {
    throw std::invalid_argument(
        fmt::format("cuda: address {:#x} is not in the memory of a device", address));
  }
  return static_cast<std::size_t>(number);
}

}  // namespace mmaspec::device
