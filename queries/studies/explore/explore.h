#pragma once
/// Compares many designs: which of them have required properties, and what each costs as a circuit.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "hardware/rtl/cost.h"
#include "queries/studies/table/results.h"
#include "queries/studies/table/table.h"

namespace mmaspec {

/// `monotone-c`, or `error-bound <= 2`.
struct Requirement {
  std::string text;
  const Property* property = nullptr;
  std::optional<Rational> at_most;  ///< for a property with a number
};

/// Throws std::invalid_argument for an unknown property, or one of two designs.
Requirement parse_requirement(const std::string& text);

struct ExploreOptions {
  std::vector<Requirement> requirements;
  /// The property whose number is shown as a column and minimized.
  const Property* bound = nullptr;
  /// The number of a design's results that differ from a unit's on the user's data; empty: no data.
  std::function<std::size_t(const Instruction&)> mismatches;
  /// A design's Verilog, as the module `dot`.
  std::function<std::string(const Instruction&)> verilog;
  std::string liberty;   ///< a cell library; empty: none
  double timeout = 600;  ///< seconds for all questions
  std::string solver = "auto";
  unsigned seed = 0;
  int jobs = 0;  ///< parallel processes; 0: as many as the machine has cores
  /// Answers about properties, and costs of circuits: what it has is not asked again. nullptr:
  /// none.
  TableResults* results = nullptr;
  bool render_only = false;  ///< asks and measures nothing
  /// Called with a description of the current work and its progress; empty at the end.
  std::function<void(const std::string&)> progress;
};

struct ExploredDesign {
  Instruction design;
  std::vector<Outcome> requirements;  ///< one for each
  Outcome verdict = Outcome::proved;  ///< of their conjunction
  Cell bound;                         ///< the result for ExploreOptions::bound
  std::optional<std::size_t> mismatches;
  std::optional<rtl::Cost> cost;
  std::string no_cost;  ///< why there is none
  bool is_on_front = false;

  /// The cost to minimize: area with a cell library, otherwise nodes of the and-inverter graph.
  double size() const;
  double delay() const;
};

struct Exploration {
  std::vector<ExploredDesign> designs;
  /// The smallest design that is proved to have all required properties.
  std::optional<std::size_t> cheapest;
  /// Designs that cost less than the cheapest one and are refuted.
  std::size_t cheaper_refuted = 0;
  /// Refuted designs whose cost was not measured: they may cost less.
  std::size_t unmeasured_refuted = 0;
  /// Designs that may cost less and have the required properties.
  std::vector<std::size_t> may_be_cheaper;
  /// Every design that costs less is refuted.
  bool is_proved_cheapest = false;
  bool has_contradiction = false;
  std::string contradiction;
};

/// Asks all properties of all designs, then measures costs: first for designs proved to have the
/// required properties, last for refuted ones.
Exploration explore(const std::vector<Instruction>& designs, const ExploreOptions& options);

/// Marks the Pareto front of the proved designs and finds the cheapest. A design is on the front if
/// no other one is at least as good in size, delay, bound and mismatches and better in one of them.
void rank(Exploration& exploration);

}  // namespace mmaspec
