#include "queries/error_bounds/early_overflow.h"

#include <algorithm>
#include <map>
#include <set>

#include "queries/ask/buildable.h"
#include "queries/error_bounds/largest_exponents.h"
#include "spec/formats/text.h"
#include "spec/formats/unpack.h"
#include "spec/lang/bounds.h"
#include "spec/lang/linear.h"

namespace mmaspec {
namespace {

Rational largest_value(const Format& f) {
  return decode(f, f.largest_finite() << f.ignored_low_bits).value();
}

/// The premises that concern operands themselves, not their products.
std::vector<NodeId> premises_of_operands(const DerivationGoal& run) {
  std::vector<NodeId> all = run.premises;
  std::erase_if(all, [&](NodeId p) {
    const std::vector<NodeId> cone = run.graph.cone({p});
    return std::any_of(cone.begin(), cone.end(),
                       [&](NodeId n) { return run.graph[n].op == Op::product; });
  });
  return all;
}

class OverflowDerivation {
 public:
  OverflowDerivation(const DerivationGoal& run, const DotFormats& formats, Lemmas& lemmas)
      : run_(run),
        formats_(formats),
        graph_(run.graph),
        lemmas_(run, premises_of_operands(run), lemmas),
        numbers_(run.graph) {}

  bool holds() {
    const Graph::Building building(graph_);
    numbers_.add_operands(formats_, {});
    const std::vector<ScaledSum> sums = sums_below(graph_, run_.first, numbers_, lemmas_.samples());
    return std::any_of(sums.rbegin(), sums.rend(), [&](const ScaledSum& sum) {
      return is_exact_at_the_limit(sum) && reaches_the_limit(sum);
    });
  }

 private:
  /// The largest finite number of d's format plus half a unit in its last place: numbers of at
  /// least this magnitude round to infinity in rounding to nearest, ties included (IEEE 754-2019,
  /// section 4.3.1).
  BinaryRational limit() const {
    const Format& d = *formats_.d;
    return {power_of_two(static_cast<unsigned>(d.fraction_bits) + 2) - 1, d.largest_exponent(),
            -d.fraction_bits - 1};
  }
  Rational limit_value() const {
    const BinaryRational x = limit();
    return Rational(x.significand.range().low) *
           rational_power_of_two(formats_.d->largest_exponent() + x.offset);
  }

  Rational largest_of(std::size_t number) const {
    const bool is_c = number + 1 == numbers_.size();
    return is_c ? largest_value(*formats_.c)
                : Rational(largest_value(*formats_.a) * largest_value(*formats_.b));
  }

  /// True if all numbers are terms, none becomes larger in the sum, and each is exact if it is at
  /// least the limit minus the others.
  bool is_exact_at_the_limit(const ScaledSum& sum) {
    const LinearForm form = LinearForm::of(graph_, sum.units);
    std::map<std::size_t, LinearForm> parts;
    for (const auto& [node, factor] : form.terms) {
      const std::set<std::size_t> below = numbers_.below(node, {sum.exponent});
      if (below.size() != 1) return false;
      parts[*below.begin()].add(LinearForm::of(graph_, node), factor);
    }
    if (form.constant != 0 || parts.size() != numbers_.size()) return false;
    Rational of_all = 0;
    for (std::size_t i = 0; i < numbers_.size(); ++i) of_all += largest_of(i);
    return std::all_of(parts.begin(), parts.end(), [&](const auto& part) {
      const BinaryRational kept{Int::of(intern(graph_, part.second)), Int::of(sum.exponent),
                                sum.offset};
      return is_exact_from(kept, part.first, limit_value() - (of_all - largest_of(part.first)));
    });
  }

  bool is_exact_from(const BinaryRational& kept, std::size_t number, const Rational& least) {
    const BinaryRational& exact = numbers_[number].value;
    std::vector<NodeId> cut{kept.exponent.id()};
    for (NodeId n : graph_.cone({exact.significand.id()})) {
      if (graph_[n].op == Op::product) cut.push_back(n);
    }
    const LossFacts facts = facts_of(graph_, {kept.exponent.id()});
    const bool larger = !lemmas_.is_unsat(
        "a term becomes no larger",
        [&](const View& view) { return is_larger(view.of(kept), view.of(exact)); }, cut, facts);
    if (larger) return false;
    const auto differs = [&](const View& view) {
      return is_off_by_more(view.of(kept), view.of(exact), 0, 0);
    };
    if (least <= 0) return lemmas_.is_unsat("a term is exact", differs, cut, facts);
    const int from = floor_log2(least);
    return lemmas_.is_unsat(
        "a term is exact where it is large",
        [&](const View& view) {
          return differs(view) && leading_exponent(view.of(exact), from - 1) >= from;
        },
        cut, facts);
  }

  /// True if the sum is at least the limit whenever d is not finite.
  bool reaches_the_limit(const ScaledSum& sum) {
    const BinaryRational s{Int::of(sum.units), Int::of(sum.exponent), sum.offset};
    const Bool finite = unpack(*formats_.d, Int::of(run_.first)).is_finite();
    return lemmas_.is_excluded_by_lengths(
        "an infinite result is that of a sum at the limit",
        [&](const View& view) { return !view.of(finite) && is_larger(limit(), view.of(s)); },
        {sum.units, sum.exponent}, sum.units);
  }

  const DerivationGoal& run_;
  const DotFormats& formats_;
  Graph& graph_;
  LossLemmas lemmas_;
  ExactNumbers numbers_;
};

}  // namespace

std::optional<std::string> derive_no_early_overflow(const DerivationGoal& run,
                                                    const DotFormats& formats,
                                                    const Portfolio& solvers,
                                                    const Deadline& deadline,
                                                    std::vector<AttemptReport>& attempts) {
  const bool known =
      formats.scale == nullptr && formats.d->specials == Specials::ieee && !are_integers(formats);
  if (!known || run.samples.empty() || solvers.backends().empty()) return std::nullopt;
  Lemmas lemmas(solvers, deadline, attempts);
  const BuildBy by(deadline);
  try {
    // A comparison may not be buildable for the marked nodes.
    const Built<bool> holds =
        build_if_possible([&] { return OverflowDerivation(run, formats, lemmas).holds(); });
    if (!holds.value.value_or(false)) return std::nullopt;
  } catch (const OutOfTime&) {
    return std::nullopt;
  }
  return std::to_string(lemmas.asked()) + " lemmas about nodes of the run";
}

}  // namespace mmaspec
