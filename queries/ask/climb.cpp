#include "queries/ask/climb.h"

#include <algorithm>
#include <cmath>

#include "queries/ask/search.h"

namespace mmaspec {
namespace {

/// Number of points that climb in parallel. Lane i belongs to climber i modulo this number.
constexpr std::size_t kClimbers = 16;

/// Number of batches of drawn inputs. Climbing starts at the best of them.
constexpr std::size_t kDrawnBatches = 8;

/// Rounds without an improvement after which the search restarts.
constexpr int kPatience = 48;

/// Rounds between two draws of fresh inputs, and between two replacements of the worst climber by
/// the best.
constexpr int kFreshEvery = 8;
constexpr int kMoveEvery = 16;

/// Divisor of the number of rounds: if no inputs satisfy the conditions in 1/10 of all rounds, the
/// search ends.
constexpr std::size_t kShareWithoutAnyFit = 10;

/// Approximate cost of creating one operand, in operations of the batch evaluator.
constexpr std::size_t kMaking = 10;

class Climb {
 public:
  Climb(const Landscape& landscape, const Fitting& fitting, const Candidates& draw, unsigned seed)
      : landscape_(landscape),
        fitting_(fitting.reseeded(seed)),
        draw_(draw),
        random_(seed),
        products_(static_cast<std::size_t>(landscape.products)),
        relations_(fitting_.has_relations()),
        evaluator_(*landscape.graph, roots(landscape)),
        lanes_(lanes_at_once(landscape.graph->inputs().size())),
        rows_(landscape.graph->inputs().size(), lanes_),
        fresh_(rows_.rows(), lanes_),
        results_(landscape.conditions.size() + 2, lanes_),
        at_(rows_.rows() * kClimbers),
        heights_(kClimbers, -1) {
    for (const Format* f : landscape.of) ordinals_.emplace_back(*f);
  }

  std::optional<InputValues> run(const std::vector<InputValues>& starts, std::size_t work,
                                 const Deadline& deadline) {
    const std::size_t each = evaluator_.operations() + kMaking * rows_.rows();
    std::size_t rounds = std::max<std::size_t>(work / each / lanes_, 2 * kDrawnBatches);
    const auto is_over = [&] { return rounds == 0 || std::isinf(best_) || deadline.passed(); };
    // If no candidate satisfies the conditions in this many rounds, solvers are faster at finding
    // one.
    const std::size_t enough = rounds - rounds / kShareWithoutAnyFit;
    const auto nothing_fits = [&] {
      return rounds < enough && *std::max_element(heights_.begin(), heights_.end()) < 0;
    };
    for (bool first = true; first || !(is_over() || nothing_fits()); first = false) {
      begin(first ? starts : std::vector<InputValues>(), rounds, deadline);
      int idle = 0;
      for (int round = 1; idle < kPatience && !is_over(); ++round) {
        --rounds;
        const bool all_stand = *std::min_element(heights_.begin(), heights_.end()) >= 0;
        if (!all_stand || round % kFreshEvery == 0) draw_(fresh_);
        if (round % kMoveEvery == 0) move_worst_to_best();
        const double before = *std::max_element(heights_.begin(), heights_.end());
        make_children(round);
        evaluator_.evaluate(rows_, results_, scratch_);
        take_higher();
        idle = *std::max_element(heights_.begin(), heights_.end()) > before ? 0 : idle + 1;
      }
    }
    if (best_ <= 0) return std::nullopt;
    return best_inputs_;
  }

 private:
  static std::vector<NodeId> roots(const Landscape& l) {
    std::vector<NodeId> all = l.conditions;
    all.push_back(l.d_first);
    all.push_back(l.d_second);
    return all;
  }

  /// Sets each climber to the best of its drawn inputs. The first lanes are those of `starts`.
  void begin(const std::vector<InputValues>& starts, std::size_t& rounds,
             const Deadline& deadline) {
    std::fill(heights_.begin(), heights_.end(), -1);
    for (std::size_t i = 0; i < kDrawnBatches && rounds > 0 && (i == 0 || !deadline.passed());
         ++i) {
      --rounds;
      draw_(fresh_);
      for (std::size_t r = 0; r < rows_.rows(); ++r) std::copy_n(fresh_[r], lanes_, rows_[r]);
      for (std::size_t s = 0; i == 0 && s < std::min(starts.size(), kClimbers); ++s) {
        for (std::size_t r = 0; r < rows_.rows(); ++r) {
          rows_[r][s] = starts[s][r].convert_to<std::uint64_t>();
        }
      }
      evaluator_.evaluate(rows_, results_, scratch_);
      take_higher();
    }
  }

  double height(std::size_t lane) const {
    const std::size_t conditions = landscape_.conditions.size();
    for (std::size_t c = 0; c < conditions; ++c) {
      if (results_[c][lane] == 0) return -1;
    }
    return landscape_.height(results_[conditions][lane], results_[conditions + 1][lane]);
  }

  /// A climber moves to the highest of its lanes. It moves to one of equal height with probability
  /// 1/2, which lets it cross plateaus.
  void take_higher() {
    std::vector<double> highest(kClimbers, -1);
    std::vector<std::size_t> lane_of(kClimbers, 0);
    for (std::size_t lane = 0; lane < lanes_; ++lane) {
      const std::size_t i = lane % kClimbers;
      const double h = height(lane);
      if (h > highest[i] || (h == highest[i] && h >= 0 && random_.one_in(4))) {
        highest[i] = h;
        lane_of[i] = lane;
      }
    }
    for (std::size_t i = 0; i < kClimbers; ++i) {
      if (highest[i] < 0 || highest[i] < heights_[i]) continue;
      if (highest[i] == heights_[i] && random_.one_in(2)) continue;
      heights_[i] = highest[i];
      for (std::size_t r = 0; r < rows_.rows(); ++r) {
        at_[r * kClimbers + i] = rows_[r][lane_of[i]];
      }
      if (heights_[i] <= best_) continue;
      best_ = heights_[i];
      best_inputs_.clear();
      for (std::size_t r = 0; r < rows_.rows(); ++r) {
        best_inputs_.emplace_back(at_[r * kClimbers + i]);
      }
    }
  }

  void move_worst_to_best() {
    const auto [worst, best] = std::minmax_element(heights_.begin(), heights_.end());
    const auto from = static_cast<std::size_t>(best - heights_.begin());
    const auto to = static_cast<std::size_t>(worst - heights_.begin());
    for (std::size_t r = 0; r < rows_.rows(); ++r) {
      at_[r * kClimbers + to] = at_[r * kClimbers + from];
    }
    *worst = *best;
  }

  void make_children(int round) {
    for (std::size_t r = 0; r < rows_.rows(); ++r) {
      for (std::size_t lane = 0; lane < lanes_; lane += kClimbers) {
        std::copy_n(at_.begin() + static_cast<std::ptrdiff_t>(r * kClimbers), kClimbers,
                    rows_[r] + lane);
      }
    }
    for (std::size_t lane = 0; lane < lanes_; ++lane) {
      if (heights_[lane % kClimbers] < 0) {
        for (std::size_t r = 0; r < rows_.rows(); ++r) rows_[r][lane] = fresh_[r][lane];
        continue;
      }
      const int changes = random_.one_in(2) ? 1 : 1 + random_.below(4);
      for (int i = 0; i < changes; ++i) change(lane);
    }
    if (relations_ && round % 2 == 0) fitting_.put_in(rows_);
  }

  std::int64_t at(std::size_t row, std::size_t lane) const {
    return ordinals_[row].of(rows_[row][lane]);
  }
  /// Sets the operand to the allowed value nearest to x.
  void put(std::size_t row, std::size_t lane, std::int64_t x) {
    const Ordinals& o = ordinals_[row];
    x = std::clamp(x, o.least(), o.most());
    const OperandSet* set = relations_ ? nullptr : fitting_.set(row);
    rows_[row][lane] = o.pattern(set == nullptr ? x : set->nearest(x));
  }
  std::int64_t signed_step(std::int64_t step) { return random_.one_in(2) ? step : -step; }

  /// A random operand. c is chosen more often because it has more influence.
  std::size_t some_operand() {
    return random_.one_in(6) ? 2 * products_ : random_.index(rows_.rows());
  }

  void change(std::size_t lane) {
    const std::size_t row = some_operand();
    const Ordinals& o = ordinals_[row];
    switch (random_.below(12)) {
      case 0:
      case 1:
      case 2: {  // change one bit of the fraction, with carries
        const int places = o.used_bits() - (o.has_sign() ? 1 : 0);
        return put(row, lane,
                   at(row, lane) + signed_step(std::int64_t{1} << random_.below(places)));
      }
      case 3:  // move by a few binades
        return put(row, lane, at(row, lane) + signed_step(o.binade() * (1 + random_.below(3))));
      case 4:  // draw a new operand
        return put(row, lane, ordinals_[row].of(fresh_[row][random_.index(lanes_)]));
      case 5: {  // copy the operand of another product, or its negative
        const std::size_t other = of_same_kind(row);
        const std::int64_t x = at(other, lane);
        return put(row, lane, o.has_sign() && random_.one_in(3) ? -1 - x : x);
      }
      case 6: {  // exchange two products
        const std::size_t k = random_.index(products_);
        const std::size_t to = random_.index(products_);
        exchange(k, to, lane);
        return exchange(products_ + k, products_ + to, lane);
      }
      case 7:
        return put(row, lane, o.has_sign() ? -1 - at(row, lane) : 0);
      case 8: {  // draw a new product, or copy another climber's
        const std::size_t k = random_.index(products_);
        const std::size_t from = random_.index(products_);
        const std::size_t of = random_.one_in(2) ? random_.index(kClimbers) : kClimbers;
        const std::size_t drawn = random_.index(lanes_);
        for (const std::size_t side : {std::size_t{0}, products_}) {
          const std::uint64_t pattern =
              of < kClimbers ? at_[(side + from) * kClimbers + of] : fresh_[side + from][drawn];
          put(side + k, lane, ordinals_[side + k].of(pattern));
        }
        return;
      }
      case 9: {  // move all factors of one side by a binade
        const std::size_t side = random_.one_in(2) ? 0 : products_;
        const std::int64_t step = signed_step(ordinals_[side].binade());
        for (std::size_t k = 0; k < products_; ++k) {
          const std::int64_t x = at(side + k, lane);
          put(side + k, lane, x < 0 ? x - step : x + step);
        }
        return;
      }
      case 10:  // change the last bits
        return put(row, lane, at(row, lane) + signed_step(1 + random_.below(3)));
      default: {  // an end of the operand's set, or zero
        const OperandSet* set = fitting_.set(row);
        if (set == nullptr || random_.one_in(2)) return put(row, lane, 0);
        const OrdinalRange& r = set->ranges()[random_.index(set->ranges().size())];
        return put(row, lane, random_.one_in(2) ? r.low : r.high);
      }
    }
  }

  std::size_t of_same_kind(std::size_t row) {
    if (row < products_) return random_.index(products_);
    if (row < 2 * products_) return products_ + random_.index(products_);
    return row;
  }

  void exchange(std::size_t row, std::size_t other, std::size_t lane) {
    const std::int64_t x = at(row, lane);
    put(row, lane, at(other, lane));
    put(other, lane, x);
  }

  const Landscape& landscape_;
  Fitting fitting_;
  Candidates draw_;
  SplitMix random_;
  const std::size_t products_;
  const bool relations_;
  std::vector<Ordinals> ordinals_;
  BatchEvaluator evaluator_;
  BatchEvaluator::Scratch scratch_;
  const std::size_t lanes_;
  Lanes rows_;
  Lanes fresh_;
  Lanes results_;
  std::vector<std::uint64_t> at_;  ///< kClimbers values for each operand
  std::vector<double> heights_;    ///< of the climbers; negative: the conditions fail
  double best_ = 0;
  InputValues best_inputs_;
};

}  // namespace

std::optional<InputValues> climb(const Landscape& landscape, const Fitting& fitting,
                                 const Candidates& draw, const std::vector<InputValues>& starts,
                                 unsigned seed, std::size_t work, const Deadline& deadline) {
  return Climb(landscape, fitting, draw, seed).run(starts, work, deadline);
}

}  // namespace mmaspec
