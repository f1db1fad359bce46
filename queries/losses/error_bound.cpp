#include "queries/losses/error_bound.h"

#include <algorithm>
#include <set>

#include "queries/losses/summed.h"
#include "spec/formats/unpack.h"
#include "spec/lang/bounds.h"

namespace mmaspec {
namespace {

class ErrorDerivation {
 public:
  ErrorDerivation(const Claimed& run, const DotFormats& formats, Lemmas& lemmas)
      : run_(run),
        formats_(formats),
        graph_(run.graph),
        lemmas_(run, premises_of_inputs(), lemmas),
        numbers_(run.graph) {}

  std::optional<Rational> in_ulp() {
    const Graph::Building building(graph_);
    numbers_.add_operands(formats_, of_one_term());
    const std::vector<NodeId> patterns = patterns_on_the_way();
    for (NodeId p : patterns) {
      if (!is_finite_where_d_is(p)) return std::nullopt;
    }
    for (NodeId p : patterns) {
      if (!add_pattern(p)) return std::nullopt;
    }
    if (!add_pattern(run_.first)) return std::nullopt;
    // d is the sum of all terms, and of nothing twice.
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

  /// What is less than twice the unit of sizes: the largest power of two that no term is below.
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

  /// Whatever the arithmetic before it makes: what is neither finite nor a number stays so.
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
    const bool proved = lemmas_.is_excluded(
        "a pattern on the way is finite",
        [&](const View& view) { return view.of(finite_d) && !view.of(finite); }, arithmetic);
    if (proved) lemmas_.keep(finite);
    return proved;
  }

  /// What the pattern stands for, and how far it lies from what it is a sum of.
  bool add_pattern(NodeId pattern) {
    for (const SumOfNumbers& sum : sums_before(pattern)) {
      const auto cut = cut_of(sum, numbers_, formats_.d->least_exponent(), lemmas_);
      if (!cut) continue;
      Magnitude size;
      Rational error = cut->error;
      for (std::size_t i : cut->terms) {
        if (is_used_.contains(i)) return false;
        size = size + numbers_[i].size;
        error += numbers_[i].error;
      }
      if (!cut->only_shrinks) size = size + cut->error;
      const auto rounded = rounded_by(pattern, sum);
      if (!rounded) continue;
      for (std::size_t i : cut->terms) is_used_.insert(i);
      const Rational lost = rational_power_of_two(size.leading_exponent() - rounded->places);
      if (!rounded->shrinks) size = size + lost;
      numbers_.add({pattern_value(pattern), {pattern}, size, error + lost});
      lemmas_.free(pattern);
      return true;
    }
    return false;
  }

  Scaled pattern_value(NodeId pattern) const {
    return scaled_number(*formats_.d, Int::of(pattern));
  }

  /// The sums that the pattern may be rounded from, the last one first.
  std::vector<SumOfNumbers> sums_before(NodeId pattern) const {
    std::vector<SumOfNumbers> all = sums_below(graph_, pattern, numbers_, lemmas_.samples());
    std::reverse(all.begin(), all.end());
    constexpr std::size_t kMost = 2;
    if (all.size() > kMost) all.resize(kMost, all.front());
    return all;
  }

  struct Rounded {
    int places;    ///< it errs by 2^-places times the sum's leading bit at most
    bool shrinks;  ///< and is no larger than the sum
  };

  std::optional<Rounded> rounded_by(NodeId pattern, const SumOfNumbers& sum) {
    const Scaled d = pattern_value(pattern);
    const Scaled s{Int::of(sum.units), Int::of(sum.exponent), sum.offset};
    const Bool finite = unpack(*formats_.d, Int::of(pattern)).is_finite();
    const std::vector<NodeId> cut = cut_beside(pattern, sum);
    const int least = formats_.d->least_exponent();
    const int most = formats_.d->fraction_bits + 1;
    for (int places = most; places > 0; --places) {
      const Stated violated = [&](const View& view) {
        return view.of(finite) && is_rounded_by_more(view.of(d), view.of(s), least, places);
      };
      const NodeId in_samples = violated({}).id();
      const std::vector<Integer> values = lemmas_.sampled({in_samples}).values(in_samples);
      if (std::any_of(values.begin(), values.end(), [](const Integer& x) { return x != 0; })) {
        continue;
      }
      if (!lemmas_.is_excluded_by_lengths("a sum is rounded", violated, cut, sum.units)) continue;
      const Stated grows = [&](const View& view) {
        return view.of(finite) && is_larger(view.of(d), view.of(s));
      };
      return Rounded{places, lemmas_.is_excluded_by_lengths("rounding makes no sum larger", grows,
                                                            cut, sum.units)};
    }
    return std::nullopt;
  }

  /// The sum, its exponent, and what the pattern is made of besides: none of it depends on them.
  std::vector<NodeId> cut_beside(NodeId pattern, const SumOfNumbers& sum) const {
    std::vector<NodeId> cut{sum.units, sum.exponent};
    const std::vector<NodeId> cone = graph_.cone({pattern});
    std::vector<bool> depends(graph_.size());
    for (NodeId n : cone) {
      depends[n] = n == sum.units || n == sum.exponent ||
                   std::any_of(graph_[n].args.begin(), graph_[n].args.end(),
                               [&](NodeId a) { return depends[a]; });
    }
    std::set<NodeId> seen{sum.units, sum.exponent};
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

  const Claimed& run_;
  const DotFormats& formats_;
  Graph& graph_;
  LossLemmas lemmas_;
  ExactNumbers numbers_;
  std::set<std::size_t> is_used_;
};

}  // namespace

std::optional<DerivedError> derive_error(const Claimed& run, const DotFormats& formats,
                                         const Portfolio& solvers, const Deadline& deadline,
                                         std::vector<AttemptReport>& attempts) {
  if (run.samples.empty() || solvers.backends().empty() || are_integers(formats)) {
    return std::nullopt;
  }
  Lemmas lemmas(solvers, deadline, attempts);
  const BuildBy by(deadline);
  try {
    const auto error = ErrorDerivation(run, formats, lemmas).in_ulp();
    if (!error) return std::nullopt;
    return DerivedError{*error, lemmas.asked()};
  } catch (const OutOfTime&) {
    return std::nullopt;
  } catch (const std::logic_error&) {
    return std::nullopt;  // a comparison cannot be built for what the text marks
  }
}

}  // namespace mmaspec
