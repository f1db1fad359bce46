// Asks properties of many designs, measures their costs and ranks them.
#include "queries/studies/explore/explore.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <map>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "util/deadline.h"
#include "util/file.h"
#include "util/sha256.h"

namespace mmaspec {
namespace {

/// Share of the time for properties; the rest is for costs.
constexpr double kPropertiesShare = 0.4;
constexpr double kLongestPropertiesShare = 0.6;  // while other programs run
constexpr std::size_t kDesignsAtOnce = 4;        // for each job, between two checks of the clock
constexpr double kLeastSeconds = 0.2;            // for one question
constexpr double kMostSeconds = 10;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Outcome outcome_of(const Requirement& requirement, const Cell& cell) {
  if (cell.outcome == Outcome::not_applicable) return Outcome::undecided;
  if (!requirement.at_most) return cell.outcome;
  if (cell.proved && *cell.proved <= *requirement.at_most) return Outcome::proved;
  if (cell.refuted && *cell.refuted >= *requirement.at_most) return Outcome::refuted;
  return Outcome::undecided;
}

Outcome all_of(const std::vector<Outcome>& outcomes) {
  const auto has = [&](Outcome o) {
    return std::find(outcomes.begin(), outcomes.end(), o) != outcomes.end();
  };
  return has(Outcome::refuted)     ? Outcome::refuted
         : has(Outcome::undecided) ? Outcome::undecided
                                   : Outcome::proved;
}

/// The circuit's text without comments, which contain the design's name: designs with the same
/// circuit have the same text.
std::string circuit_of(const std::string& verilog) {
  std::string text;
  std::istringstream lines(verilog);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("//")) text += line + "\n";
  }
  return text;
}

std::size_t jobs_of(const ExploreOptions& options) {
  return options.jobs > 0 ? static_cast<std::size_t>(options.jobs)
                          : std::max<std::size_t>(std::thread::hardware_concurrency(), 1);
}

/// Properties that are not asked before the deadline are undecided.
void ask_properties(Exploration& exploration, const std::vector<Instruction>& designs,
                    const ExploreOptions& options, const Deadline& deadline) {
  std::vector<const Property*> properties;
  for (const Requirement& r : options.requirements) {
    if (std::find(properties.begin(), properties.end(), r.property) == properties.end()) {
      properties.push_back(r.property);
    }
  }
  if (std::find(properties.begin(), properties.end(), options.bound) == properties.end()) {
    properties.push_back(options.bound);
  }
  const double questions = static_cast<double>(designs.size() * properties.size());
  TableOptions table;
  table.timeout = std::clamp(
      kPropertiesShare * options.timeout * static_cast<double>(jobs_of(options)) / questions,
      kLeastSeconds, kMostSeconds);
  table.solver = options.solver;
  table.seed = options.seed;
  table.jobs = static_cast<int>(jobs_of(options));
  TableResults own;
  TableResults& results = options.results == nullptr ? own : *options.results;
  const std::vector<TableRow> rows = rows_by_name(designs);
  const std::size_t step = kDesignsAtOnce * jobs_of(options);
  for (std::size_t i = 0; i < rows.size() && !options.render_only; i += step) {
    if (deadline.passed() || work_is_stopped()) break;
    if (options.progress) {
      options.progress(fmt::format("properties of {} of {} designs", i, rows.size()));
    }
    const std::vector<TableRow> some(
        rows.begin() + static_cast<std::ptrdiff_t>(i),
        rows.begin() + static_cast<std::ptrdiff_t>(std::min(i + step, rows.size())));
    fill(some, properties, table, results);
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ExploredDesign explored{designs[i], {}, {}, {}, {}, {}, {}, false};
    for (const Requirement& r : options.requirements) {
      const Cell cell = results.find(*r.property, rows[i]);
      if (cell.contradiction) {
        exploration.has_contradiction = true;
        exploration.contradiction =
            r.text + " of " + rows[i].names[0] + ": " + cell.justification.how();
      }
      explored.requirements.push_back(outcome_of(r, cell));
    }
    explored.verdict = all_of(explored.requirements);
    explored.bound = results.find(*options.bound, rows[i]);
    exploration.designs.push_back(std::move(explored));
  }
}

/// The name of the question for a circuit's cost in a file of results.
std::string cost_question(const std::string& liberty) {
  return liberty.empty() ? "cost" : "cost with cells " + sha256(content_of(liberty));
}

Json json_of(const rtl::Cost& cost) {
  Json object{{"nodes", cost.nodes}, {"depth", cost.depth}};
  if (cost.cells) {
    object["cells"] = cost.cells->count;
    object["area"] = cost.cells->area;
    object["delay"] = cost.cells->delay;
  }
  return object;
}

/// nullopt if the answer is not a cost.
std::optional<rtl::Cost> cost_of(const Json* answer) {
  if (answer == nullptr) return std::nullopt;
  try {
    rtl::Cost cost{answer->at("nodes"), answer->at("depth"), std::nullopt};
    if (answer->contains("area")) {
      cost.cells = {answer->at("cells"), answer->at("area"), answer->at("delay")};
    }
    return cost;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

/// Measures each circuit once, several at a time.
void measure_costs(Exploration& exploration, const ExploreOptions& options,
                   const Deadline& deadline) {
  std::vector<ExploredDesign>& designs = exploration.designs;
  std::map<std::string, std::vector<std::size_t>> by_circuit;
  std::vector<std::string> order;
  for (const Outcome wanted : {Outcome::proved, Outcome::undecided, Outcome::refuted}) {
    for (std::size_t i = 0; i < designs.size(); ++i) {
      if (designs[i].verdict != wanted) continue;
      const std::string circuit = circuit_of(options.verilog(designs[i].design));
      std::vector<std::size_t>& same = by_circuit[circuit];
      if (same.empty()) order.push_back(circuit);
      same.push_back(i);
    }
  }
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  const std::string question = cost_question(options.liberty);
  const auto on_file = [&](const std::string& circuit) {
    const std::lock_guard lock(mutex);
    return options.results == nullptr ? std::nullopt
                                      : cost_of(options.results->find(question, circuit));
  };
  std::size_t done = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < order.size(); i = next++) {
      const std::string circuit = sha256(order[i]);
      std::optional<rtl::Cost> cost = on_file(circuit);
      std::string why = options.render_only ? "not measured" : "out of time";
      const bool is_measured = !cost && !options.render_only;
      try {
        if (is_measured && !deadline.passed() && !work_is_stopped()) {
          cost = rtl::cost_of(order[i], "dot", options.liberty, deadline);
        }
      } catch (const std::exception& error) {
        why = error.what();
      }
      const std::lock_guard lock(mutex);
      if (options.results != nullptr && is_measured && cost) {
        options.results->add(question, circuit, json_of(*cost));
      }
      for (const std::size_t design : by_circuit.at(order[i])) {
        designs[design].cost = cost;
        if (!cost) designs[design].no_cost = why;
      }
      ++done;
      if (options.progress) {
        options.progress(fmt::format("{} of {} circuits synthesized", done, order.size()));
      }
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < std::min(jobs_of(options), order.size()); ++i) {
    threads.emplace_back(work);
  }
  for (std::thread& thread : threads) thread.join();
}

/// The numbers to minimize.
std::array<double, 4> objectives(const ExploredDesign& d) {
  return {d.size(), d.delay(), d.bound.proved ? static_cast<double>(*d.bound.proved) : kInfinity,
          static_cast<double>(d.mismatches.value_or(0))};
}

bool is_better(const ExploredDesign& x, const ExploredDesign& y) {
  const auto first = objectives(x);
  const auto second = objectives(y);
  bool is_less = false;
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (first[i] > second[i]) return false;
    is_less = is_less || first[i] < second[i];
  }
  return is_less;
}

}  // namespace

double ExploredDesign::size() const {
  if (!cost) return kInfinity;
  return cost->cells ? cost->cells->area : static_cast<double>(cost->nodes);
}

double ExploredDesign::delay() const {
  if (!cost) return kInfinity;
  return cost->cells ? cost->cells->delay : static_cast<double>(cost->depth);
}

Requirement parse_requirement(const std::string& text) {
  const std::size_t at = text.find("<=");
  std::string name = text.substr(0, at);
  std::erase(name, ' ');
  Requirement r{text, &find_property(name), std::nullopt};
  if (r.property->of_two()) {
    throw std::invalid_argument(name + " is a property of two designs: it cannot be required");
  }
  if (at == std::string::npos) return r;
  std::string number = text.substr(at + 2);
  std::erase(number, ' ');
  try {
    r.at_most = parse_rational(number);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument("--require '" + text + "': " + error.what());
  }
  return r;
}

void rank(Exploration& exploration) {
  std::vector<ExploredDesign>& all = exploration.designs;
  const bool has_data = std::any_of(
      all.begin(), all.end(), [](const ExploredDesign& d) { return d.mismatches.has_value(); });
  const auto counts = [has_data](const ExploredDesign& d) {
    return d.verdict == Outcome::proved && d.cost && (d.mismatches || !has_data);
  };
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!counts(all[i])) continue;
    all[i].is_on_front = std::none_of(all.begin(), all.end(), [&](const ExploredDesign& other) {
      return counts(other) && is_better(other, all[i]);
    });
    if (!exploration.cheapest || all[i].size() < all[*exploration.cheapest].size()) {
      exploration.cheapest = i;
    }
  }
  if (!exploration.cheapest) return;
  const double least = all[*exploration.cheapest].size();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const ExploredDesign& d = all[i];
    if (d.verdict != Outcome::refuted) {
      if (!d.cost || d.size() < least) exploration.may_be_cheaper.push_back(i);
    } else if (!d.cost) {
      ++exploration.unmeasured_refuted;
    } else if (d.size() < least) {
      ++exploration.cheaper_refuted;
    }
  }
  exploration.is_proved_cheapest = exploration.may_be_cheaper.empty();
}

Exploration explore(const std::vector<Instruction>& designs, const ExploreOptions& options) {
  if (designs.empty()) return {};  // a part of few designs
  const Deadline deadline = Deadline::in(options.timeout);
  for (const Requirement& r : options.requirements) {
    const bool has_number = !r.property->parameters({designs.at(0)}).empty();
    const std::string name = r.property->name();
    if (has_number && !r.at_most) {
      throw std::invalid_argument(
          fmt::format("--require '{0}': {0} needs a bound: '{0} <= NUMBER'", name));
    }
    if (!has_number && r.at_most) {
      throw std::invalid_argument(
          fmt::format("--require '{}': {} does not have a bound", r.text, name));
    }
  }
  Exploration exploration;
  ask_properties(exploration, designs, options, deadline.part(kLongestPropertiesShare));
  if (options.mismatches) {
    for (ExploredDesign& d : exploration.designs) {
      if (deadline.passed() || work_is_stopped()) break;
      d.mismatches = options.mismatches(d.design);
    }
  }
  measure_costs(exploration, options, deadline);
  if (options.progress) options.progress("");
  rank(exploration);
  return exploration;
}

}  // namespace mmaspec
