// Sampler's draws of sums that miss a limit, or a tie, by less than a design may keep.

#include <algorithm>

#include "queries/draw/samples.h"

namespace mmaspec {

void Sampler::miss_a_limit() {
  // The least normal number or the largest number, minus what is lost if fewer bits are kept than
  // the format has. A design may detect tininess and overflow before or after that loss.
  plain_scales();
  clear_products();
  const bool is_end = one_in(3);
  const int limit = is_end ? d_.largest + 1 : d_.least;
  const bool negative = one_in(2);
  const int missed = limit - 1 - below(d_.fraction + 4);
  std::size_t k = 0;
  // If products cannot be so small, only c is used.
  const int least = least_product() - a_.fraction - b_.fraction;
  const auto put = [&](int exponent, bool minus) {
    if (k < k_ && exponent >= least) set_product(k++, exponent, minus);
  };
  switch (below(5)) {
    case 0:  // products alone
      c() = 0;
      put(limit, negative);
      put(missed, !negative);
      break;
    case 1:  // one product alone
      c() = 0;
      put(limit - 1, negative);
      a(0) |= (a_.hidden - bit(below(a_.fraction + 1))) << a_.low;
      a(0) = allowed(a_, a(0));
      return;
    case 2: {  // c has all bits down to one position, and the products added to it are near that
               // position
      const std::uint64_t next = static_cast<std::uint64_t>(limit + c_.bias) << c_.fraction;
      const int last = below(c_.fraction + 1);
      const bool holds = limit + c_.bias > 0 && limit <= c_.largest + 1;
      const std::uint64_t below_it = std::min(holds ? next - bit(last) : 0, c_.largest_finite);
      c() = allowed(c_, (below_it | (negative ? c_.sign : 0)) << c_.low);
      if (!one_in(3)) put(limit - c_.fraction + last - 1 - below(4), negative != one_in(4));
      break;
    }
    default:
      c() = power(c_, limit, negative);
      put(missed, !negative);
      break;
  }
  if (one_in(3)) put(missed - 1 - below(30), one_in(2));
}

void Sampler::crowd_at_a_tie() {
  // Half of the last kept bit, for any number of bits, and all products far below it: each is cut
  // to zero or nearly, but their sum is not.
  plain_scales();
  const int high = std::min(c_.largest, d_.largest) - 1;
  const int kept = below(d_.fraction + 1);
  const int room = 2 + below(d_.fraction + 20);
  const int lowest = std::max(least_product(), c_.least) + kept + room;
  const int e =
      between(std::min(lowest, high), std::min(high, std::max(lowest, largest_product() + 64)));
  const bool negative = one_in(2);
  const int last = c_.fraction - kept - 1;
  c() = power(c_, e, negative);
  // The bit of half, and possibly the one before it.
  if (last >= 0) c() |= bit(last) << c_.low;
  if (last >= -1 && last + 1 < c_.fraction && one_in(2)) c() |= bit(last + 1) << c_.low;
  c() = allowed(c_, c());
  const bool minus = one_in(2);
  const int below_tie = e - kept - 1 - below(room);
  for (std::size_t k = 0; k < k_; ++k) {
    set_product(k, below_tie - below(3), minus != one_in(16));
    if (one_in(2)) {
      a(k) = allowed(a_, a(k) ^ ((random() & (a_.hidden - 1)) << a_.low));
      b(k) = allowed(b_, b(k) ^ ((random() & (b_.hidden - 1)) << b_.low));
    }
  }
}

}  // namespace mmaspec
