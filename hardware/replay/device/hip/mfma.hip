#include <hip/hip_runtime.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "hardware/replay/device/common/program.h"
#include "hardware/replay/device/hip/instructions.h"
#include "hardware/replay/device/hip/lanes.h"
#include "hardware/replay/device/hip/mfma_ops.h"

/// MFMA: one dot product for each instruction, with a wave of 64 lanes. Every row of A is a, every
/// column of B is b, every element of C is c, in every block; all elements of D must agree. Only
/// the order of k then depends on the registers' layout: see lanes.h.
namespace mmaspec::replay::hip {
namespace {

constexpr int waves_per_block = 4;

/// Packed dot products in device memory.
struct Dots {
  const std::uint32_t* words;
  int stride, count;
  int b_at, c_at;
};

// The compiler's own builtins: HIP's functions call the device library, which a distribution may
// lack for the newest targets of its compiler.
__device__ int block() { return static_cast<int>(__builtin_amdgcn_workgroup_id_x()); }
__device__ int thread_in_block() { return static_cast<int>(__builtin_amdgcn_workitem_id_x()); }
/// True if it holds in all active lanes.
__device__ bool in_all_lanes(bool holds) {
#if __has_builtin(__builtin_amdgcn_ballot_w64)
  return __builtin_amdgcn_ballot_w64(!holds) == 0;
#else
  constexpr int not_equal = 33;  // from LLVM's integer predicates
  return __builtin_amdgcn_uicmp(holds ? 0U : 1U, 0U, not_equal) == 0;
#endif
}

template <class T>
__device__ T load(const std::uint32_t* words) {
  T value;
  __builtin_memcpy(&value, words, sizeof value);
  return value;
}

template <class Op>
__global__ void __launch_bounds__(wave* waves_per_block) mfma_kernel(Dots dots, Result* results) {
  const int dot = block() * waves_per_block + thread_in_block() / wave;
  if (dot >= dots.count) return;  // whole waves exit
  if constexpr (!Op::available) {
    results[dot] = Result{0, Result::missing, 0};
  } else {
    using Accumulator = typename Op::Accumulator;
    using Scalar = std::conditional_t<
        std::is_same_v<Accumulator, Double4> || std::is_same_v<Accumulator, double>, double, float>;
    using Bits = std::conditional_t<sizeof(Scalar) == 8, std::uint64_t, std::uint32_t>;
    constexpr int elements = sizeof(Accumulator) / sizeof(Scalar);

    const std::uint32_t* const row = dots.words + static_cast<std::size_t>(dot) * dots.stride;
    const int lane = thread_in_block() % wave;
    constexpr int words_per_lane = sizeof(typename Op::Operand) / 4;
    const int at = lane_word(lane, dots.b_at, words_per_lane);  // b_at is the number of a's words

    Scalar values[elements];
    for (Scalar& value : values) value = load<Scalar>(row + dots.c_at);
    Accumulator d;
    __builtin_memcpy(&d, values, sizeof d);
    d = Op::template run<0>(load<typename Op::Operand>(row + at),
                            load<typename Op::Operand>(row + dots.b_at + at), d);
    Bits bits[elements];
    __builtin_memcpy(bits, &d, sizeof bits);

    // The first lane's first element, word by word.
    std::uint64_t reference = 0;
    for (int word = 0; word < static_cast<int>(sizeof(Bits) / 4); ++word) {
      const auto part = static_cast<int>(static_cast<std::uint64_t>(bits[0]) >> 32 * word);
      reference |= static_cast<std::uint64_t>(
                       static_cast<std::uint32_t>(__builtin_amdgcn_readfirstlane(part)))
                   << 32 * word;
    }
    bool even = true;
    for (const Bits element : bits) even &= element == reference;
    even = in_all_lanes(even);
    if (lane == 0) results[dot] = Result{reference, even ? Result::good : Result::uneven, 0};
  }
}

using Launch = void (*)(const Dots&, Result*);

template <class Op>
void launch(const Dots& dots, Result* results) {
  const int blocks = (dots.count + waves_per_block - 1) / waves_per_block;
  mfma_kernel<Op><<<blocks, wave * waves_per_block>>>(dots, results);
}

struct Entry {
  const char* operation;
  Launch launch;
};

#define MMASPEC_ENTRY(name, ...) {mfma_##name::operation, launch<mfma_##name>},
const Entry entries[] = {MMASPEC_FOR_EVERY_MFMA(MMASPEC_ENTRY)};

Launch find_launch(const Instruction& instruction) {
  for (const Entry& entry : entries) {
    if (instruction.operation == entry.operation) return entry.launch;
  }
  return nullptr;
}

void check(hipError_t error, const char* what) {
  if (error != hipSuccess) {
    throw std::runtime_error(std::string(what) + ": " + hipGetErrorString(error));
  }
}

/// Device memory that grows on demand and never shrinks.
class Buffer {
 public:
  Buffer() = default;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { static_cast<void>(hipFree(data_)); }

  void* at_least(std::size_t bytes) {
    if (bytes > size_) {
      check(hipFree(data_), "hipFree");
      data_ = nullptr;
      size_ = 0;
      check(hipMalloc(&data_, bytes), "hipMalloc");
      size_ = bytes;
    }
    return data_;
  }

 private:
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

class HipDevice : public Device {
 public:
  explicit HipDevice(int index) {
    check(hipSetDevice(index), "hipSetDevice");
    check(hipGetDeviceProperties(&properties_, index), "hipGetDeviceProperties");
    check(hipDriverGetVersion(&driver_), "hipDriverGetVersion");
    check(hipRuntimeGetVersion(&runtime_), "hipRuntimeGetVersion");
  }

  std::string header() const override {
    return "{\"device\":" + json_string(properties_.name) +
           ",\"architecture\":" + json_string(properties_.gcnArchName) + ",\"driver\":\"" +
           std::to_string(driver_) + "\",\"runtime\":\"" + std::to_string(runtime_) +
           "\",\"program\":\"mmaspec-replay-hip\"}";
  }
  int find(std::string_view instr) const override { return find_instruction(instr); }
  const OperandLayout& layout(int instruction) const override {
    return instructions()[static_cast<std::size_t>(instruction)].layout;
  }

  std::string run(int index, const std::uint32_t* rows, std::size_t count,
                  Result* results) override {
    const Instruction& instruction = instructions()[static_cast<std::size_t>(index)];
    const Launch launch = find_launch(instruction);
    if (!launch) return lacks(instruction);
    const auto words = static_cast<std::size_t>(instruction.layout.words());
    for (std::size_t done = 0; done < count; done += most_dots) {
      const std::size_t part = std::min(most_dots, count - done);
      const std::size_t bytes = part * words * sizeof(std::uint32_t);
      auto* const device_rows = static_cast<std::uint32_t*>(rows_.at_least(bytes));
      auto* const device_results = static_cast<Result*>(results_.at_least(part * sizeof(Result)));
      check(hipMemcpy(device_rows, rows + done * words, bytes, hipMemcpyHostToDevice),
            "copying rows to the device");
      check(hipMemset(device_results, 0, part * sizeof(Result)), "hipMemset");
      launch({device_rows, static_cast<int>(words), static_cast<int>(part),
              instruction.layout.b_at(), instruction.layout.c_at()},
             device_results);
      const hipError_t error = hipGetLastError();
      if (error == hipErrorNoBinaryForGpu || error == hipErrorInvalidDeviceFunction) {
        return "this build has no code for " + std::string(properties_.gcnArchName);
      }
      check(error, instruction.name.c_str());
      check(hipMemcpy(results + done, device_results, part * sizeof(Result), hipMemcpyDeviceToHost),
            instruction.name.c_str());
      if (results[done].state == Result::missing) return lacks(instruction);
    }
    return {};
  }

 private:
  static constexpr std::size_t most_dots = std::size_t{1} << 20;

  std::string lacks(const Instruction& instruction) const {
    return "needs " + instruction.needs + "; this is " + properties_.gcnArchName;
  }

  hipDeviceProp_t properties_{};
  int driver_ = 0;
  int runtime_ = 0;
  Buffer rows_, results_;
};

std::unique_ptr<Device> open(int index) {
  int devices = 0;
  const hipError_t error = hipGetDeviceCount(&devices);
  if (error != hipSuccess)
    throw NoDevice{std::string("no HIP device: ") + hipGetErrorString(error)};
  if (index < 0 || index >= devices) {
    throw NoDevice{"no HIP device " + std::to_string(index) + ", there are " +
                   std::to_string(devices)};
  }
  return std::make_unique<HipDevice>(index);
}

std::vector<std::string> list() {
  std::vector<std::string> lines;
  for (const Instruction& instruction : instructions()) {
    lines.push_back(instruction.name + "\tneeds " + instruction.needs);
  }
  return lines;
}

}  // namespace
}  // namespace mmaspec::replay::hip

int main(int argc, char** argv) {
  using namespace mmaspec::replay;
  return run_program({"mmaspec-replay-hip", hip::list, hip::open}, argc, argv);
}
