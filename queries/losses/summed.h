#pragma once
/// What alignment cuts from the terms of a sum, from lemmas about each term alone.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "queries/losses/magnitude.h"
#include "queries/losses/scaled.h"
#include "queries/relations/node_relation.h"
#include "queries/relations/relations.h"
#include "spec/lang/substitute.h"

namespace mmaspec {

/// An exact number that a text comes by: a product, c, or what a pattern on the way stands for.
struct ExactNumber {
  Scaled value;
  std::vector<NodeId> sources;  ///< of the graph: the operands, or the pattern
  Magnitude size;               ///< in the largest power of two that no term is below
  Rational error = 0;           ///< in the same unit, how far it lies from the sum it stands for
};

/// A statement of nodes, made of themselves or of their copies.
class View {
 public:
  View() = default;
  explicit View(Substitution& copy) : copy_(&copy) {}

  Int of(Int x) const { return copy_ == nullptr ? x : copy_->integer(x.id()); }
  Bool of(Bool x) const { return copy_ == nullptr ? x : copy_->boolean(x.id()); }
  Scaled of(const Scaled& x) const { return {of(x.significand), of(x.exponent), x.offset}; }

 private:
  Substitution* copy_ = nullptr;
};
using Stated = std::function<Bool(const View&)>;

/// What lemmas of a text's losses are asked with.
class LossLemmas {
 public:
  LossLemmas(const Claimed& run, std::vector<NodeId> premises, Lemmas& lemmas)
      : run_(run), premises_(std::move(premises)), lemmas_(lemmas) {}

  Graph& graph() const { return run_.graph; }

  /// No input makes it true, with the nodes `cut` as variables, and those of free(). `facts` hold
  /// of all inputs, whatever the variables are.
  bool is_excluded(const std::string& name, const Stated& violated, const std::vector<NodeId>& cut,
                   const std::vector<Stated>& facts = {});
  /// From now on it is known of all inputs.
  void keep(Bool fact) { premises_.push_back(fact.id()); }
  /// From now on the node is a variable: a pattern on the way.
  void free(NodeId node) { free_.push_back(node); }

  /// The values that nodes have in samples.
  SampledNodes sampled(const std::vector<NodeId>& nodes) const {
    return {run_.graph, nodes, run_.samples};
  }

 private:
  const Claimed& run_;
  std::vector<NodeId> premises_;
  std::vector<NodeId> free_;
  Lemmas& lemmas_;
};

/// units * 2^(exponent + offset), as texts mark it.
struct MarkedSum {
  NodeId units;
  NodeId exponent;
  int offset;
};

/// What was cut from a sum's terms.
struct Cut {
  std::vector<std::size_t> terms;  ///< of `numbers`, which it is a sum of
  Rational error;                  ///< in the unit of their sizes
  bool only_shrinks;               ///< no term became larger than it was
};

/// How far the sum lies from the sum of the exact numbers of which its nodes are made; nullopt: it
/// was not found.
///
/// Each of its summands is proved to lie within a unit of an exact number, or to be exact where the
/// sum's exponent is no more than so far above that number's; each member of the maximum that the
/// exponent is, to be at most so far above that number's leading bit. The sum's exponent is one of
/// these members: the cuts add up for each of them.
std::optional<Cut> cut_of(const MarkedSum& sum, const std::vector<ExactNumber>& numbers,
                          int least_exponent, LossLemmas& lemmas);

}  // namespace mmaspec
