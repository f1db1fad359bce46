#pragma once
/// Asking solvers about graphs of small inputs.

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "encoder/encode.h"
#include "solver/solver.h"
#include "spec/lang/graph.h"

namespace mmaspec::lang_test {

/// What a node should compute.
struct Expectation {
  NodeId node;
  std::function<Integer(const std::vector<Integer>&)> meaning;  ///< of the inputs' values
};

/// All values of inputs of these widths, the first input counting fastest.
std::vector<std::vector<Integer>> all_inputs(const std::vector<unsigned>& widths);
/// The widths of the graph's inputs.
std::vector<unsigned> input_widths(const Graph& graph);

/// True where `word` (of an integer node, or a Boolean one) differs from a table of what `meaning`
/// gives for every value of the graph's inputs. The word is compared with some bits to spare, so
/// that a word too narrow or of the wrong sign differs too.
TermId differs_from_table(const Graph& graph, Encoder& encoder, BvTerms& terms,
                          const Expectation& expectation);

/// True if variable `input` is `value`.
TermId input_is(const Graph& graph, BvTerms& terms, NodeId input, const Integer& value);
/// True if the node, integer or Boolean, is not `value`.
TermId node_is_not(const Graph& graph, Encoder& encoder, BvTerms& terms, NodeId node,
                   const Integer& value);

/// The backend of this name: z3, cvc5 or bitwuzla.
std::unique_ptr<Backend> backend(const std::string& name);
/// A backend alone, in a child process.
Answer ask(std::unique_ptr<Backend> backend, const Query& query, Limits limits = {});
inline Answer ask(const std::string& backend_name, const Query& query, Limits limits = {}) {
  return ask(backend(backend_name), query, limits);
}

/// The inputs' values of a model, in the graph's order; 0 for those that the model leaves free.
std::vector<Integer> inputs_of(const Graph& graph, const Answer& answer);

/// True of a solver that need not be there, and is not.
bool is_missing(const std::string& solver);

/// True if a program of this name is on the PATH.
bool on_path(const std::string& program);

}  // namespace mmaspec::lang_test

namespace mmaspec {
/// How GoogleTest prints a verdict.
inline void PrintTo(Verdict verdict, std::ostream* out) {
  *out << (verdict == Verdict::satisfiable     ? "satisfiable"
           : verdict == Verdict::unsatisfiable ? "unsatisfiable"
                                               : "unknown");
}
}  // namespace mmaspec
