#pragma once
/// Random custom designs of all algorithms, parameters and formats, also chained or padded.

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "queries/statement/pairing.h"

namespace mmaspec {

/// Random custom designs of small formats. Each parameter is drawn from values near those at which
/// it has an effect.
class DrawnDesigns {
 public:
  explicit DrawnDesigns(unsigned seed) : random_(seed) {}

  std::string next() {
    draw_formats();
    switch (below(8)) {
      case 0:
        return "design:sequential-fma(" + formats() + result() + ")";
      case 1:
        return "design:group-pairwise-sum(" + formats() + ",group=" + power_that_divides() +
               at_times(3, ",flush_inputs=yes") + result() + ")";
      case 2:
        return round_down();
      case 3:
        return groups();
      case 4:
        return "design:exact-dot-add(" + formats() + blocks() + result() + ")";
      case 5:
        k_ = 4;
        return "design:split-fp8(" + formats() + at_times(2, ",halves=added") + fused() + result() +
               ")";
      default:
        return "design:fused-dot-add(" + formats() + blocks() + fused() + result() + ")";
    }
  }

  /// The same for the algorithms of spec/algorithms/vector/.
  std::string next_of_vector_units() {
    draw_formats();
    const std::string block = at_times(2, ",block=" + divisor());
    const int products = std::max(places(), 0);
    const std::string bits =
        number("product_bits", products) + number("c_bits", products + below(4));
    const std::string bf16 = d_ == "bf16" ? at_times(2, ",through_f32=yes") : "";
    switch (below(5)) {
      case 0:
        return "design:sequential-fma(" + formats() + ",chains=" + divisor() +
               ",reversed=" + divisor() + at_times(2, ",flush_inputs=yes") + rounded() + ")";
      case 1:
        k_ += k_ % 2;
        return "design:pair-dot-add(" + formats() + at_times(2, ",fused=no") +
               at_times(2, ",flush_inputs=yes") + rounded() + ")";
      case 2:
        return "design:floored-dot-add(" + formats() + block +
               (block.empty() && k_ % 2 == 0 ? at_times(2, ",group=1") : ",group=1") + bits + bf16 +
               rounded() + ")";
      case 3:
        return "design:bulk-normalized-dot-add(" + formats() + block +
               number("guard_bits", below(5)) + at_times(3, ",flush_c=yes") + rounded() + ")";
      default:
        return "design:ones-complement-dot-add(" + formats() + block + bits + bf16 +
               at_times(2, ",zero_c_counts=yes") + rounded() + ")";
    }
  }

  /// Designs with scale factors whose rules for them differ from those without, and sums of partial
  /// products.
  std::string next_with_scales_or_parts() {
    draw_formats();
    const std::string scale = ",scale=" + one_of({"ue8m0", "ue8m0", "ue4m3"});
    switch (below(6)) {
      case 5:
        return "design:group-pairwise-sum(" + formats() + scale + ",scale_block=" + divisor() +
               ",group=" + power_that_divides() + at_times(3, ",flush_inputs=yes") +
               at_times(3, ",minus_zero_products=yes") + rounded() + ")";
      case 4: {
        const int bits = std::max(places(), 0);
        return "design:rounded-product-dot-add(" + formats() + at_times(3, ",block=" + divisor()) +
               number("product_bits", below(2) == 0 ? below(8) : bits) +
               at_times(2, ",product_round=" + one_of({"rz", "rne", "rd", "ru", "rna"})) +
               number("fraction_bits", bits + below(4)) +
               at_times(2, number("sum_bits", bits - below(3))) + at_times(4, ",flush_inputs=yes") +
               rounded() + ")";
      }
      case 3: {
        const std::string block = divisor();
        return "design:f32-chain(" + formats() + at_times(2, scale + ",scale_block=" + block) +
               at_times(2, ",round=" + one_of({"rz", "rne", "rd", "ru", "rna", "rto"})) + ")";
      }
      case 0:
        return "design:sequential-fma(" + formats() + scale + ",scale_block=" + divisor() +
               at_times(4, ",flush_inputs=yes") + rounded() + ")";
      case 1: {
        const std::string block = divisor();
        const std::string shared = at_times(3, divisor());
        return "design:bulk-normalized-dot-add(" + formats() + ",block=" + block + scale +
               ",scale_block=" + (shared.empty() ? std::to_string(k_) : shared) +
               number("guard_bits", below(2) == 0 ? below(8) : 40 + below(25)) +
               at_times(3, ",flush_c=yes") + at_times(3, ",numbers_alone=yes") + rounded() + ")";
      }
      default: {
        const int bits = std::max(places(), 0) + below(3) * below(12);
        const int phases = 1 + below(4);
        return "design:partial-product-dot-add(" + formats() + ",block=" + std::to_string(k_) +
               ",group=" + divisor() + number("a_bits", 1 + below(6)) +
               number("b_bits", 1 + below(8)) + number("phases", phases) +
               number("first_phase", below(5 - phases)) + number("fraction_bits", bits) +
               number("aligned_bits", bits + below(2) * below(10)) +
               at_times(4, ",minus_one_wraps=yes") + rounded() + ")";
      }
    }
  }

  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

 private:
  template <typename T>
  T one_of(const std::vector<T>& all) {
    return all[static_cast<std::size_t>(below(static_cast<int>(all.size())))];
  }
  std::string one_of(const std::vector<std::string>& all) { return one_of<std::string>(all); }
  std::string at_times(int n, const std::string& text) { return below(n) == 0 ? text : ""; }
  std::string number(const std::string& key, int value) {
    return "," + key + "=" + std::to_string(std::max(value, 0));
  }

  void draw_formats() {
    a_ = one_of({"e2m1", "e2m1", "e2m3", "e3m2", "e4m3", "e5m2", "f16", "bf16"});
    b_ = at_times(3, one_of({"e2m1", "e3m2", "e5m2", "f16"}));
    if (b_.empty()) b_ = a_;
    d_ = one_of({"e5m2", "e5m2", "e4m3", "f16", "bf16", "f32"});
    c_ = below(2) == 0 ? d_ : one_of({"e5m2", "e4m3", "f16", "bf16", "f32"});
    k_ = one_of(std::vector<int>{1, 1, 2, 2, 3, 4, 6, 8});
  }
  std::string formats() {
    return "a=" + a_ + ",b=" + b_ + ",c=" + c_ + ",d=" + d_ + ",k=" + std::to_string(k_);
  }
  /// Sizes of blocks of products that are added at once, and of blocks that share scale factors.
  std::string blocks() {
    const std::string block = below(3) == 0 ? divisor() : std::to_string(k_);
    const std::string scaled = divisor();
    const std::string text = ",block=" + block;
    if (below(4) != 0 || std::stoi(block) % std::stoi(scaled) != 0) return text;
    return text + ",scale=" + one_of({"ue8m0", "ue8m0", "ue4m3"}) + ",scale_block=" + scaled;
  }
  std::string divisor() {
    std::vector<int> all;
    for (int i = 1; i <= k_; ++i) {
      if (k_ % i == 0) all.push_back(i);
    }
    return std::to_string(one_of(all));
  }
  std::string power_that_divides() {
    int most = 1;
    while (k_ % (2 * most) == 0) most *= 2;
    return std::to_string(below(2) == 0 ? most : 1);
  }
  int fraction(const std::string& format) { return find_format(format)->fraction_bits; }
  /// About the number of bits of products, of c or of all terms.
  int places() {
    const Format& a = *find_format(a_);
    const Format& b = *find_format(b_);
    const Format& c = *find_format(c_);
    const int products = a.fraction_bits + b.fraction_bits;
    const int low = std::min(a.least_exponent() + b.least_exponent() - products,
                             c.least_exponent() - c.fraction_bits);
    const int all =
        std::max(a.largest_exponent() + b.largest_exponent(), c.largest_exponent()) - low;
    return one_of(std::vector<int>{products, c.fraction_bits, fraction(d_), std::min(all, 600)}) -
           1 + below(4);
  }
  std::string zero_terms() {
    const int least = find_format(below(2) == 0 ? c_ : d_)->least_exponent();
    return at_times(3, ",zero_terms=" + one_of({"left-out", "operands-count"})) +
           at_times(2, ",zero_exponent=" + std::to_string(least - 2 + below(5)));
  }
  std::string result() {
    return at_times(2, ",round=" + one_of({"rz", "rne", "rd", "ru", "rna"})) +
           at_times(5, ",kept_bits=" + std::to_string(below(fraction(d_) + 1))) +
           at_times(6, ",underflow=flush") +
           at_times(4, ",overflow=" + one_of({"directed", "saturate"}));
  }
  std::string rounded() {
    return at_times(2, ",round=" + one_of({"rz", "rne", "rd", "ru", "rna", "rto"})) +
           at_times(5, ",kept_bits=" + std::to_string(below(fraction(d_) + 1))) +
           at_times(4, ",underflow=" + one_of({"flush", "flush-tiny"})) +
           at_times(6, ",overflow=" + one_of({"directed", "saturate"}));
  }
  std::string fused() {
    const int least = find_format(d_)->least_exponent();
    return number("fraction_bits", places()) + zero_terms() +
           at_times(3, ",floor=" + std::to_string(least - 3 + below(8))) +
           at_times(5, ",align_round=rd") + at_times(6, ",c_joins=late") +
           at_times(5, ",normalize_products=yes") + at_times(6, ",flush_inputs=yes") +
           at_times(6, ",product_overflow=" + std::to_string(below(12))) +
           at_times(4, ",minus_zero=yes") + at_times(3, ",normalize_c=no");
  }
  std::string round_down() {
    return "design:round-down-dot-add(" + formats() + at_times(3, ",block=" + divisor()) +
           number("product_bits", places()) + number("sum_bits", places()) +
           number("c_bits", places()) + at_times(3, number("c_reach", below(8))) +
           at_times(4, ",sum_round=rz") + at_times(4, ",c_round=rz") +
           at_times(5, ",product_overflow=" + std::to_string(below(12))) +
           at_times(3, ",overflow_joins=yes") + at_times(2, number("normalized_bits", places())) +
           zero_terms() + result() + ")";
  }
  std::string groups() {
    a_ = b_ = one_of({"e2m1", "e2m1", "e2m3", "e3m2"});
    const std::string group = divisor();
    int block = std::stoi(group);
    if (below(2) == 0) block = k_;
    return "design:group-dot-fused-sum(" + formats() + ",group=" + group +
           ",scale=" + one_of({"ue8m0", "ue4m3"}) + ",scale_block=" + std::to_string(block) +
           number("fraction_bits", places()) + zero_terms() +
           at_times(3,
                    ",floor=" + std::to_string(find_format(d_)->least_exponent() - 3 + below(8))) +
           at_times(3, ",cancelled_groups_count=yes") + result() + ")";
  }

  std::mt19937 random_;
  std::string a_, b_, c_, d_;
  int k_ = 1;
};

/// Which of these designs are drawn.
enum class DrawnOf { matrix_units, vector_units, scales_or_parts };

/// A random design, sometimes chained or padded with products that are zero.
inline Instruction drawn(DrawnDesigns& designs, DrawnOf kind = DrawnOf::matrix_units) {
  const auto next = [&] {
    switch (kind) {
      case DrawnOf::vector_units:
        return designs.next_of_vector_units();
      case DrawnOf::scales_or_parts:
        return designs.next_with_scales_or_parts();
      case DrawnOf::matrix_units:
        break;
    }
    return designs.next();
  };
  const Instruction i = find_instruction(next());
  const int k = i.formats.k;
  switch (designs.below(6)) {
    case 0:
      return *i.formats.c == *i.formats.d && k <= 4 ? chained(i, 2 * k) : i;
    case 1:
      return i.formats.scale == nullptr && k > 1 ? shortened(i, k - 1) : i;
    default:
      return i;
  }
}

}  // namespace mmaspec
