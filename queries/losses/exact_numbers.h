#pragma once
/// The exact numbers that a text comes by, and what it sums of them.

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "queries/losses/magnitude.h"
#include "queries/losses/scaled.h"
#include "queries/relations/relations.h"
#include "queries/relations/suggestions.h"
#include "spec/formats/unpack.h"
#include "spec/lang/substitute.h"
#include "spec/parts/dot_add.h"

namespace mmaspec {

/// What a pattern of the format stands for, if it is finite.
Scaled scaled_number(const Format& format, Int pattern);
Scaled scaled_number(const Format& format, const Unpacked& x);

/// An exact number that a text comes by: a product, c, or what a pattern on the way stands for.
struct ExactNumber {
  Scaled value;
  std::vector<NodeId> sources;  ///< of the graph: the operands, or the pattern
  Magnitude size;               ///< in the largest power of two that no term is below
  Rational error = 0;           ///< in the same unit, how far it lies from what it stands for
};

class ExactNumbers {
 public:
  explicit ExactNumbers(const Graph& graph) : graph_(graph) {}

  void add(ExactNumber number);
  /// The products, scale factors included, and then c, of the operands that dot_inputs() names in
  /// the current graph; `size` is that of each.
  void add_operands(const DotFormats& formats, const Magnitude& size);
  const ExactNumber& operator[](std::size_t i) const { return all_[i]; }
  std::size_t size() const { return all_.size(); }
  const ExactNumber& last() const { return all_.back(); }
  bool is_source(NodeId n) const { return of_source_.contains(n); }

  /// Those on which a node depends other than by nodes that are cut. What a number is made of
  /// besides is not looked at.
  std::set<std::size_t> below(NodeId root, const std::vector<NodeId>& cut) const;

 private:
  const Graph& graph_;
  std::vector<ExactNumber> all_;
  std::map<NodeId, std::size_t> of_source_;
};

/// units * 2^(exponent + offset), a sum of exact numbers but for what was cut. A guess.
struct SumOfNumbers {
  NodeId units;
  NodeId exponent;
  int offset;
};

/// The values that nodes have in samples.
using Samples = std::function<SampledNodes(const std::vector<NodeId>&)>;

/// The sums of two or more numbers that a node is made of (of one, if the text marks it as a sum),
/// in the order of their making, with what the text marks as their unit; and where it marks none,
/// with that of which samples say that the sum is the numbers' sum but for what is cut, in units of
/// a maximum, or of a constant.
std::vector<SumOfNumbers> sums_below(Graph& graph, NodeId node, const ExactNumbers& numbers,
                                     const Samples& samples);

}  // namespace mmaspec
