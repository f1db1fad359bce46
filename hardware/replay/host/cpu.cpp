#include "hardware/replay/host/cpu.h"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "hardware/replay/host/cpu_instructions.h"
#include "hardware/replay/host/drawn.h"
#include "util/json.h"

namespace mmaspec {
namespace {

const std::string kX86 = "x86";

const CpuInstruction* find(const std::string& mnemonic) {
  for (const CpuInstruction& i : cpu_instructions()) {
    if (i.mnemonic == mnemonic) return &i;
  }
  return nullptr;
}

/// Why this CPU does not support the x86 instruction; empty: it does.
std::string lack_of(const std::string& mnemonic) {
  const CpuInstruction* instruction = find(mnemonic);
  if (instruction == nullptr) {
    return cpu_instructions().empty() ? "this program was not built for x86"
                                      : "mmaspec does not run " + mnemonic + " on a CPU";
  }
  if (instruction->supported) return "";
  return cpu_name() + " does not have " + mnemonic + ", which needs " +
         std::string(instruction->needs);
}

std::string header_of() { return Json{{"device", cpu_name()}, {"program", "mmaspec"}}.dump(); }

}  // namespace

std::optional<CpuDevice> find_cpu_device(const std::string& name) {
  constexpr std::string_view kPrefix = "cpu:";
  if (name == "cpu") return CpuDevice{name, ""};
  if (!name.starts_with(kPrefix)) return std::nullopt;
  std::string mnemonic = name.substr(kPrefix.size());
  if (mnemonic.starts_with(kX86 + "/")) mnemonic = mnemonic.substr(kX86.size() + 1);
  find_instruction(kX86 + "/" + mnemonic);  // reports an unknown name
  const std::string lack = lack_of(mnemonic);
  if (!lack.empty()) throw std::runtime_error("--device " + name + ": " + lack);
  return CpuDevice{name, mnemonic};
}

void require_cpu_runs(const CpuDevice& device, const std::vector<std::string>& names) {
  std::string lack;
  for (const std::string& name : names) {
    const CpuRunner runner(device, find_instruction(name));
    if (runner.lacks().empty()) return;
    if (lack.empty()) lack = name + ": " + runner.lacks();
  }
  if (!lack.empty()) throw std::runtime_error("--device " + device.text + ": " + lack);
}

CpuRunner::CpuRunner(const CpuDevice& device, const Instruction& instruction) {
  std::string mnemonic = device.mnemonic;
  if (mnemonic.empty()) {
    if (instruction.architecture == "design") {
      lacks_ = "a design; use cpu:INSTRUCTION to choose the instruction that computes it";
      return;
    }
    if (instruction.architecture != kX86) {
      lacks_ = "an instruction of " + instruction.architecture;
      return;
    }
    mnemonic = instruction.mnemonic;
  }
  lacks_ = lack_of(mnemonic);
  if (!lacks_.empty()) return;
  DotFormats own = formats_of(kX86, mnemonic);
  k_ = static_cast<std::size_t>(own.k);
  own.k = instruction.formats.k;
  if (!(own == instruction.formats)) {
    lacks_ = mnemonic + " has other formats";
    return;
  }
  instruction_ = find(mnemonic);
}

Integer CpuRunner::run(const DotValues& values) const {
  std::vector<std::uint64_t> a(k_);
  std::vector<std::uint64_t> b(k_);
  auto d = values.c.convert_to<std::uint64_t>();
  for (std::size_t first = 0; first < values.a.size(); first += k_) {
    // Unused products of the last step are +0 * +0.
    for (std::size_t i = 0; i < k_; ++i) {
      const bool is_given = first + i < values.a.size();
      a[i] = is_given ? values.a[first + i].convert_to<std::uint64_t>() : 0;
      b[i] = is_given ? values.b[first + i].convert_to<std::uint64_t>() : 0;
    }
    d = instruction_->run(a.data(), b.data(), d);
  }
  return d;
}

DeviceRun run_on_cpu(const CpuDevice& device, const std::vector<ReplayRow>& rows,
                     RowModels& models) {
  std::map<const RowModels::Entry*, CpuRunner> runners;
  DeviceRun run;
  run.header = header_of();
  for (const ReplayRow& r : rows) {
    const RowModels::Entry& entry = models.of(r.row);
    auto it = runners.find(&entry);
    if (it == runners.end()) {
      // The row's own K with its instruction's name.
      Instruction instruction = entry.native;
      instruction.formats.k = entry.run.formats.k;
      it = runners.emplace(&entry, CpuRunner(device, instruction)).first;
    }
    DeviceAnswer answer;
    answer.lacks = it->second.lacks();
    if (answer.lacks.empty()) answer.d = it->second.run(r.row.values);
    run.answers.push_back(std::move(answer));
  }
  return run;
}

std::string draw_on_cpu(const CpuDevice& device, DrawnAnswers& answers) {
  constexpr std::uint64_t kAtOnce = std::uint64_t{1} << 12;
  for (std::size_t i = 0; i < answers.asked().size(); ++i) {
    const RowModels::Entry& entry = answers.entry(i);
    const CpuRunner runner(device, entry.native);
    DrawnAnswers::Part part{};
    part.request = i;
    part.lacks = runner.lacks();
    if (!part.lacks.empty()) {
      answers.take(part);
      continue;
    }
    const DrawnRequest& request = answers.asked()[i];
    for (part.first = 0; part.first < request.count; part.first += part.d.size()) {
      part.d.assign(std::min(kAtOnce, request.count - part.first), 0);
      for_each_drawn(request, entry.run.formats, part.first, part.first + part.d.size(),
                     [&](std::uint64_t number, const DotValues& values) {
                       part.d[number - part.first] = runner.run(values);
                     });
      answers.take(part);
    }
  }
  return header_of();
}

}  // namespace mmaspec
