#pragma once
/// From an expression graph to bitvector terms: each node in the least number of bits that holds
/// its range.

#include <optional>
#include <vector>

#include "encoder/bitvector.h"
#include "spec/lang/graph.h"

namespace mmaspec {

/// Bits of a range: of the least unsigned word if it has no negative number, else of the least
/// two's-complement word. At least 1.
unsigned width_of(const Range& range);

/// Encodes nodes of one graph into one set of terms, each node once.
class Encoder {
 public:
  /// Both must outlive this object.
  Encoder(const Graph& graph, BvTerms& terms) : graph_(graph), terms_(terms) {}

  /// The Boolean term of a Boolean node.
  TermId boolean(NodeId id);
  /// The word of an integer node: width_of(range) bits, two's complement if the range has negative
  /// numbers. Claims below it are taken as given.
  TermId word(NodeId id);
  /// The same extended to `width` bits or cut to its lowest `width` bits.
  TermId word(NodeId id, unsigned width);
  bool is_signed(NodeId id) const { return graph_[id].range.low < 0; }

  /// A shifter among the terms: result = floor(shifted / 2^amount), all three read without sign.
  struct Shift {
    TermId result;
    TermId shifted;
    TermId amount;
  };
  /// Those of natural numbers that were encoded so far.
  const std::vector<Shift>& shifts() const { return shifts_; }

  /// The obligation of a claim: true where its argument leaves the claimed range. Claims below the
  /// argument are taken as given: they have obligations of their own.
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
  /// The word as a term for arithmetic modulo 2^width.
  TermId resized(TermId term, bool is_signed, unsigned width);
  /// The bits of a shift amount that matter for a word of `width` bits, least first, and whether
  /// any higher bit is set.
  std::pair<std::vector<TermId>, TermId> amount_bits(TermId amount, unsigned width);

  const Graph& graph_;
  BvTerms& terms_;
  std::vector<std::optional<TermId>> encoded_;
  std::vector<Shift> shifts_;
};

/// Size of an encoding: how many nodes, the widest, and all bits together.
struct WidthStatistics {
  std::size_t nodes = 0;
  unsigned widest = 0;
  std::size_t bits = 0;
};
WidthStatistics width_statistics(const Graph& graph, const std::vector<NodeId>& roots);

}  // namespace mmaspec
