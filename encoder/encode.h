#pragma once
/// Encodes an expression graph as bitvector terms. Each node has the least number of bits that
/// holds its range.

#include <optional>
#include <vector>

#include "encoder/bitvector.h"
#include "spec/lang/graph.h"

namespace mmaspec {

/// The width of a range: of the smallest unsigned word if the range is not negative, otherwise of
/// the smallest two's-complement word. At least 1.
unsigned width_of(const Range& range);

/// Encodes nodes of one graph into one set of terms. Each node is encoded once.
class Encoder {
 public:
  /// Both must outlive this object.
  Encoder(const Graph& graph, BvTerms& terms) : graph_(graph), terms_(terms) {}

  /// The Boolean term of a Boolean node.
  TermId boolean(NodeId id);
  /// The word of an integer node: width_of(range) bits, two's complement if the range has negative
  /// numbers. Claims on which it depends are assumed.
  TermId word(NodeId id);
  /// The same, extended or truncated to `width` bits.
  TermId word(NodeId id, unsigned width);
  bool is_signed(NodeId id) const { return graph_[id].range.low < 0; }

  /// A shifter among the terms: result = floor(shifted / 2^amount), all three unsigned.
  struct Shift {
    TermId result;
    TermId shifted;
    TermId amount;
  };
  /// The shifts of natural numbers that were encoded so far.
  const std::vector<Shift>& shifts() const { return shifts_; }

  /// The proof obligation of a claim: true if its argument is outside the claimed range. Claims on
  /// which the argument depends are assumed; they have their own obligations.
  TermId violation(NodeId claim);

 private:
  void encode_cone(NodeId root);
  TermId encode(NodeId id);
  TermId encode_sum(const Node& node);
  std::optional<TermId> encode_fields(const Node& node);
  TermId encode_shift_left(const Node& node);
  TermId encode_shift_right(const Node& node);
  TermId encode_bit_length(const Node& node);
  TermId encode_extremum(const Node& node);
  TermId compare(BvOp op, NodeId x, NodeId y);
  bool is_product_zero(const Node& equal) const;
  TermId some_factor_is_zero(const Node& product);
  TermId negated_if(TermId sign, TermId x);
  TermId product_with(TermId x, const Integer& factor);
  /// The word converted to `width` bits for arithmetic modulo 2^width.
  TermId resized(TermId term, bool is_signed, unsigned width);
  /// The bits of a shift amount that matter for a word of `width` bits, least significant first,
  /// and whether any higher bit is set.
  std::pair<std::vector<TermId>, TermId> amount_bits(TermId amount, unsigned width);

  const Graph& graph_;
  BvTerms& terms_;
  std::vector<std::optional<TermId>> encoded_;
  std::vector<Shift> shifts_;
};

/// Size of an encoding: the number of nodes, the largest width, and the sum of widths.
struct WidthStatistics {
  std::size_t nodes = 0;
  unsigned widest = 0;
  std::size_t bits = 0;
};
WidthStatistics width_statistics(const Graph& graph, const std::vector<NodeId>& roots);

}  // namespace mmaspec
