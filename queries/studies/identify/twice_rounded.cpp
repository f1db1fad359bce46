// Draws sums of partial products that are rounded twice.
#include "queries/studies/identify/twice_rounded.h"

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

namespace mmaspec {
namespace {

/// Significands with a_bits and b_bits bits, and the sign of their product.
struct Factors {
  int a;
  int b;
  bool negative;
};

/// Parts of significands with their leading bits.
class Parts {
 public:
  Parts(const PartialProductDotAdd& design, SplitMix& random)
      : least_a_(1 << (design.a_bits - 1)), least_b_(1 << (design.b_bits - 1)), random_(random) {}

  /// At most `count` products whose sum is `target`; empty: none are found.
  std::vector<Factors> with_sum(int target, int count) {
    constexpr int kTries = 2000;
    for (int i = 0; i < kTries; ++i) {
      std::vector<Factors> all;
      int rest = target;
      while (!last(rest, all) && std::ssize(all) + 1 < count) {
        const int a = least_a_ + random_.below(least_a_);
        const int b = least_b_ + random_.below(least_b_);
        const bool negative = rest < 0 || (rest < least_a_ * least_b_ && random_.one_in(2));
        all.push_back({a, b, negative});
        rest -= negative ? -a * b : a * b;
      }
      if (sum_of(all) == target) return all;
    }
    return {};
  }

 private:
  static int sum_of(const std::vector<Factors>& all) {
    int sum = 0;
    for (const Factors& f : all) sum += f.negative ? -f.a * f.b : f.a * f.b;
    return sum;
  }

  /// Adds the product that is `rest`, if there is one.
  bool last(int rest, std::vector<Factors>& all) const {
    for (int a = least_a_; a < 2 * least_a_; ++a) {
      const int b = std::abs(rest) / a;
      if (std::abs(rest) % a != 0 || b < least_b_ || b >= 2 * least_b_) continue;
      all.push_back({a, b, rest < 0});
      return true;
    }
    return false;
  }

  int least_a_;
  int least_b_;
  SplitMix& random_;
};

/// The number with this exponent whose first `bits` bits are `significand`.
Integer pattern(const Format& f, int exponent, int significand, int bits, bool negative) {
  const Integer hidden = power_of_two(static_cast<unsigned>(f.fraction_bits));
  const Integer aligned = Integer(significand) << static_cast<unsigned>(f.fraction_bits + 1 - bits);
  Integer x = (exponent + f.bias - 1) * hidden + aligned;
  if (negative) x += power_of_two(static_cast<unsigned>(f.fraction_bits + f.exponent_bits));
  return x << static_cast<unsigned>(f.ignored_low_bits);
}

bool holds(const Format& f, int exponent, int bits) {
  return f.fraction_bits + 1 >= bits && exponent >= f.least_exponent() &&
         exponent < f.largest_exponent();
}

}  // namespace

std::optional<DotValues> twice_rounded(const PartialProductDotAdd& design,
                                       const DotFormats& formats, SplitMix& random) {
  const auto& [block, group, first_phase, phases, a_bits, b_bits, aligned_bits, fraction_bits,
               minus_one_wraps, result] = design;
  const int kept = result.fraction_bits();
  const int dropped = aligned_bits - fraction_bits;
  const int fraction = a_bits + b_bits - 2;  // of products
  if (first_phase != 0 || formats.scale != nullptr || 2 * group > block || a_bits + b_bits > 20 ||
      dropped < 1 || dropped > 20 || kept < 2 || formats.c->fraction_bits < kept) {
    return std::nullopt;
  }
  // The groups' exponents below that of c, which is 0.
  const int unit = std::max(fraction_bits - kept, 0);  // the second rounding's in one of d's
  const int others = unit < 2 ? 0 : (1 << (unit - 1)) - 1;
  const std::pair<int, int> near_half{aligned_bits - fraction + 1, (1 << dropped) - 1};
  const int widened = std::max(fraction + 1, fraction - fraction_bits);
  const std::pair<int, int> visible{widened - fraction + fraction_bits, others << widened};
  DotValues values{std::vector<Integer>(static_cast<std::size_t>(formats.k), 0),
                   std::vector<Integer>(static_cast<std::size_t>(formats.k), 0),
                   0,
                   {},
                   {}};
  Parts parts(design, random);
  std::size_t first = 0;
  for (const auto& [below, sum] : {near_half, visible}) {
    const int of_a = -below / 2;
    const int of_b = -below - of_a;
    if (!holds(*formats.a, of_a, a_bits) || !holds(*formats.b, of_b, b_bits)) return std::nullopt;
    const std::vector<Factors> products =
        sum == 0 ? std::vector<Factors>() : parts.with_sum(sum, group);
    if (sum != 0 && products.empty()) return std::nullopt;
    std::size_t k = first;
    for (const auto& [a, b, negative] : products) {
      values.a[k] = pattern(*formats.a, of_a, a, a_bits, negative);
      values.b[k++] = pattern(*formats.b, of_b, b, b_bits, false);
    }
    first += static_cast<std::size_t>(group);
  }
  // An odd number in units of d's last kept bit, so that a tie is rounded up.
  const int significand =
      (1 << std::min(kept, 20)) + 2 * random.below(1 << std::min(kept - 1, 18)) + 1;
  const Integer hidden = Integer(significand) << static_cast<unsigned>(kept - std::min(kept, 20));
  values.c = (formats.c->bias - 1) * power_of_two(static_cast<unsigned>(formats.c->fraction_bits)) +
             ((hidden | 1) << static_cast<unsigned>(formats.c->fraction_bits - kept));
  values.c <<= static_cast<unsigned>(formats.c->ignored_low_bits);
  return values;
}

}  // namespace mmaspec
