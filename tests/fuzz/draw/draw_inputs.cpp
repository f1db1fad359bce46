#include "tests/fuzz/draw/draw_inputs.h"

#include <algorithm>
#include <cmath>

namespace mmaspec::fuzz {

using reference::Design;
using reference::Format;
using reference::Kind;
using reference::Operands;
using reference::Value;

bool belongs(Inputs inputs, const Format& format, std::uint64_t pattern) {
  if (inputs == Inputs::any) return true;
  if (!format.value(pattern).is_number()) return false;
  return inputs == Inputs::finite || !format.is_subnormal(pattern);
}

bool belongs(Inputs inputs, const Design& f, const Operands& x) {
  const auto all = [&](const Format* format, const std::vector<std::uint64_t>& patterns) {
    return std::all_of(patterns.begin(), patterns.end(),
                       [&](std::uint64_t p) { return belongs(inputs, *format, p); });
  };
  return all(f.a, x.a) && all(f.b, x.b) && belongs(inputs, *f.c, x.c) && all(f.scale, x.sa) &&
         all(f.scale, x.sb);
}

InputDrawer::InputDrawer(const Design& design, int k, Inputs inputs, std::uint64_t seed)
    : design_(design), k_(k), inputs_(inputs), random_(seed) {
  add_cuts(design);
}

void InputDrawer::add_cuts(const Design& design) {
  for (int bits : {design.fraction_bits, design.product_bits, design.sum_bits, design.c_bits,
                   design.d->fraction_bits, design.result.kept_bits, design.c_reach.value_or(0)}) {
    if (bits > 0 && bits < 300) cuts_.push_back(bits);
  }
  if (design.algorithm == reference::Algorithm::fused_dot_add)
    cuts_.push_back(design.fraction_bits);
}

std::uint64_t InputDrawer::fraction(const Format& format) {
  const std::uint64_t mask = (std::uint64_t{1} << format.fraction_bits) - 1;
  switch (style_) {
    case Fraction::zero:
      return 0;
    case Fraction::ones:
      return mask;
    case Fraction::sparse:
      return (std::uint64_t{1} << random_.between(0, format.fraction_bits)) & mask;
    case Fraction::random:
      break;
  }
  return random_.bits(format.fraction_bits);
}

std::uint64_t InputDrawer::number(const Format& format, int exponent, bool negative) {
  if (format.is_integer()) {
    const int digits = std::clamp(exponent + 1, 0, format.fraction_bits);
    const std::uint64_t leading = digits == 0 ? 0 : std::uint64_t{1} << (digits - 1);
    const std::uint64_t size = leading | (leading == 0 ? 0 : fraction(format) & (leading - 1));
    return negative && format.is_signed ? format.negated(size) : size;
  }
  const std::uint64_t sign = negative ? format.sign_mask() : 0;
  if (format.special == Format::Special::powers) {
    return static_cast<std::uint64_t>(std::clamp(exponent + format.bias, 0, 254));
  }
  std::uint64_t size = 0;
  if (exponent < format.least_exponent()) {  // a subnormal number of that magnitude, or zero
    const int digit = format.fraction_bits - (format.least_exponent() - exponent);
    if (digit < 0 || inputs_ == Inputs::normal) return format.zero(negative);
    const std::uint64_t leading = std::uint64_t{1} << digit;
    size = leading | (fraction(format) & (leading - 1));
  } else {
    const int e = std::min(exponent, format.largest_exponent());
    size = (static_cast<std::uint64_t>(e + format.bias) << format.fraction_bits) | fraction(format);
    size = std::min(size, format.largest_pattern() >> format.unused_low);
  }
  std::uint64_t pattern = size << format.unused_low | sign;
  if (format.unused_low > 0 && random_.coin()) pattern |= random_.bits(format.unused_low);
  return pattern;
}

std::uint64_t InputDrawer::special(const Format& format) {
  if (inputs_ == Inputs::any) {
    switch (random_.below(4)) {
      case 0:
        if (format.has_nan()) return format.nan();
        break;
      case 1:
      case 2:
        if (format.has_infinity()) return format.infinity(random_.coin());
        break;
      default:
        break;
    }
  }
  return random_.bits(format.storage);
}

std::uint64_t InputDrawer::near_number(const Format& format) {
  const double x = random_.of(numbers_);
  int exponent = 0;
  const double digits = std::frexp(std::fabs(x), &exponent);
  if (x == 0) return format.zero(format.is_signed && random_.coin());
  Value v{Kind::number, x < 0, static_cast<std::uint64_t>(std::ldexp(digits, 53)), 0,
          exponent - 53};
  std::uint64_t pattern = 0;
  if (!format.pattern_of(v, pattern)) {
    // Its digits, cut to those of the format.
    const int lost = 53 - format.fraction_bits - 1;
    v.digits = v.digits >> lost;
    v.unit += lost;
    if (v.digits == 0 || !format.pattern_of(v, pattern)) return number(format, exponent - 1, x < 0);
  }
  const std::uint64_t unit = std::uint64_t{1} << format.unused_low;
  switch (random_.below(4)) {
    case 0:
      pattern += unit;
      break;
    case 1:
      pattern -= unit;
      break;
    default:
      break;
  }
  if (format.is_signed && random_.one_in(6)) pattern ^= format.sign_mask();
  return pattern &
         (format.storage == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << format.storage) - 1);
}

std::uint64_t InputDrawer::element(const Format& format) {
  for (int tries = 0;; ++tries) {
    std::uint64_t pattern = 0;
    if (!numbers_.empty() && random_.coin()) {
      pattern = near_number(format);
    } else {
      switch (random_.below(8)) {
        case 0:
          pattern = format.zero(random_.coin());
          break;
        case 1:
          pattern =
              number(format, format.least_exponent() - 1 - random_.below(format.fraction_bits + 1),
                     random_.coin());
          break;
        case 2:
          pattern = number(format, format.largest_exponent() - random_.below(3), random_.coin());
          break;
        case 3:
          pattern = number(format, random_.between(-3, 3), random_.coin());
          break;
        case 4:
          pattern = special(format);
          break;
        default:
          pattern = number(format,
                           random_.between(format.least_exponent() - 1, format.largest_exponent()),
                           random_.coin());
          break;
      }
    }
    if (belongs(inputs_, format, pattern)) return pattern;
    if (tries > 100) return number(format, 0, false);
  }
}

int InputDrawer::drawn_exponent() {
  const int top = design_.a->largest_exponent() + design_.b->largest_exponent();
  const int bottom = design_.a->least_exponent() + design_.b->least_exponent();
  switch (random_.below(6)) {
    case 0:
      return design_.d->largest_exponent() - random_.between(-1, 4);
    case 1:
      return design_.d->least_exponent() + random_.between(-design_.d->fraction_bits - 2, 4);
    case 2:
      return top - random_.below(4);
    case 3:
      return bottom + random_.below(4);
    case 4:
      return random_.between(-4, 4);
    default:
      return random_.between(bottom - 2, top);
  }
}

void InputDrawer::product(std::size_t k, int exponent) {
  const Format& a = *design_.a;
  const Format& b = *design_.b;
  const int low = std::max(a.least_exponent() - a.fraction_bits, exponent - b.largest_exponent());
  const int high =
      std::min(a.largest_exponent(), exponent - (b.least_exponent() - b.fraction_bits));
  int ea = low >= high ? low : random_.between(low, high);
  // Most factors are normal numbers with similar exponents.
  if (low < high && random_.coin()) {
    ea = std::clamp(exponent / 2 + random_.between(-2, 2), low, high);
  }
  x_.a[k] = number(a, ea, random_.coin());
  x_.b[k] = number(b, exponent - ea, random_.coin());
}

Operands InputDrawer::next() {
  const auto count = static_cast<std::size_t>(k_);
  // Sometimes a neighbour of the last one.
  if (x_.a.size() == count && random_.one_in(5)) {
    const int changes = random_.between(1, 2);
    for (int i = 0; i < changes; ++i) {
      const std::size_t k = static_cast<std::size_t>(random_.below(k_));
      Operands y = x_;
      switch (random_.below(5)) {
        case 0:
          y.a[k] ^= std::uint64_t{1} << random_.below(design_.a->storage);
          break;
        case 1:
          y.b[k] ^= std::uint64_t{1} << random_.below(design_.b->storage);
          break;
        case 2:
          y.c ^= std::uint64_t{1} << random_.below(design_.c->storage);
          break;
        case 3:
          std::swap(y.a[k], y.a[0]);
          std::swap(y.b[k], y.b[0]);
          break;
        default:
          if (!y.sa.empty()) {
            y.sa[static_cast<std::size_t>(random_.below(static_cast<int>(y.sa.size())))] ^=
                std::uint64_t{1} << random_.below(8);
          }
          break;
      }
      if (belongs(inputs_, design_, y)) x_ = y;
    }
    return x_;
  }
  x_.a.assign(count, 0);
  x_.b.assign(count, 0);
  const int style = random_.below(6);
  style_ = style == 0   ? Fraction::zero
           : style == 1 ? Fraction::ones
           : style == 2 ? Fraction::sparse
                        : Fraction::random;
  const int e = drawn_exponent();
  const int cut = cuts_.empty() ? 0 : random_.of(cuts_) + random_.between(-2, 2);
  const bool wild = random_.one_in(6);
  const int zeros =
      random_.one_in(4) ? random_.between(1, 3) : 8;  // one of this many products is unchanged
  for (std::size_t k = 0; k < count; ++k) {
    if (wild) {
      x_.a[k] = element(*design_.a);
      x_.b[k] = element(*design_.b);
      continue;
    }
    const int kind = random_.below(8);
    if (random_.one_in(zeros + 1)) {
      x_.a[k] = random_.coin() ? design_.a->zero(random_.coin()) : element(*design_.a);
      x_.b[k] = design_.b->zero(random_.coin());
      if (random_.coin() && &*design_.a == &*design_.b) std::swap(x_.a[k], x_.b[k]);
    } else if (kind < 2 && k > 0) {  // the negative of the last one, or nearly
      x_.a[k] = design_.a->negated(x_.a[k - 1]);
      x_.b[k] = x_.b[k - 1];
      if (kind == 1) x_.b[k] ^= std::uint64_t{1} << design_.b->unused_low;
    } else if (kind < 5) {
      product(k, e + random_.between(-1, 1));
    } else if (kind < 7) {
      product(k, e - cut);
    } else {
      product(k, random_.between(e - cut - 2, e));
    }
  }
  const bool late = random_.coin();
  switch (random_.below(7)) {
    case 0:
      x_.c = element(*design_.c);
      break;
    case 1:
      x_.c = design_.c->zero(random_.coin());
      break;
    case 2:
      x_.c = number(*design_.c, late ? e - cut : e + cut, random_.coin());
      break;
    case 3:
      x_.c =
          number(*design_.c, design_.c->least_exponent() - random_.between(-2, 8), random_.coin());
      break;
    case 4:
      x_.c =
          number(*design_.c, e - design_.d->fraction_bits - random_.between(-1, 2), random_.coin());
      break;
    default:
      x_.c = number(*design_.c, e + random_.between(-2, 2), random_.coin());
      break;
  }
  const auto scales =
      static_cast<std::size_t>(design_.scale == nullptr ? 0 : k_ / design_.scale_block);
  x_.sa.clear();
  x_.sb.clear();
  for (std::size_t i = 0; i < scales; ++i) {
    if (random_.one_in(4)) {
      x_.sa.push_back(element(*design_.scale));
      x_.sb.push_back(element(*design_.scale));
      continue;
    }
    const int es = random_.one_in(3) ? random_.between(-cut - 1, cut + 1) : random_.between(-2, 2);
    x_.sa.push_back(number(*design_.scale, es, false));
    x_.sb.push_back(number(*design_.scale, random_.coin() ? -es : random_.between(-3, 3), false));
  }
  if (inputs_ == Inputs::any && random_.one_in(4)) {
    x_.a[static_cast<std::size_t>(random_.below(k_))] = special(*design_.a);
    if (random_.coin()) x_.b[static_cast<std::size_t>(random_.below(k_))] = special(*design_.b);
    if (random_.one_in(3)) x_.c = special(*design_.c);
  }
  const auto keep = [&](const Format& format, std::uint64_t& pattern) {
    if (!belongs(inputs_, format, pattern)) pattern = element(format);
  };
  for (std::uint64_t& p : x_.a) keep(*design_.a, p);
  for (std::uint64_t& p : x_.b) keep(*design_.b, p);
  keep(*design_.c, x_.c);
  for (std::uint64_t& p : x_.sa) keep(*design_.scale, p);
  for (std::uint64_t& p : x_.sb) keep(*design_.scale, p);
  return x_;
}

}  // namespace mmaspec::fuzz
