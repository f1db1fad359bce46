#pragma once
/// Circuits of a goal's nodes: each node is a word of gates with the node's value.
///
/// The circuit of a list of nodes is a fixed function of the goal. Another program can therefore
/// rebuild its clauses and check the same proof; proof/check.py does.

#include <optional>
#include <vector>

#include "proof/kernel/goal.h"
#include "proof/sat/circuit.h"

namespace mmaspec::kernel {

class Words {
 public:
  /// `ranges`: of all nodes. `free`: for each node, whether its word is fresh, so that only its
  /// range is known. `by`: for each node, the equal node whose word replaces its own. All of them
  /// and the graph must outlive this object.
  Words(const TermGraph& graph, const std::vector<Range>& ranges, const std::vector<bool>& free,
        const std::vector<std::optional<NodeId>>& by)
      : graph_(graph), ranges_(ranges), free_(free), by_(by), words_(graph.nodes.size()) {}

  /// Builds the words of these nodes and of all nodes on which they depend: always the first node,
  /// in the graph's order, all of whose parts have words. False if a word would be built from
  /// itself.
  [[nodiscard]] bool make(const std::vector<NodeId>& roots);

  /// The literal of a Boolean whose word was built.
  CnfLiteral literal(NodeId id) const { return words_[id][0]; }

  Circuit& circuit() { return circuit_; }

 private:
  /// Least significant bit first; in two's complement if the range has negative numbers.
  using Word = std::vector<CnfLiteral>;

  bool is_signed(NodeId id) const { return ranges_[id].low < 0; }
  /// Whether the node is a term that is added by magnitude and sign.
  bool is_conditional(NodeId id) const {
    return graph_.nodes[id].op == Op::negate_if && !free_[id] && !by_[id];
  }
  /// The nodes from which the word of a node is built.
  std::vector<NodeId> parts(NodeId id) const;
  bool asks_for_zero_product(const Node& node) const;

  /// A word extended to a width, or truncated to its lowest bits.
  static Word resized(const Word& word, bool is_signed, std::size_t width);
  /// The node's number modulo 2^width.
  Word word(NodeId id, std::size_t width) const {
    return resized(words_[id], is_signed(id), width);
  }
  static Word constant(const Integer& value, std::size_t width);

  Word word_of(NodeId id);
  Word fresh(const Range& range);
  Word sum(const Word& x, const Word& y);
  Word total(std::vector<Word> terms, std::size_t width);
  Word times(const Word& x, const Integer& factor);
  Word product(const Word& x, const Word& y);
  Word each(const Word& x, CnfLiteral y, CnfLiteral (Circuit::*gate)(CnfLiteral, CnfLiteral));
  Word choice(CnfLiteral condition, const Word& yes, const Word& no);
  Word negated_if(CnfLiteral sign, const Word& x);
  CnfLiteral any(const Word& x);
  /// x < y for words of equal width.
  CnfLiteral less(Word x, Word y, bool is_signed);
  CnfLiteral less(NodeId x, NodeId y);
  CnfLiteral equal(NodeId x, NodeId y);
  CnfLiteral some_factor_is_zero(const Node& product);
  Word sum_of(const Node& node, std::size_t width);
  Word shifted_left(const Word& x, const Word& amount);
  Word shifted_right(const Word& x, bool is_signed, const Word& amount);
  Word length_of(const Word& x);
  Word extremum_of(const Node& node, std::size_t width);

  const TermGraph& graph_;
  const std::vector<Range>& ranges_;
  const std::vector<bool>& free_;
  const std::vector<std::optional<NodeId>>& by_;
  Circuit circuit_;
  std::vector<Word> words_;
};

}  // namespace mmaspec::kernel
