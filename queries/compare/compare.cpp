#include "queries/compare/compare.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <stdexcept>

#include "concrete/device/runner.h"
#include "queries/compare/doubles.h"
#include "queries/values/distance.h"
#include "queries/values/ordinals.h"
#include "util/deadline.h"

namespace mmaspec {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void require_same(const char* operand, const Format* x, const Format* y) {
  const auto name = [](const Format* f) { return f == nullptr ? "nothing" : std::string(f->name); };
  if (name(x) == name(y)) return;
  throw std::invalid_argument(std::string(operand) + " is " + name(x) + " in one and " + name(y) +
                              " in the other: no matrix can be an operand of both");
}

/// |c| + sum |a[k] b[k]| of each element of one product, scale factors included. Rows are computed
/// on demand, several at once, so that each value of B serves all of them.
class Magnitudes {
 public:
  Magnitudes(const DotFormats& f, const MatrixOperands& in)
      : in_(in), a_(*f.a), b_(*f.b), c_(*f.c), block_(static_cast<std::size_t>(f.scale_block)) {
    if (f.scale != nullptr) scale_.emplace(*f.scale);
  }

  double operator()(std::size_t row, std::size_t column) {
    if (row < first_ || row >= end_) compute(row);
    return sums_[(row - first_) * in_.b.columns + column];
  }

 private:
  static constexpr std::size_t kRowsAtOnce = 8;

  double factor(const PatternView& factors, std::size_t row, std::size_t column) const {
    return scale_ ? (*scale_)(pattern_at(factors, row, column)) : 1;
  }

  void read_b() {
    magnitudes_b_.resize(in_.b.rows * in_.b.columns);
    double* at = magnitudes_b_.data();
    for (std::size_t k = 0; k < in_.b.rows; ++k) {
      for (std::size_t column = 0; column < in_.b.columns; ++column) {
        const double scale = scale_ ? factor(in_.scale_b, k / block_, column) : 1;
        *at++ = std::abs(b_(pattern_at(in_.b, k, column)) * scale);
      }
    }
  }

  void compute(std::size_t row) {
    const std::size_t columns = in_.b.columns;
    if (magnitudes_b_.empty()) read_b();
    first_ = row;
    end_ = std::min(row + kRowsAtOnce, in_.a.rows);
    sums_.resize(kRowsAtOnce * columns);
    for (std::size_t r = first_; r < end_; ++r) {
      for (std::size_t column = 0; column < columns; ++column) {
        sums_[(r - first_) * columns + column] = std::abs(c_(pattern_at(in_.c, r, column)));
      }
    }
    for (std::size_t k = 0; k < in_.a.columns; ++k) {
      const double* const terms = magnitudes_b_.data() + k * columns;
      for (std::size_t r = first_; r < end_; ++r) {
        const double scale = scale_ ? factor(in_.scale_a, r, k / block_) : 1;
        const double a = std::abs(a_(pattern_at(in_.a, r, k)) * scale);
        double* const sums = sums_.data() + (r - first_) * columns;
        for (std::size_t column = 0; column < columns; ++column) sums[column] += a * terms[column];
      }
    }
  }

  const MatrixOperands& in_;
  Doubles a_;
  Doubles b_;
  Doubles c_;
  std::optional<Doubles> scale_;
  std::size_t block_;
  std::vector<double> magnitudes_b_;  ///< magnitudes of B, K x N; empty until needed
  std::vector<double> sums_;          ///< for rows first_ .. end_ - 1
  std::size_t first_ = 0;
  std::size_t end_ = 0;
};

/// Whether two results of a product differ, and by how many ulp.
class ResultDistance {
 public:
  ResultDistance(const Format& first, const Format& second)
      : first_(first), second_(second), value_first_(first), value_second_(second) {
    if (first == second && first.specials == Specials::ieee && !first.is_integer()) {
      ordinals_.emplace(first);
    }
  }

  double first(std::uint64_t pattern) const { return value_first_(pattern); }
  double second(std::uint64_t pattern) const { return value_second_(pattern); }

  bool differ(std::uint64_t x, std::uint64_t y) const {
    if (!ordinals_) return mmaspec::differ({}, first_, Integer(x), second_, Integer(y));
    if (x == y) return false;
    const double u = value_first_(x);
    const double v = value_second_(y);
    return std::isnan(u) ? !std::isnan(v) : u != v;
  }

  /// As ulp_distance().
  std::optional<Integer> ulp(std::uint64_t x, std::uint64_t y) const {
    if (!ordinals_) return ulp_distance(first_, x, second_, y);
    if (std::isnan(value_first_(x)) || std::isnan(value_second_(y))) return std::nullopt;
    const std::int64_t u = place(x);
    const std::int64_t v = place(y);
    const auto low = static_cast<std::uint64_t>(std::min(u, v));
    return Integer(static_cast<std::uint64_t>(std::max(u, v)) - low);
  }

  /// Whether |x - y| exceeds the tolerance, for different x and y.
  bool exceeds(const Tolerance& tolerance, std::uint64_t x, std::uint64_t y) const {
    const double u = value_first_(x);
    const double v = value_second_(y);
    if (!std::isfinite(u) || !std::isfinite(v)) return true;
    const double apart = std::abs(u - v);
    const double allowed =
        tolerance.atol.convert_to<double>() + tolerance.rtol.convert_to<double>() * std::abs(u);
    // Doubles decide if their rounding errors cannot affect the answer.
    constexpr double kTiny = 0x1p-900;
    constexpr double kNear = 0x1p-40;
    if (apart > kTiny && allowed > kTiny && std::isfinite(apart) && std::isfinite(allowed)) {
      if (apart > allowed * (1 + kNear)) return true;
      if (apart < allowed * (1 - kNear)) return false;
    }
    const Rational exact_first = decode(first_, x).value();
    const Rational exact_second = decode(second_, y).value();
    return abs(Rational(exact_first - exact_second)) >
           tolerance.atol + tolerance.rtol * abs(exact_first);
  }

 private:
  /// The index on the number line, where -0 equals +0.
  std::int64_t place(std::uint64_t pattern) const {
    const std::int64_t ordinal = ordinals_->of(pattern);
    return ordinal < 0 ? ordinal + 1 : ordinal;
  }

  const Format& first_;
  const Format& second_;
  Doubles value_first_;
  Doubles value_second_;
  std::optional<Ordinals> ordinals_;  ///< set if both formats are the same IEEE format
};

/// The distance between the two results of an element; an undefined distance is larger than all
/// others.
struct Apart {
  std::optional<Integer> ulp;
  double relative;
  std::size_t product;
  std::size_t row;
  std::size_t column;
};

bool is_worse(WorstBy by, const Apart& x, const Apart& y) {
  const auto by_ulp = [](const Apart& u, const Apart& v) {
    if (u.ulp.has_value() != v.ulp.has_value()) return u.ulp.has_value() ? 1 : -1;
    return !u.ulp || *u.ulp == *v.ulp ? 0 : *u.ulp > *v.ulp ? -1 : 1;
  };
  const auto by_relative = [](const Apart& u, const Apart& v) {
    return u.relative == v.relative ? 0 : u.relative > v.relative ? -1 : 1;
  };
  const int ulp = by_ulp(x, y);
  const int relative = by_relative(x, y);
  const int primary = by == WorstBy::ulp ? ulp : relative;
  return (primary != 0 ? primary : by == WorstBy::ulp ? relative : ulp) < 0;
}

/// The exponent of the least power of two that is at least `ulp`.
unsigned bin_of(const Integer& ulp) { return ulp == 1 ? 0 : bit_length(Integer(ulp - 1)); }

std::vector<UlpBin> bins_of(const std::map<unsigned, std::size_t>& counts) {
  std::vector<UlpBin> bins;
  if (counts.empty()) return bins;
  for (unsigned i = 0; i <= counts.rbegin()->first; ++i) {
    const auto at = counts.find(i);
    bins.push_back({i == 0 ? Integer(1) : Integer(power_of_two(i - 1) + 1), power_of_two(i),
                    at == counts.end() ? 0 : at->second});
  }
  return bins;
}

/// `whole`: the instruction with the K of the matrices.
void run(const Instruction& own, const Instruction& whole, const std::vector<MatrixTask>& tasks,
         const CompareOptions& options) {
  if (options.device != nullptr) {
    device::DeviceRunner(options.device, own.algorithm, own.formats, own.name()).run(tasks);
  } else {
    MatrixRunner(whole.algorithm, whole.formats).run(tasks, options.threads);
  }
}

}  // namespace

Pair pair_for_matrices(const Instruction& first, const Instruction& second, std::size_t k) {
  const DotFormats& x = first.formats;
  const DotFormats& y = second.formats;
  require_same("a", x.a, y.a);
  require_same("b", x.b, y.b);
  require_same("c", x.c, y.c);
  require_same("the scale factor", x.scale, y.scale);
  if (x.scale_block != y.scale_block) {
    throw std::invalid_argument("the units' scale factors apply to blocks of " +
                                std::to_string(x.scale_block) + " and " +
                                std::to_string(y.scale_block) + " products");
  }
  Pair pair{for_matrices(first, k), for_matrices(second, k), ""};
  for (const auto& [own, whole] : {std::pair(&first, &pair.first), {&second, &pair.second}}) {
    const std::size_t length = std::min<std::size_t>(k, static_cast<std::size_t>(whole->formats.k));
    const std::string note = k == 0 ? "" : length_note(*own, static_cast<int>(length));
    if (!note.empty()) pair.note += (pair.note.empty() ? "" : "; ") + note;
  }
  return pair;
}

Comparison compare_matrices(const Instruction& first, const Instruction& second,
                            const std::vector<ComparedProduct>& products,
                            const CompareOptions& options) {
  const std::size_t k = products.empty() ? 0 : products.front().operands.a.columns;
  const Pair pair = pair_for_matrices(first, second, k);
  std::vector<MatrixTask> tasks_first;
  std::vector<MatrixTask> tasks_second;
  for (const ComparedProduct& p : products) {
    tasks_first.push_back({p.operands, p.d_first});
    tasks_second.push_back({p.operands, p.d_second});
  }
  run(first, pair.first, tasks_first, options);
  run(second, pair.second, tasks_second, options);
  return compare_results(pair, products, options);
}

Comparison compare_results(const Pair& pair, const std::vector<ComparedProduct>& products,
                           const CompareOptions& options) {
  Comparison result;
  result.first = pair.first;
  result.second = pair.second;
  result.note = pair.note;
  result.tolerance = options.tolerance;
  result.products = products.size();
  const ResultDistance distance(*pair.first.formats.d, *pair.second.formats.d);
  const auto view = [](const PatternSpan& s) {
    return PatternView{s.data, s.bytes, s.rows, s.columns, s.row_step, s.column_step};
  };
  std::map<unsigned, std::size_t> counts;
  std::vector<Apart> worst;
  const auto worse = [&](const Apart& x, const Apart& y) { return is_worse(options.by, x, y); };
  double total = 0;
  for (std::size_t p = 0; p < products.size(); ++p) {
    const PatternView dx = view(products[p].d_first);
    const PatternView dy = view(products[p].d_second);
    result.elements += dx.rows * dx.columns;
    Magnitudes magnitude(pair.first.formats, products[p].operands);
    for (std::size_t row = 0; row < dx.rows; ++row) {
      if (work_is_stopped()) throw OutOfTime();
      for (std::size_t column = 0; column < dx.columns; ++column) {
        const std::uint64_t x = pattern_at(dx, row, column);
        const std::uint64_t y = pattern_at(dy, row, column);
        if (!distance.differ(x, y)) continue;
        ++result.differing;
        if (options.tolerance && distance.exceeds(*options.tolerance, x, y)) ++result.exceeding;
        Apart apart{distance.ulp(x, y), kInfinity, p, row, column};
        if (apart.ulp) {
          const Integer ulp = *apart.ulp == 0 ? Integer(1) : *apart.ulp;  // less than one ulp, for
                                                                          // two formats
          ++counts[bin_of(ulp)];
          result.largest_ulp = std::max(result.largest_ulp, *apart.ulp);
        } else {
          ++result.beyond_ulp;
        }
        const double difference = std::abs(distance.first(x) - distance.second(y));
        const double whole = magnitude(row, column);
        if (std::isfinite(difference) && std::isfinite(whole) && whole > 0) {
          apart.relative = difference / whole;
          total += apart.relative;
          result.largest_relative = std::max(result.largest_relative, apart.relative);
        }
        if (worst.size() >= options.worst && (worst.empty() || !worse(apart, worst.back()))) {
          continue;
        }
        worst.insert(std::upper_bound(worst.begin(), worst.end(), apart, worse), apart);
        if (worst.size() > options.worst) worst.pop_back();
      }
    }
  }
  result.bins = bins_of(counts);
  const std::size_t measured = result.elements - result.beyond_ulp;
  result.mean_relative = measured == 0 ? 0 : total / static_cast<double>(measured);
  for (const Apart& w : worst) {
    const ComparedProduct& p = products[w.product];
    const Integer d_second = pattern_at(view(p.d_second), w.row, w.column);
    VectorRow row{pair.first.name(),
                  dot_values_at(p.operands, w.row, w.column, pair.first.formats),
                  Integer(pattern_at(view(p.d_first), w.row, w.column)),
                  "",
                  {},
                  ""};
    if (pair.first.formats.k == pair.second.formats.k) {
      row.other = pair.second.name();
      row.d_other = d_second;
      row.ulp = w.ulp ? w.ulp->str() : "inf";
    }
    result.worst.push_back(
        {w.product, w.row, w.column, std::move(row), d_second, w.ulp, w.relative});
  }
  return result;
}

}  // namespace mmaspec
