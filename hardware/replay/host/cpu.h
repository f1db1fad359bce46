#pragma once
/// The machine that runs this as a device: rows run on its own instructions.

#include <optional>
#include <string>
#include <vector>

#include "hardware/replay/host/device.h"

namespace mmaspec {

struct CpuInstruction;

/// What `--device cpu` or `--device cpu:INSTRUCTION` names: each row's own instruction, or this one
/// for all rows of its formats, designs too.
struct CpuDevice {
  std::string text;      ///< as given
  std::string mnemonic;  ///< empty: each row's own
};

/// The device of this name; nullopt: it is another kind. Throws std::invalid_argument for an
/// instruction that the catalogue's x86 does not have, std::runtime_error for one that this program
/// cannot run or that this CPU does not have.
std::optional<CpuDevice> find_cpu_device(const std::string& name);

/// Throws std::runtime_error with the reason if the device can run none of these instructions.
void require_cpu_runs(const CpuDevice& device, const std::vector<std::string>& names);

/// What runs an instruction of these formats: several in a chain where K is a multiple.
class CpuRunner {
 public:
  CpuRunner(const CpuDevice& device, const Instruction& instruction);

  const std::string& lacks() const { return lacks_; }  ///< why it cannot; empty: it can
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
