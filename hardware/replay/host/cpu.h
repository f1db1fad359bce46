#pragma once
/// Uses the CPU of this machine as a device: rows are computed by its instructions.

#include <optional>
#include <string>
#include <vector>

#include "hardware/replay/host/device.h"

namespace mmaspec {

struct CpuInstruction;

/// The meaning of `--device cpu` or `--device cpu:INSTRUCTION`: each row's own instruction, or this
/// instruction for all rows of its formats, including rows of designs.
struct CpuDevice {
  std::string text;      ///< as given
  std::string mnemonic;  ///< empty: each row's own
};

/// The device of this name; nullopt: it is of another kind. Throws std::invalid_argument for an
/// instruction that is not x86's in the catalogue, and std::runtime_error for one that this program
/// or this CPU does not support.
std::optional<CpuDevice> find_cpu_device(const std::string& name);

/// Throws std::runtime_error with the reason if the device supports none of these instructions.
void require_cpu_runs(const CpuDevice& device, const std::vector<std::string>& names);

/// Executes instructions of these formats, in a chain if K is a multiple.
class CpuRunner {
 public:
  CpuRunner(const CpuDevice& device, const Instruction& instruction);

  const std::string& lacks() const { return lacks_; }  ///< why it is not supported; empty: it is
  Integer run(const DotValues& values) const;

 private:
  std::string lacks_;
  const CpuInstruction* instruction_ = nullptr;
  std::size_t k_ = 0;
};

/// As run_on_model().
DeviceRun run_on_cpu(const CpuDevice& device, const std::vector<ReplayRow>& rows,
                     RowModels& models);
/// As draw_on_model().
std::string draw_on_cpu(const CpuDevice& device, DrawnAnswers& answers);

}  // namespace mmaspec
