#include "queries/error_bounds/odd_sum.h"

#include <algorithm>
#include <set>

#include "queries/derive/term_graph.h"
#include "queries/error_bounds/largest_exponents.h"
#include "spec/lang/linear.h"

namespace mmaspec {
namespace {

struct TermOfNumber {
  BinaryRational kept;
  BinaryRational exact;
};

/// Both terms, if the sum consists of two numbers.
std::optional<std::vector<TermOfNumber>> terms_of(const ScaledSum& sum, const ExactNumbers& numbers,
                                                  const Graph& graph) {
  const LinearForm form = LinearForm::of(graph, sum.units);
  if (form.constant != 0 || form.terms.size() != 2) return std::nullopt;
  std::vector<TermOfNumber> terms;
  std::set<std::size_t> seen;
  for (const auto& [node, factor] : form.terms) {
    const std::set<std::size_t> below = numbers.below(node, {sum.exponent});
    if (below.size() != 1 || !seen.insert(*below.begin()).second) return std::nullopt;
    terms.push_back({{Int::of(node) * factor, Int::of(sum.exponent), sum.offset},
                     numbers[*below.begin()].value});
  }
  return terms;
}

Stated differs(const TermOfNumber& t) {
  return [t](const View& view) { return is_off_by_more(view.of(t.kept), view.of(t.exact), 0, 0); };
}

bool is_within_a_unit(const TermOfNumber& t, LossLemmas& lemmas) {
  // The product of the significands seldom matters.
  std::vector<NodeId> cut = products_below(lemmas.graph(), {t.exact.significand.id()});
  cut.push_back(t.kept.exponent.id());
  return lemmas.is_unsat(
      "a term loses no more than a unit",
      [&](const View& view) { return is_off_by_more(view.of(t.kept), view.of(t.exact), -1, 1); },
      cut, facts_of(lemmas.graph(), {t.kept.exponent.id()}));
}

}  // namespace

std::optional<int> bits_where_odd(const ScaledSum& sum, const ExactNumbers& numbers,
                                  LossLemmas& lemmas) {
  const Graph::Building building(lemmas.graph());
  const auto terms = terms_of(sum, numbers, lemmas.graph());
  if (!terms || !is_within_a_unit((*terms)[0], lemmas) || !is_within_a_unit((*terms)[1], lemmas)) {
    return std::nullopt;
  }
  const Stated first = differs((*terms)[0]);
  const Stated second = differs((*terms)[1]);
  const std::vector<NodeId> cut = products_below(
      lemmas.graph(), {(*terms)[0].exact.significand.id(), (*terms)[1].exact.significand.id()});

  const Int units = Int::of(sum.units);
  const Int length = bit_length(abs(units));
  if (!lemmas.is_unsat(
          "one of two terms is exact",
          [&](const View& view) { return first(view) && second(view); }, cut)) {
    return std::nullopt;
  }

  const NodeId inexact = (first({}) || second({})).id();
  const SimulationSignatures sampled = lemmas.sampled({inexact, length.id()});
  std::optional<Integer> least;
  for (std::size_t i = 0; i < sampled.values(inexact).size(); ++i) {
    if (sampled.values(inexact)[i] == 0) continue;
    const Integer& bits = sampled.values(length.id())[i];
    least = std::min(least.value_or(bits), bits);
  }
  const Integer most = least.value_or(length.range().high);
  // Samples may not contain the shortest sum.
  for (const int fewer : {0, 1, 2}) {
    const Integer bits = most - fewer;
    if (bits < 2) return std::nullopt;
    const auto is_odd_where = [&](const Stated& is_inexact) {
      const Stated violated = [&](const View& view) {
        const Int magnitude = abs(view.of(units));
        return is_inexact(view) && (!bit(magnitude, 0) || bit_length(magnitude) < bits);
      };
      return lemmas.is_unsat(
          "a sum that is not exact is odd, and of " + bits.str() + " bits or more", violated, cut);
    };
    if (is_odd_where(first) && is_odd_where(second)) return bits.convert_to<int>();
  }
  return std::nullopt;
}

bool has_even_ends(const ScaledSum& sum, const BinaryRational& d, Bool finite, int bits, int least,
                   int places, const std::vector<NodeId>& cut, LossLemmas& lemmas) {
  const Graph::Building building(lemmas.graph());
  const BinaryRational s{Int::of(sum.units), Int::of(sum.exponent), sum.offset};
  const auto violated = [&](const View& view) {
    const BinaryRational of_d = view.of(d);
    const BinaryRational of_s = view.of(s);
    const Int magnitude = abs(of_s.significand);
    const Int even = of_s.exponent + (of_s.offset + 1);  // exponent of two units
    const Bool odd = bit(magnitude, 0) && bit_length(magnitude) >= bits;
    const Bool d_is_even = of_d.significand == 0 || of_d.exponent + of_d.offset >= even;
    return view.of(finite) && odd && !(d_is_even && leading_exponent(of_s, least) - places >= even);
  };
  return lemmas.is_excluded_by_lengths("what an odd sum is rounded to is even", violated, cut,
                                       sum.units);
}

}  // namespace mmaspec
