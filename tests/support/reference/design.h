#pragma once
/// A design, read from the text after `design:` by a second reader.

#include <optional>
#include <string>
#include <vector>

#include "tests/support/reference/number.h"

namespace mmaspec::reference {

enum class Algorithm {
  fused_dot_add,
  sequential_fma,
  group_pairwise_sum,
  round_down_dot_add,
  group_dot_fused_sum,
  exact_dot_add,
  split_fp8,
  pair_dot_add,
  bulk_normalized_dot_add,
  ones_complement_dot_add,
  floored_dot_add,
  partial_product_dot_add,
  rounded_product_dot_add,
  f32_chain,
  integer_dot_add
};

/// Every parameter of every algorithm. Parameters that an algorithm does not have are ignored.
struct Design {
  std::string text;  ///< design:...
  Algorithm algorithm = Algorithm::fused_dot_add;
  const Format* a = nullptr;
  const Format* b = nullptr;
  const Format* c = nullptr;
  const Format* d = nullptr;
  const Format* scale = nullptr;  ///< nullptr: no scale factors
  int k = 0;
  int scale_block = 0;
  Result result;
  int block = 0;

  // fused-dot-add, split-fp8
  int fraction_bits = 0;
  std::optional<int> floor;
  bool zeros_count = false;
  int zero_exponent = -126;
  bool align_down = false;
  bool c_late = false;
  bool normalize_products = false;
  bool flush_inputs = false;
  std::optional<int> product_overflow;
  bool minus_zero = false;
  bool normalize_c = true;
  bool halves_added = false;

  // group-pairwise-sum, group-dot-fused-sum
  int group = 0;
  bool minus_zero_products = false;
  bool cancelled_groups_count = false;

  // integer-dot-add
  bool saturates = false;

  // round-down-dot-add
  int groups = 1;
  int product_bits = 24;
  int sum_bits = 31;
  bool sum_down = true;
  int c_bits = 24;
  bool c_down = true;
  std::optional<int> c_reach;
  std::optional<int> normalized_bits;
  bool overflow_joins = false;

  // sequential-fma, pair-dot-add
  bool subnormals_are_zeros = false;  ///< flush_inputs
  int reversed = 1;
  int chains = 1;
  bool fused = true;

  // bulk-normalized-dot-add, ones-complement-dot-add, floored-dot-add
  int guard_bits = 0;
  bool pseudo_code = false;
  bool flush_c = false;
  bool numbers_alone = false;
  bool zero_c_counts = false;
  bool through_f32 = false;
  bool halves_alternate = false;

  // partial-product-dot-add
  int first_phase = 0;
  int phases = 1;
  int a_bits = 5;
  int b_bits = 7;
  int aligned_bits = 23;
  bool minus_one_wraps = false;

  // rounded-product-dot-add
  Mode product_round = Mode::rto;
  std::optional<int> kept_of_sum;  ///< sum_bits

  int scales() const { return scale == nullptr ? 0 : k / scale_block; }
};

/// Throws std::invalid_argument for unknown names.
Design read_design(const std::string& text);

/// Operands of one dot product as bit patterns.
struct Operands {
  std::vector<std::uint64_t> a;
  std::vector<std::uint64_t> b;
  std::uint64_t c = 0;
  std::vector<std::uint64_t> sa;
  std::vector<std::uint64_t> sb;

  friend bool operator==(const Operands&, const Operands&) = default;
};

}  // namespace mmaspec::reference
