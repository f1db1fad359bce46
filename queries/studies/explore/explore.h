#pragma once
/// Many designs: which of them have required properties, and what each costs as a circuit.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "hardware/rtl/cost.h"
#include "queries/studies/table/table.h"

namespace mmaspec {

/// `monotone-c`, or `error-bound <= 2`.
struct Requirement {
  std::string text;
  const Property* property = nullptr;
  std::optional<Rational> at_most;  ///< of a property with a number
};

/// Throws std::invalid_argument for a property that there is not, or one of two designs.
Requirement parse_requirement(const std::string& text);

struct ExploreOptions {
  std::vector<Requirement> requirements;
  /// The property whose number is a column and an objective.
  const Property* bound = nullptr;
  /// How many results of a design differ from a unit's on the user's data; empty: no data.
  std::function<std::size_t(const Instruction&)> mismatches;
  /// A design's Verilog, as the module `dot`.
  std::function<std::string(const Instruction&)> verilog;
  std::string liberty;   ///< a cell library; empty: none
  double timeout = 600;  ///< seconds of all
  std::string solver = "auto";
  unsigned seed = 0;
  int jobs = 0;  ///< processes at once; 0: as many as the machine has cores
  /// What is being done, and how much of it is; empty at the end.
  std::function<void(const std::string&)> progress;
};

struct ExploredDesign {
  Instruction design;
  std::vector<Outcome> requirements;  ///< one for each
  Outcome verdict = Outcome::proved;  ///< of all of them together
  Cell bound;                         ///< what is known of ExploreOptions::bound
  std::optional<std::size_t> mismatches;
  std::optional<rtl::Cost> cost;
  std::string no_cost;  ///< why there is none
  bool is_on_front = false;

  /// What is to be small: area with a cell library, else nodes of the and-inverter graph.
  double size() const;
  double delay() const;
};

struct Exploration {
  std::vector<ExploredDesign> designs;
  /// The design of the least size that is proved to have all required properties.
  std::optional<std::size_t> cheapest;
  /// Every design of less size is refuted.
  bool is_proved_cheapest = false;
  bool has_contradiction = false;
  std::string contradiction;
};

/// Asks all properties of all designs, then measures costs: first of the designs that are proved to
/// have the required properties, last of those that are refuted.
Exploration explore(const std::vector<Instruction>& designs, const ExploreOptions& options);

/// Marks the Pareto front of the proved designs and finds the cheapest. The front has those designs
/// to which no other one is equal or better in size, delay, bound and mismatches and better in one.
void rank(Exploration& exploration);

}  // namespace mmaspec
