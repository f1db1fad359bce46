#include "tests/support/lang/solve.h"

#include <unistd.h>

#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace mmaspec::lang_test {
namespace {

// Additional bits, beyond the node's own width, in comparisons.
constexpr unsigned kSpare = 2;

/// A decision tree over the inputs' bits whose leaves are constants of `width` bits. `leaves` holds
/// a value for each value of the inputs; the first input's lowest bit varies fastest.
TermId decision_tree(BvTerms& terms, const std::vector<TermId>& bits,
                     const std::vector<Integer>& leaves, unsigned width) {
  std::vector<TermId> level;
  level.reserve(leaves.size());
  for (const Integer& leaf : leaves) level.push_back(terms.constant(leaf, width));
  for (TermId bit : bits) {
    std::vector<TermId> next;
    for (std::size_t i = 0; i + 1 < level.size(); i += 2) {
      next.push_back(terms.ite(bit, level[i + 1], level[i]));
    }
    level = std::move(next);
  }
  return level.at(0);
}

/// The node as a word, a Boolean as one bit, with additional bits.
TermId spacious_word(const Graph& graph, Encoder& encoder, BvTerms& terms, NodeId node) {
  if (is_boolean(graph[node].op)) {
    return terms.zero_extend(terms.to_bit(encoder.boolean(node)), 1 + kSpare);
  }
  return encoder.word(node, width_of(graph[node].range) + kSpare);
}

}  // namespace

std::vector<std::vector<Integer>> all_inputs(const std::vector<unsigned>& widths) {
  std::vector<std::vector<Integer>> all{{}};
  for (std::size_t i = widths.size(); i-- > 0;) {
    std::vector<std::vector<Integer>> longer;
    for (const std::vector<Integer>& rest : all) {
      for (unsigned x = 0; x < (1U << widths[i]); ++x) {
        std::vector<Integer> values{Integer(x)};
        values.insert(values.end(), rest.begin(), rest.end());
        longer.push_back(std::move(values));
      }
    }
    all = std::move(longer);
  }
  return all;
}

std::vector<unsigned> input_widths(const Graph& graph) {
  std::vector<unsigned> widths;
  for (NodeId id : graph.inputs()) widths.push_back(graph[id].width);
  return widths;
}

TermId differs_from_table(const Graph& graph, Encoder& encoder, BvTerms& terms,
                          const Expectation& expectation) {
  std::vector<TermId> bits;
  for (NodeId id : graph.inputs()) {
    const TermId variable = terms.variable(graph.input_name(id), graph[id].width);
    for (unsigned i = 0; i < graph[id].width; ++i) {
      bits.push_back(terms.from_bit(terms.extract(variable, i, i)));
    }
  }
  std::vector<Integer> leaves;
  for (const auto& values : all_inputs(input_widths(graph))) {
    leaves.push_back(expectation.meaning(values));
  }
  const TermId word = spacious_word(graph, encoder, terms, expectation.node);
  const TermId table = decision_tree(terms, bits, leaves, terms.width(word));
  return terms.bool_not(terms.eq(word, table));
}

TermId input_is(const Graph& graph, BvTerms& terms, NodeId input, const Integer& value) {
  const unsigned width = graph[input].width;
  return terms.eq(terms.variable(graph.input_name(input), width), terms.constant(value, width));
}

TermId node_is_not(const Graph& graph, Encoder& encoder, BvTerms& terms, NodeId node,
                   const Integer& value) {
  const TermId word = spacious_word(graph, encoder, terms, node);
  return terms.bool_not(terms.eq(word, terms.constant(value, terms.width(word))));
}

std::unique_ptr<Backend> backend(const std::string& name) {
  if (name == "z3") return z3_backend();
  if (name == "cvc5") return cvc5_backend();
  if (name == "bitwuzla") return bitwuzla_backend();
  throw std::invalid_argument("no built-in backend " + name);
}

Answer ask(std::unique_ptr<Backend> backend, const Query& query, Limits limits) {
  std::vector<std::unique_ptr<Backend>> alone;
  alone.push_back(std::move(backend));
  return Portfolio(std::move(alone), limits).ask(query);
}

std::vector<Integer> inputs_of(const Graph& graph, const Answer& answer) {
  std::vector<Integer> values;
  for (NodeId id : graph.inputs()) {
    const auto found = answer.model.find(graph.input_name(id));
    values.push_back(found == answer.model.end() ? Integer(0) : found->second);
  }
  return values;
}

bool is_missing(const std::string& solver) {
  return solver == "bitwuzla" && bitwuzla_program().empty();
}

bool on_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (access((folder + "/" + program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

}  // namespace mmaspec::lang_test
