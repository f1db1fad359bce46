#pragma once
/// Asks solvers about graphs of small inputs.

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "encoder/encode.h"
#include "solver/solver.h"
#include "spec/lang/graph.h"

namespace mmaspec::lang_test {

/// The expected value of a node.
struct Expectation {
  NodeId node;
  std::function<Integer(const std::vector<Integer>&)> meaning;  ///< of the inputs' values
};

/// All values of inputs of these widths; the first input varies fastest.
std::vector<std::vector<Integer>> all_inputs(const std::vector<unsigned>& widths);
/// The widths of the graph's inputs.
std::vector<unsigned> input_widths(const Graph& graph);

/// True if `word` (of a node, integer or Boolean) differs from the table of `meaning` for every
/// value of the graph's inputs. The comparison has some extra bits, so that it detects a word that
/// is too narrow or has the wrong sign.
TermId differs_from_table(const Graph& graph, Encoder& encoder, BvTerms& terms,
                          const Expectation& expectation);

/// True if the variable `input` has this value.
TermId input_is(const Graph& graph, BvTerms& terms, NodeId input, const Integer& value);
/// True if the node, integer or Boolean, does not have this value.
TermId node_is_not(const Graph& graph, Encoder& encoder, BvTerms& terms, NodeId node,
                   const Integer& value);

/// The backend with this name: z3, cvc5 or bitwuzla.
std::unique_ptr<Backend> backend(const std::string& name);
/// Asks only this backend, in a child process.
Answer ask(std::unique_ptr<Backend> backend, const Query& query, Limits limits = {});
inline Answer ask(const std::string& backend_name, const Query& query, Limits limits = {}) {
  return ask(backend(backend_name), query, limits);
}

/// The inputs' values in a model, in the graph's order; 0 for those that are not in the model.
std::vector<Integer> inputs_of(const Graph& graph, const Answer& answer);

/// True for an optional solver that is not installed.
bool is_missing(const std::string& solver);

/// True if a program of this name is on the PATH.
bool on_path(const std::string& program);

}  // namespace mmaspec::lang_test

namespace mmaspec {
/// Lets GoogleTest print a verdict.
inline void PrintTo(Verdict verdict, std::ostream* out) {
  *out << (verdict == Verdict::satisfiable     ? "satisfiable"
           : verdict == Verdict::unsatisfiable ? "unsatisfiable"
                                               : "unknown");
}
}  // namespace mmaspec
