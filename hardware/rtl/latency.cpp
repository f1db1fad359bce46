// Finds the latency of a design from its valid signals.
#include <fmt/format.h>

#include "hardware/rtl/check.h"
#include "queries/ask/question.h"
#include "util/counted.h"

namespace mmaspec::rtl {
namespace {

/// Share of the time that is left for one question about a valid signal.
constexpr double kValidShare = 0.2;

/// Whether a condition holds for no operands and no values of free signals.
Verdict valid_is(const Graph& graph, Bool condition, Strategies strategies,
                 const Portfolio& solvers) {
  strategies.deadline = strategies.deadline.part(kValidShare);
  return ask(Question{&graph, {condition.id()}}, strategies, solvers).verdict;
}

std::string edges_text(int edges) { return counted(edges, "clock edge"); }

}  // namespace

int latency_of_valid(const RtlDesign& design, int least, int most, const Strategies& strategies,
                     const Portfolio& solvers) {
  const Connection& connection = design.connection();
  const std::string& port = connection.valid_out;
  const auto undecided = [&](int edges) {
    return std::invalid_argument(fmt::format(
        "--valid-out: it is undecided whether {} of {} shows the result after {}; --latency gives "
        "the clock edges from operands to result",
        port, design.top(), edges_text(edges)));
  };
  const bool is_after_reset = !connection.reset.empty();
  for (int edges = is_after_reset ? 0 : least; edges <= most; ++edges) {
    Graph graph;
    const Graph::Building building(graph);
    const DotOperands operands = design.with_constants(dot_inputs(design.formats()));
    const Bool valid_in =
        connection.valid_in.empty() ? Bool(true) : input("valid with the operands", 1) != 0;
    const Bool valid_out = design.build_valid_out(operands, valid_in, edges) != 0;
    if (edges >= least) {
      const Verdict differ = valid_is(graph, valid_out ^ valid_in, strategies, solvers);
      if (differ == Verdict::unsatisfiable) return edges;
      if (differ == Verdict::unknown) throw undecided(edges);
    }
    if (!is_after_reset) continue;
    const Verdict early = valid_is(graph, valid_out, strategies, solvers);
    if (early == Verdict::unknown) throw undecided(edges);
    if (early == Verdict::satisfiable) {
      throw std::invalid_argument(fmt::format(
          "--valid-out: {} of {} may be 1 after {}, and is not there for all operands; the latency "
          "must be the same for all operands",
          port, design.top(), edges_text(edges)));
    }
  }
  const std::string what =
      connection.valid_in.empty() ? "1" : "what " + connection.valid_in + " was with the operands";
  throw std::invalid_argument(
      least == most
          ? fmt::format("--valid-out: {} of {} is not always {} after {}, the given --latency",
                        port, design.top(), what, edges_text(least))
          : fmt::format("--valid-out: {} of {} is not always {} after any number of clock edges up "
                        "to {}{}",
                        port, design.top(), what, most,
                        is_after_reset ? "" : " (--reset gives the port that resets the design)"));
}

}  // namespace mmaspec::rtl
