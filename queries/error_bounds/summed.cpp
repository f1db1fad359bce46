#include "queries/error_bounds/summed.h"

#include <algorithm>
#include <map>
#include <set>

#include "queries/derive/term_graph.h"
#include "queries/error_bounds/largest_exponents.h"
#include "spec/lang/linear.h"

namespace mmaspec {
namespace {

constexpr int kFarthest = 1200;  // limit of the distance of an exponent above a leading bit

/// What a sum loses of one summand, in units of 2^(exponent + offset).
struct Loss {
  int low = 0;
  int high = 0;
  NodeId exponent = 0;
  int offset = 0;
  bool shrinks = false;
  std::optional<std::size_t> of = {};       ///< index of the number
  std::optional<NodeId> own = {};           ///< its member in the maximum that the exponent is
  std::optional<Integer> exact_until = {};  ///< it is exact if the exponent exceeds `own` by at
                                            ///< most this
  std::optional<Integer> exact_below = {};  ///< or if it exceeds the shared exponent by at most
                                            ///< this
};

class Summed {
 public:
  Summed(const ScaledSum& sum, const ExactNumbers& numbers, int least_exponent, LossLemmas& lemmas)
      : sum_(sum),
        numbers_(numbers),
        least_(least_exponent),
        lemmas_(lemmas),
        graph_(lemmas.graph()),
        members_(members_of(graph_, sum.exponent)),
        shared_(Int::of(intern(graph_, shared_exponent()))) {}

  std::optional<AlignmentError> cut() {
    if (!approximates(sum_)) return std::nullopt;
    const auto error = largest_error();
    if (!error) return std::nullopt;
    AlignmentError result{{terms_.begin(), terms_.end()}, *error, true};
    for (const Loss& l : losses_) result.only_shrinks = result.only_shrinks && l.shrinks;
    return result;
  }

 private:
  /// The part that the exponents of all numbers with a common part share: for scaled products, the
  /// exponents of their scale factors.
  LinearForm shared_exponent() const {
    const auto form_of = [&](std::size_t i) {
      LinearForm form = LinearForm::of(graph_, numbers_[i].value.exponent.id());
      form.constant = 0;
      return form;
    };
    const std::set<std::size_t> numbers = numbers_.below(sum_.units, {sum_.exponent});
    std::optional<LinearForm> shared;
    for (const std::size_t i : numbers) {
      LinearForm form = form_of(i);
      std::erase_if(form.terms, [&](const auto& term) {
        return std::none_of(numbers.begin(), numbers.end(), [&](std::size_t j) {
          const LinearForm other = form_of(j);
          return j != i && std::count(other.terms.begin(), other.terms.end(), term) > 0;
        });
      });
      if (form.terms.empty()) continue;
      if (!shared) {
        shared = form;
      } else {
        std::erase_if(shared->terms, [&](const auto& term) {
          return std::count(form.terms.begin(), form.terms.end(), term) == 0;
        });
      }
    }
    return shared.value_or(LinearForm());
  }

  /// Whether the number's exponent is the shared one plus other terms.
  bool has_shared(const Int exponent) const {
    const LinearForm form = LinearForm::of(graph_, exponent.id());
    const LinearForm shared = LinearForm::of(graph_, shared_.id());
    return std::all_of(shared.terms.begin(), shared.terms.end(), [&](const auto& term) {
      return std::count(form.terms.begin(), form.terms.end(), term) > 0;
    });
  }

  /// Bounds what the sum loses of each summand.
  bool approximates(const ScaledSum& sum) {
    const LinearForm form = LinearForm::of(graph_, sum.units);
    std::map<std::size_t, LinearForm> of_one;
    std::vector<std::pair<NodeId, Integer>> of_more;
    for (const auto& [node, factor] : form.terms) {
      const std::set<std::size_t> below = numbers_.below(node, {sum.exponent});
      if (below.size() == 1) {
        of_one[*below.begin()].add(LinearForm::of(graph_, node), factor);
      } else {
        of_more.emplace_back(node, factor);
      }
    }
    if (form.constant != 0) {
      if (boost::multiprecision::abs(form.constant) > kFarthest) return false;
      const int by = form.constant.convert_to<int>();
      // A unit may be smaller than its bound, so that an excess does not offset a loss.
      losses_.push_back({std::min(by, 0), std::max(by, 0), sum.exponent, sum.offset});
    }
    for (const auto& [number, own] : of_one) {
      if (!lose_of_number(own, sum, number)) return false;
    }
    return std::all_of(of_more.begin(), of_more.end(), [&](const auto& part) {
      LinearForm own = LinearForm::of(graph_, part.first);
      own.scale(part.second);
      return lose_of_sum(own, sum);
    });
  }

  static Stated differs(const BinaryRational& x, const BinaryRational& y) {
    return [=](const View& view) { return is_off_by_more(view.of(x), view.of(y), 0, 0); };
  }

  /// Extracts the largest factor 2^n of the units and returns n.
  static int take_places(LinearForm& units) {
    const Integer content = units.content();
    if (units.constant != 0 || content == 0) return 0;
    const unsigned places = trailing_zeros(content);
    for (auto& [node, factor] : units.terms) factor /= power_of_two(places);
    return static_cast<int>(places);
  }

  /// The summand depends on one number.
  bool lose_of_number(LinearForm own, const ScaledSum& sum, std::size_t number) {
    const int places = take_places(own);
    if (!terms_.insert(number).second) return false;  // it would be counted twice
    const BinaryRational kept{Int::of(intern(graph_, own)), Int::of(sum.exponent),
                              sum.offset + places};
    const BinaryRational& exact = numbers_[number].value;
    std::vector<NodeId> cut = products_below(graph_, {exact.significand.id()});
    cut.push_back(sum.exponent);
    // The product of the significands seldom matters.
    return lose_of_number(kept, exact, number, cut) ||
           (cut.size() > 1 && lose_of_number(kept, exact, number, {sum.exponent}));
  }

  bool lose_of_number(const BinaryRational& kept, const BinaryRational& exact, std::size_t number,
                      const std::vector<NodeId>& cut) {
    Loss loss{0, 0, kept.exponent.id(), kept.offset, true, number};
    std::vector<Member> own;  // the members that depend on the number only
    for (const Member& m : members_of(graph_, kept.exponent.id())) {
      if (m.node && numbers_.below(*m.node, {}) == std::set{number}) own.push_back(m);
    }
    LossFacts facts = facts_of(graph_, {kept.exponent.id()});
    if (own.size() == 1) {
      loss.own = value_of(own[0]).id();
      facts.largest = LargestOf{kept.exponent.id(), *own[0].node, own[0].offset};
    }
    if (lemmas_.is_unsat("a term is exact", differs(kept, exact), cut, facts)) {
      losses_.push_back(loss);
      return true;
    }
    if (!is_within_a_unit(loss, kept, exact, cut, facts)) return false;
    if (own.size() > 1) return false;
    if (loss.own) loss.exact_until = exact_until(loss, kept, exact, cut, facts);
    if (loss.exact_until && has_shared(exact.exponent)) {
      // A zero may count with any exponent, and it is exact.
      const Integer by_range = (Int::of(*loss.own) - shared_).range().low + *loss.exact_until;
      const Integer of_others = (exact.exponent - shared_).range().low + *loss.exact_until;
      const auto violated = [&](const View& view) {
        return differs(kept, exact)(view) && view.of(kept.exponent) - view.of(shared_) <= of_others;
      };
      const bool more =
          of_others > by_range &&
          lemmas_.is_unsat("a term is exact where the exponent is low", violated, cut, facts);
      loss.exact_below = more ? of_others : by_range;
    }
    losses_.push_back(loss);
    return true;
  }

  /// Tries the possible bounds of at most a unit, and keeps the first one that is proved.
  bool is_within_a_unit(Loss& loss, const BinaryRational& kept, const BinaryRational& exact,
                        const std::vector<NodeId>& cut, const LossFacts& facts) {
    for (const std::pair<int, int>& units : {std::pair{-1, 0}, {-1, 1}, {-2, 2}}) {
      if (!lemmas_.is_unsat(
              "a term loses no more than a unit",
              [&](const View& view) {
                return is_off_by_more(view.of(kept), view.of(exact), units.first, units.second);
              },
              cut, facts)) {
        continue;
      }
      loss.low = units.first;
      loss.high = units.second;
      loss.shrinks = lemmas_.is_unsat(
          "a term becomes no larger",
          [&](const View& view) { return is_larger(view.of(kept), view.of(exact)); }, cut, facts);
      return true;
    }
    return false;
  }

  /// The largest distance of the exponent above the number's own for which nothing is cut.
  std::optional<Integer> exact_until(const Loss& loss, const BinaryRational& kept,
                                     const BinaryRational& exact, const std::vector<NodeId>& cut,
                                     const LossFacts& facts) {
    const Stated cut_off = differs(kept, exact);
    const NodeId is_cut = cut_off({}).id();
    const Int above = Int::of(loss.exponent) - Int::of(*loss.own);
    const SimulationSignatures sampled = lemmas_.sampled({is_cut, above.id()});
    std::optional<Integer> least;
    for (std::size_t i = 0; i < sampled.values(is_cut).size(); ++i) {
      if (sampled.values(is_cut)[i] == 0) continue;
      const Integer& by = sampled.values(above.id())[i];
      least = std::min(least.value_or(by), by);
    }
    const Integer most = least ? Integer(*least - 1) : above.range().high;
    const auto holds = [&](const Integer& until) {
      return lemmas_.is_unsat(
          "a term is exact up to " + until.str() + " above its own exponent",
          [&](const View& view) {
            return cut_off(view) &&
                   view.of(Int::of(loss.exponent)) - view.of(Int::of(*loss.own)) <= until;
          },
          cut, facts);
    };
    // If it holds for one distance, it holds for smaller ones.
    if (most < 0) return std::nullopt;
    if (holds(most)) return most;
    // False statements are refuted quickly, true ones take long: search from above.
    Integer fails = std::min(most, Integer(kFarthest) + 1);
    Integer low = fails - 1;
    for (Integer step = 1; low >= 0 && !holds(low);
         low = std::max(Integer(low - step), Integer(-1))) {
      fails = low;
      step *= 2;
    }
    while (fails - low > 1) {
      const Integer middle = (low + fails) / 2;
      (holds(middle) ? low : fails) = middle;
    }
    return low < 0 ? std::nullopt : std::optional(low);
  }

  /// The summand is another sum, shifted.
  bool lose_of_sum(LinearForm own, const ScaledSum& sum) {
    const int places = take_places(own);
    const Int units = Int::of(intern(graph_, own));
    const std::optional<ScaledSum> lower = sum_below(units.id(), sum);
    if (!lower) return false;
    const BinaryRational kept{units, Int::of(sum.exponent), sum.offset + places};
    const BinaryRational whole{Int::of(lower->units), Int::of(lower->exponent), lower->offset};
    const std::vector<NodeId> cut{sum.exponent, lower->units, lower->exponent};
    const LossFacts facts = facts_of(graph_, {sum.exponent, lower->exponent});
    Loss loss{0, 0, sum.exponent, kept.offset, true};
    if (!lemmas_.is_unsat("a sum is exact", differs(kept, whole), cut, facts) &&
        !is_within_a_unit(loss, kept, whole, cut, facts)) {
      return false;
    }
    losses_.push_back(loss);
    return approximates(*lower);
  }

  /// The last sum of two or more numbers through which all numbers reach the node.
  std::optional<ScaledSum> sum_below(NodeId units, const ScaledSum& sum) const {
    std::optional<ScaledSum> last;
    for (const ScaledSum& s : sums_below(graph_, units, numbers_, lemmas_.samples())) {
      if (s.units != units && numbers_.below(units, {sum.exponent, s.units, s.exponent}).empty()) {
        last = s;
      }
    }
    return last;
  }

  /// The maximum over the members of the exponent, which equals one of them.
  std::optional<Rational> largest_error() {
    if (std::all_of(losses_.begin(), losses_.end(),
                    [](const Loss& l) { return l.low == 0 && l.high == 0; })) {
      return Rational(0);
    }
    std::vector<Integer> below;  // for each loss: the distance of its exponent below the sum's
    for (const Loss& l : losses_) {
      const auto by = distance_below(graph_, l.exponent, sum_.exponent);
      if (!by) return std::nullopt;
      below.push_back(*by);
    }
    std::set<Integer> limits;  // distances above the shared exponent up to which a summand is exact
    for (std::size_t i = 0; i < losses_.size(); ++i) {
      if (const auto limit = exact_up_to(losses_[i], below[i])) limits.insert(*limit);
    }
    std::optional<Rational> largest;
    std::optional<Integer> low;
    limits.insert((Int::of(sum_.exponent) - shared_).range().high);
    for (const Integer& high : limits) {
      for (const Member& m : members_) {
        const auto error = error_where(m, low, high, below);
        if (!error) return std::nullopt;
        largest = std::max(largest.value_or(0), *error);
      }
      low = high;
    }
    return largest;
  }

  /// Distance of the sum's exponent above the shared one.
  static std::optional<Integer> exact_up_to(const Loss& l, const Integer& below) {
    if (!l.exact_below) return std::nullopt;
    return *l.exact_below + below;
  }

  /// The error if this member is the exponent and exceeds the shared exponent by more than `low`
  /// and at most `high`.
  std::optional<Rational> error_where(const Member& m, const std::optional<Integer>& low,
                                      const Integer& high, const std::vector<Integer>& below) {
    const Range above_shared = (value_of(m) - shared_).range();
    if (above_shared.low > high || (low && above_shared.high <= *low)) return Rational(0);
    const auto unit = size_of_unit(m, low, high);
    if (!unit) return std::nullopt;
    Rational lowest = 0;  // lower bound, relative to the sum of the numbers
    Rational highest = 0;
    for (std::size_t i = 0; i < losses_.size(); ++i) {
      const Loss& l = losses_[i];
      const auto until = exact_up_to(l, below[i]);
      const bool is_own = m.node && l.own && is_member_of(l, m, below[i]);
      if ((until && high <= *until) || (is_own && l.exact_until)) continue;
      const int places = *unit + l.offset - below[i].convert_to<int>();
      // A summand that shrinks by at most a unit keeps its sign and loses at most itself.
      const bool keeps_sign = l.shrinks && l.of && l.low >= -1 && l.high <= 1;
      const Rational unit_of_loss = rational_power_of_two(places);
      const auto lost = [&](int units) {
        const Rational by_units = units * unit_of_loss;
        return keeps_sign ? std::min(by_units, numbers_[*l.of].size.value) : by_units;
      };
      lowest += lost(-l.low);
      highest += lost(l.high);
    }
    return std::max(lowest, highest);
  }

  /// Whether the member, as the sum's exponent, is the summand's own exponent.
  bool is_member_of(const Loss& l, const Member& m, const Integer& below) const {
    return value_of(m).id() == (Int::of(*l.own) + below).id();
  }

  /// The exponent of 2^(the member) in the unit of the numbers' sizes.
  std::optional<int> size_of_unit(const Member& m, const std::optional<Integer>& low,
                                  const Integer& high) {
    if (!m.node) return m.offset.convert_to<int>() - least_;
    const Int exponent = value_of(m);
    const std::set<std::size_t> numbers = numbers_.below(*m.node, {});
    if (numbers.size() != 1) return std::nullopt;
    const ExactNumber& number = numbers_[*numbers.begin()];
    const Int above = exponent - leading_exponent(number.value, least_);
    Bool counts = exponent - shared_ <= high;
    if (low) counts = counts && exponent - shared_ > *low;
    const SimulationSignatures sampled = lemmas_.sampled({above.id(), counts.id()});
    std::optional<Integer> most;
    for (std::size_t i = 0; i < sampled.values(above.id()).size(); ++i) {
      if (sampled.values(counts.id())[i] == 0) continue;
      const Integer& by = sampled.values(above.id())[i];
      most = std::max(most.value_or(by), by);
    }
    const auto holds = [&](const Integer& bound) {
      return lemmas_.is_unsat(
          "an exponent is no more than " + bound.str() + " above its number's leading bit",
          [&](const View& view) { return view.of(counts) && view.of(above) > bound; }, {});
    };
    // The least such bound: none is below the values in samples.
    Integer fails = most.value_or(0) - 1;
    Integer enough = fails + 1;
    for (Integer step = 1; !holds(enough); enough += step, step *= 2) {
      fails = enough;
      if (enough > kFarthest) return std::nullopt;
    }
    while (enough - fails > 1) {
      const Integer middle = fails + (enough - fails) / 2;
      (holds(middle) ? enough : fails) = middle;
    }
    return enough.convert_to<int>() + number.size.leading_exponent();
  }

  const ScaledSum sum_;
  const ExactNumbers& numbers_;
  const int least_;
  LossLemmas& lemmas_;
  Graph& graph_;
  const std::vector<Member> members_;
  const Int shared_;
  std::set<std::size_t> terms_;
  std::vector<Loss> losses_;
};

}  // namespace

std::optional<AlignmentError> cut_of(const ScaledSum& sum, const ExactNumbers& numbers,
                                     int least_exponent, LossLemmas& lemmas) {
  const Graph::Building building(lemmas.graph());
  return Summed(sum, numbers, least_exponent, lemmas).cut();
}

}  // namespace mmaspec
