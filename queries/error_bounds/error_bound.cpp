#include "queries/error_bounds/error_bound.h"

#include <algorithm>
#include <functional>
#include <set>

#include "queries/ask/buildable.h"
#include "queries/derive/self_composition.h"
#include "queries/derive/term_graph.h"
#include "queries/error_bounds/decoded_operands.h"
#include "queries/error_bounds/odd_sum.h"
#include "queries/error_bounds/summed.h"
#include "spec/formats/unpack.h"
#include "spec/lang/bounds.h"
#include "spec/lang/linear.h"

namespace mmaspec {
namespace {

class ErrorDerivation {
 public:
  ErrorDerivation(const DerivationGoal& run, const DotFormats& formats, Lemmas& lemmas)
      : run_(run),
        formats_(formats),
        graph_(run.graph),
        lemmas_(run, premises_of_inputs(), lemmas),
        numbers_(run.graph) {}

  std::optional<Rational> in_ulp() {
    const Graph::Building building(graph_);
    add_operands_as_read(numbers_, formats_, of_one_term(), run_.first, lemmas_);
    const std::vector<NodeId> patterns = patterns_on_the_way();
    for (NodeId p : patterns) {
      if (!is_finite_where_d_is(p)) return std::nullopt;
    }
    for (NodeId p : patterns) {
      if (!add_pattern(p)) return std::nullopt;
    }
    if (!add_pattern(run_.first)) return std::nullopt;
    // d must be the sum of all terms, each used once.
    if (is_used_.size() + 1 != numbers_.size()) return std::nullopt;
    return numbers_.last().error * rational_power_of_two(formats_.d->fraction_bits);
  }

 private:
  std::vector<NodeId> premises_of_inputs() const {
    std::vector<NodeId> all = run_.premises;
    std::erase_if(all, [&](NodeId p) {
      const std::vector<NodeId> cone = graph_.cone({p});
      return std::binary_search(cone.begin(), cone.end(), run_.first);
    });
    return all;
  }

  /// A bound for one term: less than twice the unit of sizes, which is the largest power of two
  /// that is at most every term.
  static Magnitude of_one_term() { return {2, true}; }

  std::vector<NodeId> patterns_on_the_way() const {
    const std::vector<NodeId> cone = graph_.cone({run_.first});
    std::set<NodeId> all;
    for (const Mark& m : graph_.marks()) {
      if (m.role == MarkRole::pattern && m.node != run_.first &&
          std::binary_search(cone.begin(), cone.end(), m.node) && graph_[m.node].op != Op::input &&
          !graph_[m.node].range.is_point()) {
        all.insert(m.node);
      }
    }
    return {all.begin(), all.end()};
  }

  /// True if the pattern is finite wherever d is, for all results of earlier arithmetic: infinities
  /// and NaNs propagate.
  bool is_finite_where_d_is(NodeId pattern) {
    std::vector<NodeId> arithmetic{pattern};
    for (NodeId n : graph_.cone({run_.first})) {
      const Op op = graph_[n].op;
      if (op == Op::product || op == Op::shift_left || op == Op::floor_shift_right ||
          op == Op::bit_length) {
        arithmetic.push_back(n);
      }
    }
    const Bool finite = unpack(*formats_.d, Int::of(pattern)).is_finite();
    const Bool finite_d = unpack(*formats_.d, Int::of(run_.first)).is_finite();
    const bool proved = lemmas_.is_unsat(
        "an intermediate pattern is finite",
        [&](const View& view) { return view.of(finite_d) && !view.of(finite); }, arithmetic);
    if (proved) lemmas_.keep(finite);
    return proved;
  }

  /// A value from which a pattern may be rounded.
  struct Source {
    BinaryRational value;
    std::vector<NodeId> nodes;    ///< nodes on which it depends, as variables
    std::optional<NodeId> units;  ///< the node whose leading bit is split into cases
    AlignmentError cut;
  };

  /// Adds the number of a pattern, with a bound of its distance from the sum that it rounds.
  bool add_pattern(NodeId pattern) {
    for (const ScaledSum& sum : sums_before(pattern)) {
      const auto cut = cut_of(sum, numbers_, formats_.d->least_exponent(), lemmas_);
      if (!cut) continue;
      const Source source{{Int::of(sum.units), Int::of(sum.exponent), sum.offset},
                          {sum.units, sum.exponent},
                          sum.units,
                          *cut};
      if (add_rounded(pattern, source, &sum)) return true;
    }
    const auto number = only_number_of(pattern);
    return number && add_rounded(pattern, *number, nullptr);
  }

  /// The exact number if the pattern depends on one only.
  std::optional<Source> only_number_of(NodeId pattern) const {
    const std::set<std::size_t> below = numbers_.below(pattern, {});
    if (below.size() != 1) return std::nullopt;
    const BinaryRational& value = numbers_[*below.begin()].value;
    Source source{value, {}, {}, {{*below.begin()}, 0, true}};
    const std::vector<NodeId> products = products_below(graph_, {value.significand.id()});
    if (products.empty()) return source;
    source.units = products.back();
    source.nodes.push_back(*source.units);
    for (const auto& [node, factor] : LinearForm::of(graph_, value.exponent.id()).terms) {
      source.nodes.push_back(node);
    }
    return source;
  }

  bool add_rounded(NodeId pattern, const Source& source, const ScaledSum* sum) {
    const auto rounded = rounded_by(pattern, source, sum);
    if (!rounded) return false;
    Magnitude size;
    Rational error = rounded->as_exact ? Rational(0) : source.cut.error;
    for (std::size_t i : source.cut.terms) {
      if (is_used_.contains(i)) return false;
      size = size + numbers_[i].size;
      error += numbers_[i].error;
    }
    if (!source.cut.only_shrinks && !rounded->as_exact) size = size + source.cut.error;
    Rational lost = rational_power_of_two(size.leading_exponent() - rounded->places);
    // A flushed number is below 2^least, and the unit of sizes is at least 2^least.
    if (rounded->flushes) lost = std::max(lost, Rational(1));
    if (!rounded->shrinks) size = size + lost;
    is_used_.insert(source.cut.terms.begin(), source.cut.terms.end());
    lemmas_.free(pattern);
    const DecodedOperand read = number_as_read(*formats_.d, Int::of(pattern), run_.first, lemmas_);
    error += lost;
    if (read.may_be_zero_instead) error += size.value;
    numbers_.add({read.value, {pattern}, size, error});
    return true;
  }

  BinaryRational pattern_value(NodeId pattern) const {
    return scaled_number(*formats_.d, Int::of(pattern));
  }

  /// The sums from which the pattern may be rounded, the last one first.
  std::vector<ScaledSum> sums_before(NodeId pattern) const {
    std::vector<ScaledSum> all = sums_below(graph_, pattern, numbers_, lemmas_.samples());
    std::reverse(all.begin(), all.end());
    constexpr std::size_t kMost = 2;
    if (all.size() > kMost) all.resize(kMost, all.front());
    return all;
  }

  struct Rounded {
    int places;     ///< the error is at most 2^-places times the source's leading bit
    bool flushes;   ///< or the pattern is zero if the source is below the least normal number
    bool shrinks;   ///< and the pattern is not larger than the source
    bool as_exact;  ///< all of this also holds with respect to the numbers' exact sum
  };

  /// Whether no sample violates it.
  bool holds_in_samples(const Stated& violated) const {
    const NodeId node = violated({}).id();
    const std::vector<Integer> values = lemmas_.sampled({node}).values(node);
    return std::all_of(values.begin(), values.end(), [](const Integer& x) { return x == 0; });
  }

  /// True if `violated`, a statement about the value d of a finite pattern and the sum, is proved
  /// false for each part of the sum's range. If d's unit can be proved to be the format's least
  /// one, or to be few places from the sum's unit, d is expressed in that unit, because shifts by
  /// many places make these statements hard.
  bool is_excluded_by_parts(
      const std::string& name,
      const std::function<Bool(const BinaryRational&, const BinaryRational&)>& violated,
      const BinaryRational& d, const Bool finite, const ScaledSum& sum,
      const std::vector<NodeId>& cut) {
    const BinaryRational s{Int::of(sum.units), Int::of(sum.exponent), sum.offset};
    const int bits = formats_.d->fraction_bits;
    const int least = formats_.d->least_exponent();
    auto parts = lemmas_.parts_of(sum, {least, formats_.d->largest_exponent()});
    const auto is_unsat = [&](const LossLemmas::SumPart& part) {
      const bool is_below = part.exponent.high + sum.offset + part.largest_place < least;
      const auto beyond = [=](const BinaryRational& x, const BinaryRational& y) {
        const Int unit = x.exponent + x.offset;
        if (is_below) return unit != least - bits;
        const Int places = unit - y.exponent - y.offset;
        return places < part.least_place - bits || places > part.largest_place - bits + 1;
      };
      const bool is_near = lemmas_.is_unsat(
          "a pattern's unit is that of its sum's leading bit",
          [&](const View& view) { return view.of(finite) && beyond(view.of(d), view.of(s)); }, cut,
          sum, part);
      const Stated stated = [&](const View& view) {
        const BinaryRational x = view.of(d);
        const BinaryRational y = view.of(s);
        if (!is_near) return view.of(finite) && violated(x, y);
        if (is_below) return view.of(finite) && violated({x.significand, least - bits, 0}, y);
        std::vector<Bool> known;
        const Int places =
            variable("places", {part.least_place - bits, part.largest_place - bits + 1}, known);
        const BinaryRational renamed{x.significand, y.exponent + places, y.offset};
        known.push_back(x.exponent + x.offset == renamed.exponent + renamed.offset);
        return all_of(known) && view.of(finite) && violated(renamed, y);
      };
      return lemmas_.is_unsat(name, stated, cut, sum, part);
    };
    // For negative sums it often follows from positive ones.
    const auto first_of_others = std::partition(
        parts.begin(), parts.end(), [](const auto& part) { return part.units.high >= 0; });
    if (!std::all_of(parts.begin(), first_of_others, is_unsat)) return false;
    const Stated of_values = [&](const View& view) { return violated(view.of(d), view.of(s)); };
    const Integer& largest = graph_[sum.units].range.high;
    const bool follows = first_of_others != parts.end() &&
                         lemmas_.is_so_of_opposites(of_values, {d, finite, sum, cut}, largest);
    return std::all_of(first_of_others, parts.end(), [&](const LossLemmas::SumPart& part) {
      return (follows && part.units.low >= -largest) || is_unsat(part);
    });
  }

  std::optional<Rounded> rounded_by(NodeId pattern, const Source& source, const ScaledSum* sum) {
    const BinaryRational d = pattern_value(pattern);
    const BinaryRational& s = source.value;
    const Bool finite = unpack(*formats_.d, Int::of(pattern)).is_finite();
    const std::vector<NodeId> cut = cut_beside(pattern, source.nodes);
    const int least = formats_.d->least_exponent();
    // A statement about the pattern's value and the source's. d may have another representation.
    using OfBoth = std::function<Bool(const BinaryRational& d, const BinaryRational& s)>;
    const auto stated = [&](const OfBoth& violated) -> Stated {
      return [&, violated](const View& view) {
        return view.of(finite) && violated(view.of(d), view.of(s));
      };
    };
    const auto excluded = [&](const std::string& name, const OfBoth& violated) {
      if (sum != nullptr) return is_excluded_by_parts(name, violated, d, finite, *sum, cut);
      return source.units
                 ? lemmas_.is_excluded_by_lengths(name, stated(violated), cut, *source.units)
                 : lemmas_.is_unsat(name, stated(violated), cut);
    };
    const auto too_far = [&](int places, bool flushes) -> OfBoth {
      return [=](const BinaryRational& x, const BinaryRational& y) {
        const Bool flushed = x.significand == 0 && is_larger({1, least, 0}, y) && flushes;
        return is_rounded_by_more(x, y, least, places) && !flushed;
      };
    };
    const OfBoth grows = is_larger;
    const bool seems_to_shrink = holds_in_samples(stated(grows));
    for (int places = formats_.d->fraction_bits + 1; places > 0; --places) {
      std::optional<Rounded> rounded;
      for (const bool flushes : {false, true}) {
        const OfBoth violated = too_far(places, flushes);
        if (!holds_in_samples(stated(violated))) continue;
        const OfBoth either = [&](const BinaryRational& x, const BinaryRational& y) {
          return violated(x, y) || grows(x, y);
        };
        if (seems_to_shrink && excluded("a sum is rounded, to no larger one", either)) {
          rounded = {places, flushes, true, false};
        } else if (excluded("a sum is rounded", violated)) {
          rounded = {places, flushes, false, false};
        }
        if (rounded) break;
      }
      if (!rounded) continue;
      if (sum != nullptr && source.cut.error != 0) {
        const auto bits = bits_where_odd(*sum, numbers_, lemmas_);
        rounded->as_exact =
            bits && has_even_ends(*sum, d, finite, *bits, least, places, cut, lemmas_);
      }
      return rounded;
    }
    return std::nullopt;
  }

  /// The nodes, and the other nodes on which the pattern depends and which do not depend on them.
  std::vector<NodeId> cut_beside(NodeId pattern, const std::vector<NodeId>& nodes) const {
    std::vector<NodeId> cut = nodes;
    if (nodes.empty()) return cut;
    const std::vector<NodeId> cone = graph_.cone({pattern});
    std::vector<bool> depends(graph_.size());
    std::set<NodeId> seen(nodes.begin(), nodes.end());
    for (NodeId n : cone) {
      depends[n] = seen.contains(n) || std::any_of(graph_[n].args.begin(), graph_[n].args.end(),
                                                   [&](NodeId a) { return depends[a]; });
    }
    std::vector<NodeId> pending{pattern};
    while (!pending.empty()) {
      const NodeId n = pending.back();
      pending.pop_back();
      if (!seen.insert(n).second || graph_[n].range.is_point()) continue;
      if (depends[n]) {
        pending.insert(pending.end(), graph_[n].args.begin(), graph_[n].args.end());
      } else {
        cut.push_back(n);
      }
    }
    return cut;
  }

  const DerivationGoal& run_;
  const DotFormats& formats_;
  Graph& graph_;
  LossLemmas lemmas_;
  ExactNumbers numbers_;
  std::set<std::size_t> is_used_;
};

}  // namespace

std::optional<DerivedError> derive_error(const DerivationGoal& run, const DotFormats& formats,
                                         const Portfolio& solvers, const Deadline& deadline,
                                         std::vector<AttemptReport>& attempts) {
  if (run.samples.empty() || solvers.backends().empty() || are_integers(formats)) {
    return std::nullopt;
  }
  Lemmas lemmas(solvers, deadline, attempts);
  const BuildBy by(deadline);
  try {
    // A comparison may not be buildable for the marked nodes.
    const auto built =
        build_if_possible([&] { return ErrorDerivation(run, formats, lemmas).in_ulp(); });
    if (!built.value || !*built.value) return std::nullopt;
    return DerivedError{**built.value, lemmas.asked()};
  } catch (const OutOfTime&) {
    return std::nullopt;
  }
}

}  // namespace mmaspec
