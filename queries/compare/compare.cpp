#include "queries/compare/compare.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <stdexcept>

#include "queries/compare/doubles.h"
#include "queries/numbers/difference.h"
#include "util/deadline.h"

namespace mmaspec {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void require_same(const char* operand, const Format* x, const Format* y) {
  const auto name = [](const Format* f) { return f == nullptr ? "nothing" : std::string(f->name); };
  if (name(x) == name(y)) return;
  throw std::invalid_argument(std::string(operand) + " is " + name(x) + " in one and " + name(y) +
                              " in the other: no matrices are operands of both");
}

/// Sums of magnitudes of elements' terms.
class Magnitudes {
 public:
  explicit Magnitudes(const DotFormats& f)
      : a_(*f.a),
        b_(*f.b),
        c_(*f.c),
        scale_(f.scale == nullptr ? *f.a : *f.scale),
        block_(static_cast<std::size_t>(f.scale == nullptr ? 0 : f.scale_block)) {}

  double operator()(const MatrixOperands& in, std::size_t row, std::size_t column) const {
    double sum = std::abs(c_(pattern_at(in.c, row, column)));
    for (std::size_t k = 0; k < in.a.columns; ++k) {
      double term = a_(pattern_at(in.a, row, k)) * b_(pattern_at(in.b, k, column));
      if (block_ > 0) {
        term *= scale_(pattern_at(in.scale_a, row, k / block_)) *
                scale_(pattern_at(in.scale_b, k / block_, column));
      }
      sum += std::abs(term);
    }
    return sum;
  }

 private:
  Doubles a_;
  Doubles b_;
  Doubles c_;
  Doubles scale_;
  std::size_t block_;
};

/// How far apart the two results of an element are; beyond any ulp before all others.
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

/// The exponent of the least power of two that is at least the number.
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

}  // namespace

Instruction for_matrices(const Instruction& instruction, std::size_t k) {
  const auto own = static_cast<std::size_t>(instruction.formats.k);
  const std::size_t steps = std::max<std::size_t>(1, (k + own - 1) / own);
  constexpr std::size_t kMost = std::size_t{1} << 30;
  if (steps > kMost / own) throw std::invalid_argument("K = " + std::to_string(k) + " is too long");
  return chained(instruction, static_cast<int>(steps * own));
}

Pair pair_for_matrices(const Instruction& first, const Instruction& second, std::size_t k) {
  const DotFormats& x = first.formats;
  const DotFormats& y = second.formats;
  require_same("a", x.a, y.a);
  require_same("b", x.b, y.b);
  require_same("c", x.c, y.c);
  require_same("the scale factor", x.scale, y.scale);
  if (x.scale_block != y.scale_block) {
    throw std::invalid_argument("their scale factors serve blocks of " +
                                std::to_string(x.scale_block) + " and " +
                                std::to_string(y.scale_block) + " products");
  }
  Pair pair{for_matrices(first, k), for_matrices(second, k), ""};
  for (const auto& [own, whole] : {std::pair(&first, &pair.first), {&second, &pair.second}}) {
    if (own->formats.k == whole->formats.k) continue;
    pair.note += (pair.note.empty() ? "" : "; ") + own->name() + " runs " +
                 std::to_string(whole->formats.k / own->formats.k) +
                 " times, each result the next c";
  }
  return pair;
}

Comparison compare_matrices(const Instruction& first, const Instruction& second,
                            const std::vector<ComparedProduct>& products,
                            const CompareOptions& options) {
  Comparison result;
  const std::size_t k = products.empty() ? 0 : products.front().operands.a.columns;
  const Pair pair = pair_for_matrices(first, second, k);
  result.first = pair.first;
  result.second = pair.second;
  result.note = pair.note;
  result.products = products.size();
  std::vector<MatrixTask> tasks_first;
  std::vector<MatrixTask> tasks_second;
  for (const ComparedProduct& p : products) {
    tasks_first.push_back({p.operands, p.d_first});
    tasks_second.push_back({p.operands, p.d_second});
  }
  MatrixRunner(pair.first.algorithm, pair.first.formats).run(tasks_first, options.threads);
  MatrixRunner(pair.second.algorithm, pair.second.formats).run(tasks_second, options.threads);

  const Format& fx = *pair.first.formats.d;
  const Format& fy = *pair.second.formats.d;
  const Doubles value_x(fx);
  const Doubles value_y(fy);
  const Magnitudes magnitude(pair.first.formats);
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
    for (std::size_t row = 0; row < dx.rows; ++row) {
      if (work_is_stopped()) throw OutOfTime();
      for (std::size_t column = 0; column < dx.columns; ++column) {
        const std::uint64_t x = pattern_at(dx, row, column);
        const std::uint64_t y = pattern_at(dy, row, column);
        if (x == y && fx == fy) continue;
        if (!differ(Difference{}, fx, Integer(x), fy, Integer(y))) continue;
        ++result.differing;
        Apart apart{ulp_distance(fx, x, fy, y), kInfinity, p, row, column};
        if (apart.ulp) {
          const Integer ulp = *apart.ulp == 0 ? Integer(1) : *apart.ulp;  // less than one, of two
          ++counts[bin_of(ulp)];
          result.largest_ulp = std::max(result.largest_ulp, *apart.ulp);
        } else {
          ++result.beyond_ulp;
        }
        const double difference = std::abs(value_x(x) - value_y(y));
        const double whole = magnitude(products[p].operands, row, column);
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
