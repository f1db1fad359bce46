// Stands for CUDA's driver (libcuda.so.1) in tests on machines without a GPU.
//
// Memory of a device is memory of this process that only the functions of this file can access: the
// host's access is a segmentation fault. Work on a stream is done when the stream is waited for, in
// its order. Kernels are executed by the CPU: a module is the source in CUDA C++, as the stand-in
// for NVRTC (nvrtc.cpp) returns it, and is compiled with the host's compiler. Modules of machine
// code are loaded, and their kernels do nothing.
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

// CUDA's interface has addresses as numbers. NOLINTBEGIN(performance-no-int-to-ptr)

namespace {

constexpr int kInvalidValue = 1;
constexpr int kOutOfMemory = 2;
constexpr int kInvalidImage = 200;
constexpr int kInvalidContext = 201;
constexpr int kInvalidHandle = 400;
constexpr int kNotFound = 500;
constexpr int kDevices = 2;
constexpr std::size_t kMost = std::size_t{1} << 32;

struct Context {
  int device;
};
std::array<Context, kDevices> contexts{{{0}, {1}}};

struct Block {
  std::size_t bytes;
  int device;
};
std::map<std::uint64_t, Block> blocks;

using Run = void (*)(const std::uint64_t*, unsigned);
struct Module {
  Context* context;
  void* library = nullptr;
  Run run = nullptr;
  std::size_t parameters = 0;
};

thread_local std::vector<Context*> current;
std::map<std::uint64_t, std::vector<std::function<void()>>> streams;
std::map<std::string, int> failures;
std::string log_text;

Context* context() { return current.empty() ? nullptr : current.back(); }

/// The legacy default stream has two names.
std::uint64_t stream_of(const void* handle) {
  const auto stream = reinterpret_cast<std::uint64_t>(handle);
  return stream == 1 ? 0 : stream;
}

void finish(std::uint64_t stream) {
  const std::vector<std::function<void()>> work = std::move(streams[stream]);
  streams[stream].clear();
  for (const auto& step : work) step();
}

/// Lets this thread access the memory of one device.
class Access {
 public:
  explicit Access(int device) : device_(device) { protect(PROT_READ | PROT_WRITE); }
  ~Access() { protect(PROT_NONE); }

 private:
  void protect(int access) const {
    for (const auto& [address, block] : blocks) {
      if (block.device == device_) mprotect(reinterpret_cast<void*>(address), block.bytes, access);
    }
  }
  int device_;
};

/// The block that has all these bytes.
const Block* block_of(std::uint64_t address, std::size_t bytes) {
  auto after = blocks.upper_bound(address);
  if (after == blocks.begin()) return nullptr;
  const auto& [start, block] = *std::prev(after);
  return address + bytes <= start + block.bytes ? &block : nullptr;
}

void copy(void* to, const void* from, std::size_t bytes, int device) {
  const Access access(device);
  std::memcpy(to, from, bytes);
}

/// The status that a test has asked of the next call of this function; 0 without one.
int failure(const char* name) {
  const auto found = failures.find(name);
  if (found == failures.end()) return 0;
  const int status = found->second;
  failures.erase(found);
  return status;
}

// What a kernel in CUDA C++ needs to be executed by a thread of the CPU: the threads of a group are
// fibers, which change at barriers.
const char* const kBefore = R"(
#include <ucontext.h>
#include <cstdint>
#include <vector>
#define __device__
#define __forceinline__ inline
#define __global__
#define __launch_bounds__(threads)
#define __shared__ static
struct Index { unsigned x, y, z; };
static Index threadIdx, blockIdx;
static int __clz(int x) { return x == 0 ? 32 : __builtin_clz(x); }
static int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll(x); }
static unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  return (unsigned long long)(((unsigned __int128)x * y) >> 64);
}
static ucontext_t scheduler, fibers[256];
static unsigned fiber;
static void __syncthreads() {
  const Index mine = threadIdx;
  swapcontext(&fibers[fiber], &scheduler);
  threadIdx = mine;
}
)";
const char* const kAfter = R"(
using Word = std::uint64_t;
static const Word* words;
static bool ended[256];
static void thread() {
  threadIdx = {fiber % 16, fiber / 16, 0};
  const Word* w = words;
  using Kernel = void (*)(Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word,
                          Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word);
  reinterpret_cast<Kernel>(mmaspec_matrix)(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8],
      w[9], w[10], w[11], w[12], w[13], w[14], w[15], w[16], w[17], w[18], w[19], w[20], w[21],
      w[22], w[23]);
  ended[fiber] = true;
}
extern "C" void stand_in_run(const Word* given, unsigned groups) {
  constexpr std::size_t kStack = 1 << 17;
  static std::vector<char> stacks(256 * kStack);
  words = given;
  for (unsigned g = 0; g < groups; ++g) {
    blockIdx = {g, 0, 0};
    for (unsigned i = 0; i < 256; ++i) {
      ended[i] = false;
      getcontext(&fibers[i]);
      fibers[i].uc_stack.ss_sp = stacks.data() + i * kStack;
      fibers[i].uc_stack.ss_size = kStack;
      fibers[i].uc_link = &scheduler;
      makecontext(&fibers[i], thread, 0);
    }
    for (bool any = true; any;) {
      any = false;
      for (fiber = 0; fiber < 256; ++fiber) {
        if (ended[fiber]) continue;
        swapcontext(&scheduler, &fibers[fiber]);
        any = any || !ended[fiber];
      }
    }
  }
}
)";

bool compile(const std::string& source, Module& module) {
  const std::size_t start = source.find("mmaspec_matrix(");
  if (start == std::string::npos) return false;
  const std::size_t end = source.find(')', start);
  module.parameters = 1 + static_cast<std::size_t>(
                              std::count(source.begin() + static_cast<std::ptrdiff_t>(start),
                                         source.begin() + static_cast<std::ptrdiff_t>(end), ','));
  std::string folder = "/tmp/mmaspec-kernel-XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) return false;
  const std::string file = folder + "/kernel";
  FILE* const out = fopen((file + ".cpp").c_str(), "w");
  fputs((kBefore + source + kAfter).c_str(), out);
  fclose(out);
  const std::string command =
      "c++ -std=c++20 -O1 -w -shared -fPIC -o " + file + ".so " + file + ".cpp";
  if (system(command.c_str()) == 0) {
    module.library = dlopen((file + ".so").c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  unlink((file + ".so").c_str());
  unlink((file + ".cpp").c_str());
  rmdir(folder.c_str());
  if (module.library == nullptr) return false;
  module.run = reinterpret_cast<Run>(dlsym(module.library, "stand_in_run"));
  return module.run != nullptr;
}

}  // namespace

extern "C" {

int cuInit(unsigned) { return failure("cuInit"); }
int cuDeviceGetCount(int* count) {
  *count = kDevices;
  return failure("cuDeviceGetCount");
}
int cuDeviceGet(int* device, int number) {
  *device = number;
  return 0;
}
int cuDeviceGetName(char* name, int size, int) {
  strncpy(name, "stand-in", static_cast<std::size_t>(size));
  return 0;
}
int cuDeviceGetAttribute(int* value, int attribute, int) {
  *value = attribute == 75 ? 9 : 0;  // sm_90
  return 0;
}
int cuDevicePrimaryCtxRetain(Context** context, int device) {
  *context = &contexts[static_cast<std::size_t>(device)];
  return failure("cuDevicePrimaryCtxRetain");
}
int cuDevicePrimaryCtxRelease_v2(int) { return 0; }
int cuCtxPushCurrent_v2(Context* context) {
  current.push_back(context);
  return 0;
}
int cuCtxPopCurrent_v2(Context** context) {
  if (current.empty()) return kInvalidContext;
  *context = current.back();
  current.pop_back();
  return 0;
}
int cuModuleLoadData(Module** module, const void* image) {
  if (context() == nullptr) return kInvalidContext;
  Module loaded{context()};
  const auto* bytes = static_cast<const char*>(image);
  const bool is_machine_code = std::memcmp(bytes,
                                           "\x7f"
                                           "ELF",
                                           4) == 0;
  if (!is_machine_code && !compile(bytes, loaded)) return kInvalidImage;
  log_text += is_machine_code ? "load machine code\n" : "load source\n";
  *module = new Module(loaded);
  return failure("cuModuleLoadData");
}
int cuModuleUnload(Module* module) {
  if (module->library != nullptr) dlclose(module->library);
  delete module;
  return 0;
}
int cuModuleGetFunction(Module** function, Module* module, const char* name) {
  *function = module;
  return std::strcmp(name, "mmaspec_matrix") == 0 ? 0 : kNotFound;
}
int cuMemAlloc_v2(std::uint64_t* address, std::size_t bytes) {
  if (context() == nullptr) return kInvalidContext;
  if (bytes > kMost) return kOutOfMemory;
  const std::size_t page = 4096;
  const std::size_t all = (bytes + page - 1) / page * page;
  void* const at = mmap(nullptr, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) return kOutOfMemory;
  *address = reinterpret_cast<std::uint64_t>(at);
  blocks[*address] = {all, context()->device};
  return failure("cuMemAlloc");
}
int cuMemFree_v2(std::uint64_t address) {
  if (context() == nullptr) return kInvalidContext;
  const auto found = blocks.find(address);
  if (found == blocks.end()) return kInvalidValue;
  munmap(reinterpret_cast<void*>(address), found->second.bytes);
  blocks.erase(found);
  return 0;
}
// As with the driver, the data may arrive after the call: on the default stream.
int cuMemcpyHtoD_v2(std::uint64_t to, const void* from, std::size_t bytes) {
  if (context() == nullptr) return kInvalidContext;
  const Block* block = block_of(to, bytes);
  if (block == nullptr) return kInvalidValue;
  const auto* start = static_cast<const char*>(from);
  streams[0].push_back([data = std::vector<char>(start, start + bytes), to, d = block->device] {
    copy(reinterpret_cast<void*>(to), data.data(), data.size(), d);
  });
  log_text += "write " + std::to_string(bytes) + "\n";
  return failure("cuMemcpyHtoD");
}
int cuMemcpyDtoH_v2(void* to, std::uint64_t from, std::size_t bytes) {
  if (context() == nullptr) return kInvalidContext;
  finish(0);
  const Block* block = block_of(from, bytes);
  if (block == nullptr) return kInvalidValue;
  copy(to, reinterpret_cast<const void*>(from), bytes, block->device);
  log_text += "read " + std::to_string(bytes) + "\n";
  return failure("cuMemcpyDtoH");
}
int cuLaunchKernel(Module* function, unsigned groups, unsigned, unsigned, unsigned, unsigned,
                   unsigned, unsigned, void* stream, void** arguments, void**) {
  if (context() != function->context) return kInvalidHandle;
  std::vector<std::uint64_t> words(24);
  for (std::size_t i = 0; i < function->parameters; ++i) {
    words[i] = *static_cast<std::uint64_t*>(arguments[i]);
  }
  const std::uint64_t on = stream_of(stream);
  log_text += "launch " + std::to_string(groups) + " on device " +
              std::to_string(function->context->device) + ", stream " +
              std::to_string(reinterpret_cast<std::uint64_t>(stream)) + "\n";
  streams[on].push_back([words, groups, function] {
    const Access access(function->context->device);
    if (function->run != nullptr) function->run(words.data(), groups);
  });
  return failure("cuLaunchKernel");
}
int cuStreamSynchronize(void* stream) {
  if (context() == nullptr) return kInvalidContext;
  if (const int status = failure("cuStreamSynchronize")) return status;
  finish(stream_of(stream));
  return 0;
}
int cuPointerGetAttribute(void* value, int attribute, std::uint64_t address) {
  const Block* block = block_of(address, 1);
  if (attribute != 9 || block == nullptr) return kInvalidValue;
  *static_cast<int*>(value) = block->device;
  return 0;
}
int cuGetErrorString(int status, const char** text) {
  *text = status == 700 ? "an illegal memory access was encountered" : "stand-in error";
  return 0;
}

// NVRTC asks for it.
int cuGetExportTable(const void** table, const void*) {
  *table = nullptr;
  return kNotFound;
}

// For tests.

std::uint64_t stand_in_allocate(int device, std::size_t bytes) {
  std::uint64_t address = 0;
  current.push_back(&contexts[static_cast<std::size_t>(device)]);
  cuMemAlloc_v2(&address, bytes);
  current.pop_back();
  return address;
}
/// Writes when the stream is waited for.
void stand_in_write(std::uint64_t stream, std::uint64_t to, const void* from, std::size_t bytes) {
  const auto* start = static_cast<const char*>(from);
  streams[stream == 1 ? 0 : stream].push_back([data = std::vector<char>(start, start + bytes), to] {
    const Block* block = block_of(to, data.size());  // none if the test has freed it
    if (block != nullptr)
      copy(reinterpret_cast<void*>(to), data.data(), data.size(), block->device);
  });
}
/// Reads without waiting.
void stand_in_read(void* to, std::uint64_t from, std::size_t bytes) {
  copy(to, reinterpret_cast<const void*>(from), bytes, block_of(from, bytes)->device);
}
void stand_in_free(std::uint64_t address) {
  current.push_back(&contexts[0]);
  cuMemFree_v2(address);
  current.pop_back();
}
void stand_in_fail(const char* name, int status) { failures[name] = status; }
std::size_t stand_in_blocks() { return blocks.size(); }
std::size_t stand_in_contexts() { return current.size(); }
const char* stand_in_log() {
  static std::string text;
  text = std::exchange(log_text, "");
  return text.c_str();
}

}  // extern "C"
// NOLINTEND(performance-no-int-to-ptr)
