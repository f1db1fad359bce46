#include "queries/draw/samples.h"

#include <algorithm>
#include <stdexcept>

namespace mmaspec {
namespace {

constexpr unsigned kElementKinds = 8;  // number of kinds that draw each operand independently
/// From this number of products on, a dot product is usually a plan's. Random bits then find
/// little, because the sum is that of the few largest products.
constexpr std::size_t kMany = 256;

std::uint64_t ones(int count) {
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

}  // namespace

Sampler::Machine::Machine(const Format& f)
    : format(&f),
      storage(ones(f.storage_bits)),
      sign(f.has_sign ? bit(f.fraction_bits + f.exponent_bits) : 0),
      hidden(bit(f.fraction_bits)),
      largest_finite(f.largest_finite().convert_to<std::uint64_t>()),
      low(f.ignored_low_bits),
      fraction(f.fraction_bits),
      bias(f.bias),
      top(f.field_maximum()),
      least(f.least_exponent()),
      largest(static_cast<int>(largest_finite >> f.fraction_bits) - f.bias),
      has_zero(f.has_zero),
      minus_is_nan(f.specials == Specials::nan_minus_zero),
      integer(f.is_integer()) {}

Sampler::Sampler(const DotFormats& formats, InputClass inputs, unsigned seed)
    : formats_(formats),
      a_(*formats.a),
      b_(*formats.b),
      c_(*formats.c),
      d_(*formats.d),
      scale_(formats.scale == nullptr ? *formats.c : *formats.scale),
      k_(static_cast<std::size_t>(formats.k)),
      scales_(static_cast<std::size_t>(formats.scales())),
      inputs_(inputs),
      random_(seed),
      values_(2 * k_ + 1 + 2 * scales_),
      block_(values_.size(), kFresh * kGroups),
      taken_(kFresh * kGroups) {
  for (std::size_t k = 0; k < k_; ++k) permuted_.push_back(k);
}

std::uint64_t Sampler::number(const Machine& m, int field, int kept) {
  const std::uint64_t drawn = random();
  const int dropped = m.fraction - std::clamp(kept, 0, m.fraction);
  const std::uint64_t fraction = ((drawn >> 1) & (m.hidden - 1)) >> dropped << dropped;
  const auto exponent = static_cast<std::uint64_t>(std::clamp(field, 0, m.top));
  const std::uint64_t magnitude = std::min((exponent << m.fraction) + fraction, m.largest_finite);
  return (magnitude | ((drawn >> 63) != 0 ? m.sign : 0)) << m.low;
}

bool Sampler::is_allowed(const Machine& m, std::uint64_t pattern) const {
  if (inputs_ == InputClass::any || m.integer) return true;
  const std::uint64_t used = (pattern & (m.storage >> m.format->ignored_high_bits)) >> m.low;
  const std::uint64_t magnitude = m.sign == 0 ? used : used & (m.sign - 1);
  const bool finite =
      magnitude <= m.largest_finite && !(m.minus_is_nan && magnitude == 0 && used != 0);
  const bool subnormal = m.has_zero && magnitude != 0 && magnitude < m.hidden;
  return finite && (inputs_ == InputClass::finite || !subnormal);
}

std::uint64_t Sampler::allowed(const Machine& m, std::uint64_t pattern) {
  return is_allowed(m, pattern) ? pattern : number(m, 1 + below(m.top - 1), m.fraction);
}

std::uint64_t Sampler::power(const Machine& m, int exponent, bool negative) const {
  const int field = std::min(exponent, m.largest) + m.bias;
  const int least_field = m.has_zero ? 1 : 0;
  std::uint64_t magnitude = 0;
  if (field >= least_field) {
    magnitude = static_cast<std::uint64_t>(field) << m.fraction;
  } else if (!m.has_zero || inputs_ == InputClass::normal || m.fraction == 0) {
    magnitude = static_cast<std::uint64_t>(least_field) << m.fraction;
  } else {
    magnitude = bit(std::max(m.fraction - 1 + field, 0));
  }
  return (magnitude | (negative ? m.sign : 0)) << m.low;
}

std::uint64_t Sampler::negated(const Machine& m, std::uint64_t pattern) const {
  return pattern ^ (m.sign << m.low);
}

Sampler::Plan Sampler::plan(const Draw& d, const Machine& m) {
  Plan p{0, m.top, 0, m.has_zero, 3};
  const int top = m.top - 1;
  switch (d.kind) {
    case 1:  // close together, at any exponent
    case 3:
    case 4:
      p.low = top * d.centre / 8 - d.spread;
      p.count = 2 * d.spread + 1;
      if (d.kind == 3) p.few_in = 1;  // powers of two, or two fraction bits
      break;
    case 5:  // subnormal and least normal
      p.count = 3;
      break;
    case 6:  // zero next to huge numbers
      p.low = top - 2;
      p.count = 3;
      p.or_least = ~std::uint64_t{0};
      break;
    default:  // far apart
      break;
  }
  return p;
}

std::uint64_t Sampler::element(const Draw& d, const Plan& p, const Machine& m) {
  if (d.kind == 0) return allowed(m, random() & m.storage);
  if (d.kind == 7 && inputs_ == InputClass::any && m.format->has_nan() && one_in(4)) {
    return (random() & m.storage) | static_cast<std::uint64_t>(m.top) << (m.fraction + m.low);
  }
  // Uses two random numbers and no branches, because a search spends most of its time here. For
  // narrow formats one is enough: the field uses its highest bits, the fraction its middle bits.
  const std::uint64_t choices = random();
  const std::uint64_t drawn = m.fraction <= 12 ? choices >> 32 | choices << 17 : random();
  const auto chance = [&](int at, int n) {
    return (((choices >> at) & 0xffffU) * static_cast<std::uint64_t>(n)) >> 16 == 0;
  };
  const int above = static_cast<int>(((choices >> 32) * static_cast<std::uint64_t>(p.count)) >> 32);
  const int field = std::clamp(p.low + above, 0, m.top - 1);
  const std::uint64_t exponent =
      static_cast<std::uint64_t>(field) & ~((drawn & 1) != 0 ? p.or_least : 0);
  const int few = d.kind == 3 && (drawn & 2) != 0 ? 0 : 2;
  const int dropped = chance(16, p.few_in) ? std::max(m.fraction - few, 0) : 0;
  const std::uint64_t fraction = ((drawn >> 2) & (m.hidden - 1)) >> dropped << dropped;
  const std::uint64_t magnitude = std::min((exponent << m.fraction) + fraction, m.largest_finite);
  const std::uint64_t pattern = (magnitude | ((drawn >> 63) != 0 ? m.sign : 0)) << m.low;
  return allowed(m, chance(0, 5) && p.has_zero ? 0 : pattern);
}

void Sampler::draw() {
  const Draw d{kind_++ % static_cast<unsigned>(kKinds), 1 + below(12), 1 + below(7)};
  if (a_.integer) return c_.integer ? draw_integers(d) : draw_scaled_integers(d);
  const bool of_many = k_ >= kMany && d.kind == 0;
  if (d.kind < kElementKinds && !of_many) {
    const Plan of_a = plan(d, a_);
    const Plan of_b = plan(d, b_);
    for (std::size_t k = 0; k < k_; ++k) a(k) = element(d, of_a, a_);
    for (std::size_t k = 0; k < k_; ++k) b(k) = element(d, of_b, b_);
    c() = element(d, plan(d, c_), c_);
  }
  for (std::size_t i = 2 * k_ + 1; i < values_.size(); ++i) {
    values_[i] = allowed(
        scale_, d.kind % 2 == 0
                    ? random() & scale_.storage
                    : number(scale_, scale_.bias + between(-d.spread, d.spread), scale_.fraction));
  }
  if (k_ == 0) return draw_alone();
  if (of_many) return one_in(2) ? grow(d) : few_are_huge(d);
  switch (d.kind) {
    case 2:
      if (one_in(2)) {  // few terms: the witness is then easy to read
        for (std::size_t k = 2; k < k_; ++k) a(k) = 0;
      }
      return;
    case 4:
      return cancel_pairs();
    case 8:
      return zero_times_huge();
    case 9:
      return scales_ > 0 && !one_in(3) ? scaled_to_subnormal() : tie();
    case 10:
      if (only_full_sums_lose_bits() && one_in(2)) return fill_up();
      return one_in(3) ? miss_a_limit() : just_overflow();
    case 11:
      return leave_cut_bits();
    case 12:
      return one_in(4) ? crowd_at_a_tie() : about_the_cut(d);
    default:
      return;
  }
}

/// The operand of a conversion.
void Sampler::draw_alone() {
  const std::uint64_t drawn = random();
  const int exponent = between(d_.least - d_.fraction - 2, d_.largest + 2);
  if (drawn % 4 == 0) {  // anywhere
    const Draw d{static_cast<unsigned>(below(kElementKinds)), 1 + below(12), 1 + below(7)};
    c() = element(d, plan(d, c_), c_);
    return;
  }
  if (drawn % 4 == 1) {  // in the range of d
    c() = allowed(c_, number(c_, exponent + c_.bias, c_.fraction));
    return;
  }
  // A number of d, the middle between two, or a number next to either.
  const int bits = d_.fraction - std::max(0, d_.least - exponent);
  const std::uint64_t near = number(c_, exponent + c_.bias, bits + below(2));
  const std::uint64_t step = static_cast<std::uint64_t>(below(2)) << c_.low;
  c() = allowed(c_, one_in(2) || near < step ? near + step : near - step);
}

std::int64_t Sampler::value(const Machine& m, std::uint64_t pattern) {
  const bool negative = (pattern & m.sign) != 0;
  return static_cast<std::int64_t>(pattern) -
         (negative ? static_cast<std::int64_t>(m.sign) * 2 : 0);
}

std::uint64_t Sampler::pattern(const Machine& m, std::int64_t value) {
  return static_cast<std::uint64_t>(value) & m.storage;
}

/// kind 0: random bits; 1: few of them; 2: at an end; others: any of these.
std::uint64_t Sampler::integer(const Machine& m, unsigned kind) {
  switch (kind < 3 ? kind : static_cast<unsigned>(below(4))) {
    case 0:
      return random() & m.storage;
    case 1:
      return pattern(m, between(m.sign != 0 ? -3 : 0, 3));
    case 2: {
      const auto largest = static_cast<std::int64_t>(m.largest_finite);
      const std::int64_t least = m.sign != 0 ? -largest - 1 : 0;
      return pattern(m, one_in(2) ? largest - below(2) : least + below(2));
    }
    default:
      return 0;
  }
}

void Sampler::draw_integers(const Draw& d) {
  const unsigned of_a = static_cast<unsigned>(below(5));
  const unsigned of_b = static_cast<unsigned>(below(5));
  for (std::size_t k = 0; k < k_; ++k) a(k) = integer(a_, of_a);
  for (std::size_t k = 0; k < k_; ++k) b(k) = integer(b_, of_b);
  c() = integer(c_, static_cast<unsigned>(below(5)));
  if (d.kind % 4 == 1) {  // few terms
    for (std::size_t k = 2; k < k_; ++k) a(k) = 0;
  }
  if (d.kind % 3 == 0) {  // pairs that cancel
    for (std::size_t k = 1; k < k_; k += 2) {
      if (one_in(3)) continue;
      a(k) = pattern(a_, -value(a_, a(k - 1)));
      b(k) = b(k - 1);
    }
  }
  if (d.kind % 4 == 3) return;
  // A c for which the sum of `count` products is near an end of d.
  const std::size_t count = 1 + static_cast<std::size_t>(below(static_cast<int>(k_)));
  std::int64_t sum = 0;
  for (std::size_t k = 0; k < count; ++k) sum += value(a_, a(k)) * value(b_, b(k));
  const auto largest = static_cast<std::int64_t>(d_.largest_finite);
  const std::int64_t least = d_.sign != 0 ? -largest - 1 : 0;
  const bool up = one_in(8) ? one_in(2) : sum > 0;
  const std::int64_t end = (up ? largest : least) + between(-2, 2);
  const auto most = static_cast<std::int64_t>(c_.largest_finite);
  c() = pattern(c_, std::clamp(end - sum, c_.sign != 0 ? -most - 1 : 0, most));
}

/// Integers whose scaled sums are added to floating-point numbers.
void Sampler::draw_scaled_integers(const Draw& d) {
  const unsigned of_a = static_cast<unsigned>(below(5));
  const unsigned of_b = static_cast<unsigned>(below(5));
  for (std::size_t k = 0; k < k_; ++k) a(k) = integer(a_, of_a);
  for (std::size_t k = 0; k < k_; ++k) b(k) = integer(b_, of_b);
  if (d.kind % 4 == 1) {  // few terms
    for (std::size_t k = 2; k < k_; ++k) a(k) = 0;
  }
  const bool near = d.kind % 2 == 0;
  for (std::size_t i = 2 * k_ + 1; i < values_.size(); ++i) {
    const int field = near ? scale_.bias + between(-d.spread, d.spread)
                           : below(static_cast<int>(scale_.storage) + 1);
    values_[i] = allowed(scale_, number(scale_, field, scale_.fraction));
  }
  if (d.kind % 3 == 0) {  // of the sum's magnitude
    const int exponent = between(0, a_.fraction + b_.fraction + ceil_log2_of_k());
    c() = allowed(c_, number(c_, exponent + c_.bias, c_.fraction));
  } else {
    const Draw of_c{d.kind % kElementKinds, d.centre, d.spread};
    c() = element(of_c, plan(of_c, c_), c_);
  }
}

int Sampler::ceil_log2_of_k() const {
  int n = 0;
  while ((std::size_t{1} << n) < k_) ++n;
  return n;
}

void Sampler::set_product(std::size_t k, int exponent, bool negative) {
  const int low = std::max(a_.least, exponent - b_.largest);
  const int high = std::min(a_.largest, exponent - b_.least);
  const int of_a = low <= high
                       ? between(low, high)
                       : std::clamp(exponent - b_.least, a_.least - a_.fraction, a_.largest);
  const bool a_negative = one_in(2);
  a(k) = power(a_, of_a, a_negative);
  b(k) = power(b_, exponent - of_a, a_negative != negative);
}

void Sampler::clear_products() { std::fill_n(values_.begin(), 2 * k_, 0); }

void Sampler::plain_scales() {
  // Three times out of four, because scale factors could destroy what the terms were chosen for.
  if (one_in(4)) return;
  for (std::size_t i = 2 * k_ + 1; i < values_.size(); ++i) values_[i] = power(scale_, 0, false);
}

void Sampler::cancel_pairs() {
  // Pairs of products that cancel except for what alignment cuts.
  for (std::size_t k = 1; k < k_; k += 2) {
    if (one_in(3)) continue;
    a(k) = a(k - 1);
    b(k) = b(k - 1);
    // If -0 is a NaN, 0 does not have a negative.
    if (a_.sign != 0) a(k) = allowed(a_, negated(a_, a(k)));
  }
}

void Sampler::zero_times_huge() {
  // The zero's exponent may count for the largest one and cut all nonzero terms.
  plain_scales();
  for (std::size_t k = 0; k < k_; ++k) {
    a(k) = one_in(2) ? 0 : number(a_, (a_.has_zero ? 1 : 0) + below(2), a_.fraction);
    b(k) = one_in(2) ? 0 : number(b_, (b_.has_zero ? 1 : 0) + below(2), b_.fraction);
  }
  const std::size_t k = static_cast<std::size_t>(below(formats_.k));
  const std::uint64_t huge_a = number(a_, a_.largest + a_.bias - below(2), a_.fraction);
  const std::uint64_t huge_b = number(b_, b_.largest + b_.bias - below(2), b_.fraction);
  const bool a_is_zero = one_in(2);
  a(k) = a_is_zero ? 0 : allowed(a_, huge_a);
  b(k) = a_is_zero ? allowed(b_, huge_b) : 0;
  c() = allowed(c_, number(c_, one_in(4) ? 1 + below(3) : 0, one_in(2) ? 0 : c_.fraction));
}

void Sampler::tie() {
  // 2^e (1 + odd * ulp) + ulp / 2, exactly half way in d, and one far smaller term that decides.
  // This includes subnormal results, whose terms may all be below an exponent floor.
  plain_scales();
  clear_products();
  const int fraction = d_.fraction;
  const int high = std::max(d_.least, std::min(d_.largest - 1, largest_product()));
  const bool is_subnormal = one_in(4);
  const int e = is_subnormal
                    ? between(d_.least - fraction - 1, d_.least - 1)
                    : between(std::clamp(least_product() + fraction + 2, d_.least, high), high);
  const int ulp = std::max(e, d_.least) - fraction;
  const bool negative = one_in(2);
  const bool c_is_leading = one_in(2);
  std::size_t k = 0;
  const auto put = [&](int exponent, bool minus) {
    if (k < k_) set_product(k++, exponent, minus);
  };
  if (e < ulp) {  // half of the least number
    c() = 0;
  } else if (c_is_leading) {
    const bool is_odd = !is_subnormal && c_.fraction >= fraction && one_in(2);
    c() = allowed(c_, power(c_, e, negative) + (is_odd ? bit(c_.fraction - fraction + c_.low) : 0));
  } else {
    put(e, negative);
    c() = one_in(2) ? 0 : power(c_, ulp, negative);
  }
  put(ulp - 1, negative);
  if (!one_in(4)) put(ulp - 2 - below(is_subnormal ? 28 : 20), one_in(2));
  while (k < k_ && one_in(3)) put(ulp - 2 - below(30), one_in(2));
}

void Sampler::just_overflow() {
  // The largest number plus half an ulp is where rounding gives infinity; then tiny terms.
  plain_scales();
  clear_products();
  const bool negative = one_in(2);
  const int half_ulp = d_.largest - d_.fraction - 1;
  std::size_t k = 0;
  const auto put = [&](int exponent, bool minus) {
    if (k < k_) set_product(k++, exponent, minus);
  };
  if (*formats_.c == *formats_.d && !one_in(3)) {
    c() = (c_.largest_finite | (negative ? c_.sign : 0)) << c_.low;
    put(half_ulp, negative);
  } else {
    put(d_.largest + 1, negative);
    put(half_ulp, !negative);
    c() = one_in(2) ? 0 : power(c_, half_ulp - 1 - below(30), !negative);
  }
  const int tiny = half_ulp - 1 - below(30);
  const int count = below(formats_.k + 1);
  for (int i = 0; i < count; ++i) put(tiny - below(4), one_in(8) ? negative : !negative);
}

void Sampler::leave_cut_bits() {
  // Two huge products that cancel; all other terms are where their exponent cuts them.
  plain_scales();
  const int huge = largest_product() - below(8);
  const int gap = between(18, 34);
  for (std::size_t k = 0; k < k_; ++k) {
    set_product(k, huge - gap - below(6), one_in(2));
    a(k) |= (random() & 3 & (a_.hidden - 1)) << a_.low;
    a(k) = allowed(a_, a(k));
  }
  c() = one_in(3) && c_.has_zero
            ? 0
            : allowed(c_, number(c_, huge - gap - below(6) + c_.bias, c_.fraction));
  if (k_ < 2) return;
  const std::size_t k = static_cast<std::size_t>(below(formats_.k - 1));
  set_product(k, huge, false);
  a(k + 1) = negated(a_, a(k));
  b(k + 1) = b(k);
}

void Sampler::about_the_cut(const Draw& d) {
  // One term, c or a product, is larger by 20 to 31 binades.
  plain_scales();
  const bool c_leads = one_in(2);
  const int gap = between(20, 31);
  const int low = least_product() - 2;
  const int high = largest_product();
  const int products = c_leads ? between(low, std::max(low, std::min(high, c_.largest - gap)))
                               : between(low, std::max(low, high - gap));
  for (std::size_t k = 0; k < k_; ++k) {
    set_product(k, products + between(-3, 3), one_in(2));
    // With independent fractions.
    a(k) ^= random() & ((a_.hidden - 1) << a_.low);
    b(k) ^= random() & ((b_.hidden - 1) << b_.low);
    a(k) = allowed(a_, one_in(8) ? 0 : a(k));
    b(k) = allowed(b_, b(k));
  }
  const int of_c = products + (c_leads ? gap : between(-3, 3));
  c() = allowed(c_, number(c_, of_c + c_.bias, one_in(3) ? d.spread : c_.fraction));
  if (!c_leads) set_product(static_cast<std::size_t>(below(formats_.k)), products + gap, one_in(2));
}

DotValues Sampler::next() {
  draw();
  const auto part = [&](std::size_t first, std::size_t count) {
    return std::vector<Integer>(values_.begin() + static_cast<std::ptrdiff_t>(first),
                                values_.begin() + static_cast<std::ptrdiff_t>(first + count));
  };
  return {part(0, k_), part(k_, k_), c(), part(2 * k_ + 1, scales_),
          part(2 * k_ + 1 + scales_, scales_)};
}

void Sampler::fill(Lanes& lanes) {
  if (lanes.rows() != values_.size()) {
    throw std::logic_error(std::to_string(lanes.rows()) + " rows for " +
                           std::to_string(values_.size()) + " operands");
  }
  for (std::size_t first = 0; first < lanes.lanes();) {
    if (taken_ == block_.lanes()) make_block();
    const std::size_t count = std::min(lanes.lanes() - first, block_.lanes() - taken_);
    for (std::size_t i = 0; i < values_.size(); ++i) {
      std::copy_n(block_[i] + taken_, count, lanes[i] + first);
    }
    first += count;
    taken_ += count;
  }
}

void Sampler::make_block() {
  taken_ = 0;
  // One cache line of each row at a time, because rows are whole pages apart.
  constexpr std::size_t kTogether = 8;
  std::vector<std::uint64_t> drawn(kTogether * values_.size());
  for (std::size_t first = 0; first < kFresh; first += kTogether) {
    const std::size_t count = std::min(kTogether, kFresh - first);
    for (std::size_t j = 0; j < count; ++j) {
      draw();
      std::copy(values_.begin(), values_.end(),
                drawn.begin() + static_cast<std::ptrdiff_t>(j * values_.size()));
    }
    for (std::size_t i = 0; i < values_.size(); ++i) {
      for (std::size_t j = 0; j < count; ++j) block_[i][first + j] = drawn[j * values_.size() + i];
    }
  }
  for (std::size_t group = 1; group < kGroups; ++group) recombine(group);
}

void Sampler::recombine(std::size_t group) {
  // A row of the group is one of the fresh rows, starting at another lane of the same kind.
  const auto copy = [&](std::size_t from, std::size_t to, std::size_t begin) {
    const std::uint64_t* const source = block_[from];
    std::uint64_t* const target = block_[to] + group * kFresh;
    std::copy_n(source + begin, kFresh - begin, target);
    std::copy_n(source, begin, target + (kFresh - begin));
  };
  const auto another = [&] {
    return kKinds * static_cast<std::size_t>(below(static_cast<int>(kFresh / kKinds)));
  };
  for (std::size_t k = k_; k > 1; --k) {
    std::swap(permuted_[k - 1], permuted_[static_cast<std::size_t>(below(static_cast<int>(k)))]);
  }
  const std::size_t of_c = one_in(2) ? another() : 0;
  const std::size_t of_half = one_in(4) ? another() : 0;
  for (std::size_t k = 0; k < k_; ++k) {
    const std::size_t begin = permuted_[k] < k_ / 2 ? of_half : 0;
    copy(permuted_[k], k, begin);
    copy(k_ + permuted_[k], k_ + k, begin);
  }
  for (std::size_t row = 2 * k_; row < values_.size(); ++row) {
    copy(row, row, row == 2 * k_ ? of_c : 0);
  }
  const int changes = below(4);
  for (int i = 0; i < changes; ++i) {
    mutate(one_in(2) ? 2 * k_ : static_cast<std::size_t>(below(static_cast<int>(values_.size()))),
           group);
  }
}

/// Changes an operand in each lane: some bits of its fraction, its exponent by one, or its sign.
void Sampler::mutate(std::size_t row, std::size_t group) {
  const Machine& m = machine_of(row);
  std::uint64_t* const at = block_[row] + group * kFresh;
  const int how = below(3);
  for (std::size_t j = 0; j < kFresh; ++j) {
    const std::uint64_t drawn = random();
    const std::uint64_t bits = drawn & (drawn >> 32) & (m.hidden - 1);
    const std::uint64_t step = (drawn & 1) != 0 ? m.hidden : ~m.hidden + 1;
    const std::uint64_t before = at[j];
    const std::uint64_t changed = how == 0   ? before ^ (bits << m.low)
                                  : how == 1 ? before + (step << m.low)
                                             : before ^ (m.sign << m.low);
    // A step beyond the range of exponents would change the sign or ignored bits.
    const bool same_sign = ((changed ^ before) >> m.low & m.sign) == 0;
    const bool fits = (changed & ~m.storage) == 0 && (how != 1 || same_sign);
    at[j] = fits && is_allowed(m, changed) ? changed : before;
  }
}

}  // namespace mmaspec
