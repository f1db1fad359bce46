#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "hardware/replay/device/common/program.h"
#include "hardware/replay/device/cuda/instructions.h"
#include "hardware/replay/device/cuda/kernels.cuh"

namespace mmaspec::replay::cuda {
namespace {

void check(cudaError_t error, const char* what) {
  if (error != cudaSuccess) {
    throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
  }
}

/// Device memory that grows on demand and never shrinks.
class Buffer {
 public:
  Buffer() = default;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { cudaFree(data_); }

  void* at_least(std::size_t bytes) {
    if (bytes > size_) {
      check(cudaFree(data_), "cudaFree");
      data_ = nullptr;
      size_ = 0;
      check(cudaMalloc(&data_, bytes), "cudaMalloc");
      size_ = bytes;
    }
    return data_;
  }

 private:
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

class CudaDevice : public Device {
 public:
  explicit CudaDevice(int index) {
    check(cudaSetDevice(index), "cudaSetDevice");
    check(cudaGetDeviceProperties(&properties_, index), "cudaGetDeviceProperties");
    check(cudaDriverGetVersion(&driver_), "cudaDriverGetVersion");
    check(cudaRuntimeGetVersion(&runtime_), "cudaRuntimeGetVersion");
  }

  std::string header() const override {
    return "{\"device\":" + json_string(properties_.name) + ",\"compute_capability\":\"" +
           capability() + "\",\"driver\":\"" + version(driver_) + "\",\"runtime\":\"" +
           version(runtime_) + "\",\"toolkit\":\"" + std::to_string(toolkit / 100) + "." +
           std::to_string(toolkit % 100) + "\",\"program\":\"mmaspec-replay-cuda\"}";
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
      check(cudaMemcpy(device_rows, rows + done * words, bytes, cudaMemcpyHostToDevice),
            "copying rows to the device");
      check(cudaMemset(device_results, 0, part * sizeof(Result)), "cudaMemset");
      const Dots dots{device_rows,
                      static_cast<int>(words),
                      static_cast<int>(part),
                      instruction.layout.b_at(),
                      instruction.layout.c_at(),
                      instruction.layout.scale_at()};
      launch(instruction, dots, device_results);
      const cudaError_t error = cudaGetLastError();
      if (error == cudaErrorNoKernelImageForDevice || error == cudaErrorInvalidDeviceFunction) {
        return "this build has no code for compute capability " + capability();
      }
      check(error, instruction.name.c_str());
      check(
          cudaMemcpy(results + done, device_results, part * sizeof(Result), cudaMemcpyDeviceToHost),
          instruction.name.c_str());
      if (results[done].state == Result::missing) return lacks(instruction);
    }
    return {};
  }

 private:
  static constexpr std::size_t most_dots = std::size_t{1} << 20;

  static Launch find_launch(const Instruction& instruction) {
    switch (instruction.family) {
      case Family::mma_sync:
        return find_mma_sync(instruction);
      case Family::wgmma:
        return find_wgmma(instruction);
      case Family::tcgen05:
        return find_tcgen05(instruction);
    }
    return nullptr;
  }

  std::string capability() const {
    return std::to_string(properties_.major) + "." + std::to_string(properties_.minor);
  }
  static std::string version(int number) {
    return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
  }
  std::string lacks(const Instruction& instruction) const {
    return "needs " + instruction.needs + "; this is compute capability " + capability() +
           ", built with CUDA " + std::to_string(toolkit / 100) + "." +
           std::to_string(toolkit % 100);
  }

  cudaDeviceProp properties_{};
  int driver_ = 0;
  int runtime_ = 0;
  Buffer rows_, results_;
};

std::unique_ptr<Device> open(int index) {
  int devices = 0;
  const cudaError_t error = cudaGetDeviceCount(&devices);
  if (error != cudaSuccess)
    throw NoDevice{std::string("no CUDA device: ") + cudaGetErrorString(error)};
  if (index < 0 || index >= devices) {
    throw NoDevice{"no CUDA device " + std::to_string(index) + ", there are " +
                   std::to_string(devices)};
  }
  return std::make_unique<CudaDevice>(index);
}

std::vector<std::string> list() {
  std::vector<std::string> lines;
  for (const Instruction& instruction : instructions()) {
    lines.push_back(instruction.name + "\tneeds " + instruction.needs);
  }
  return lines;
}

}  // namespace
}  // namespace mmaspec::replay::cuda

int main(int argc, char** argv) {
  using namespace mmaspec::replay;
  return run_program({"mmaspec-replay-cuda", cuda::list, cuda::open}, argc, argv);
}
