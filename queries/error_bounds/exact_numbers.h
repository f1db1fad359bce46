#pragma once
/// The exact numbers that a term graph computes with, and its sums of them.

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "queries/error_bounds/binary_rational.h"
#include "queries/error_bounds/magnitude.h"
#include "queries/relations/candidate_invariants.h"
#include "queries/relations/relations.h"
#include "spec/formats/unpack.h"
#include "spec/lang/substitute.h"
#include "spec/parts/dot_add.h"

namespace mmaspec {

/// The number that a finite pattern of the format represents.
BinaryRational scaled_number(const Format& format, Int pattern);
BinaryRational scaled_number(const Format& format, const Unpacked& x);

/// An exact number of a term graph: a product, c, or the value of an intermediate pattern.
struct ExactNumber {
  BinaryRational value;
  std::vector<NodeId> sources;  ///< the nodes that represent it: the operands, or the pattern
  Magnitude size;               ///< in units of the largest power of two that is at most every term
  Rational error = 0;           ///< its distance from the exact value that it represents, in the
                                ///< same unit
};

class ExactNumbers {
 public:
  explicit ExactNumbers(const Graph& graph) : graph_(graph) {}

  void add(ExactNumber number);
  /// Adds the products, scale factors included, and then c, for the operands that dot_inputs()
  /// names in the current graph. `size` is the magnitude of each.
  void add_operands(const DotFormats& formats, const Magnitude& size);
  const ExactNumber& operator[](std::size_t i) const { return all_[i]; }
  std::size_t size() const { return all_.size(); }
  const ExactNumber& last() const { return all_.back(); }
  bool is_source(NodeId n) const { return of_source_.contains(n); }

  /// The numbers on which a node depends through paths without nodes of `cut`. The search does not
  /// continue below a number.
  std::set<std::size_t> below(NodeId root, const std::vector<NodeId>& cut) const;

 private:
  const Graph& graph_;
  std::vector<ExactNumber> all_;
  std::map<NodeId, std::size_t> of_source_;
};

/// units * 2^(exponent + offset): a sum of exact numbers except for what was cut. It is a
/// conjecture.
struct ScaledSum {
  NodeId units;
  NodeId exponent;
  int offset;
};

/// Returns the values of nodes in samples.
using Samples = std::function<SimulationSignatures(const std::vector<NodeId>&)>;

/// The sums of two or more numbers on which a node depends (or of one number, if it is marked as a
/// sum), in the order of their creation, with the unit that is marked. If no unit is marked, the
/// unit is a maximum, or a constant, for which the sum equals the sum of the numbers up to cuts in
/// all samples.
std::vector<ScaledSum> sums_below(Graph& graph, NodeId node, const ExactNumbers& numbers,
                                  const Samples& samples);

}  // namespace mmaspec
