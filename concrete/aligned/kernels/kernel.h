#pragma once
/// Chains of aligned sums computed by a processor's floating-point operations, for one instruction
/// set: what concrete/aligned/chain.h sets up and runs. Plain data only: the sources that include
/// this are compiled for instruction sets that not every machine has.

#include <cstddef>
#include <cstdint>

namespace mmaspec::aligned {

/// Aligned sums of a step, at most; and groups.
inline constexpr std::size_t kMostSums = 4;
inline constexpr std::size_t kMostGroups = 16;

/// The exponent of an operand that counts for no maximum. The sum of two stays an int16.
inline constexpr std::int32_t kNeverCounts = -16384;

/// No magnitude: they have at most 31 bits, and are not all ones.
inline constexpr std::uint32_t kNone = 0x7fffffff;

/// How patterns of an operand are decoded. A pattern's magnitude is all its bits without the sign
/// and without those that the format ignores.
struct Decoding {
  std::uint32_t ignored_low_bits;
  std::uint32_t fraction_bits;
  std::uint32_t exponent_bits;
  std::uint32_t has_sign;
  std::uint32_t hidden;          ///< added to the fraction of a non-zero exponent field
  std::uint32_t hidden_of_zero;  ///< and of exponent field 0: 0 where there are subnormals
  std::int32_t least_field;  ///< exponent fields count at least this: 1 where there are subnormals
  std::int32_t bias;
  std::uint32_t infinite;       ///< the magnitude of infinity; kNone: none
  std::uint32_t nan_from;       ///< magnitudes from here on are NaN; kNone: none
  std::uint32_t nan_pattern;    ///< this pattern, sign included, is NaN; kNone: none
  std::uint32_t flushes;        ///< subnormals count as +0
  std::int32_t least_exponent;  ///< exponents count at least this
  std::int32_t zero_exponent;   ///< of a zero: kNeverCounts, or what zeros count
};

/// What becomes of an exact sum.
struct Result {
  std::int32_t rounding;        ///< MXCSR's: 0 nearest even, 1 down, 2 up, 3 toward zero
  std::uint32_t is_direct;      ///< f32 with all its bits: the processor's conversion
  std::int32_t least_exponent;  ///< of the format's normal numbers
  std::int32_t fraction_bits;   ///< those kept
  float largest;                ///< the largest number of the format, of all its fraction bits
  double
      overflow_from;  ///< sums (rounded ones unless is_direct) of this magnitude or more overflow
  float overflow_positive;  ///< what they become
  float overflow_negative;
  float flush_below;                      ///< smaller results become zeros; 0: none do
  std::uint32_t keeps_sign_of_underflow;  ///< else every zero is +0
};

/// What of c's format counts in the first step (c as it is given) and in later ones (a result).
struct Accumulator {
  std::int32_t least_exponent;  ///< exponents count at least this
  std::int32_t zero_exponent;   ///< of a zero
  float flush_below;            ///< smaller ones count as +0; 0: none do
};

enum class Family : std::uint32_t {
  fused,       ///< FusedDotAdd
  round_down,  ///< RoundDownDotAdd
  split,       ///< SplitFp8
  groups,      ///< GroupDotFusedSum
};

/// A chain of equal steps. Products are in the order in which the sums take them: those of a step's
/// first sum, those of its second one...
struct Chain {
  Family family;
  std::uint32_t sums;      ///< aligned sums of a step
  std::uint32_t products;  ///< of each of them
  /// Operands are doubles, and sums of doubles; else floats, and sums of int32_t.
  std::uint32_t in_double;
  std::uint32_t at_once;       ///< products, at most, whose aligned terms' sum an int32_t holds
  std::uint32_t floors;        ///< terms are rounded down, else toward zero
  std::int32_t fraction_bits;  ///< F: terms are in units of 2^(largest exponent - F)
  std::int32_t floor;          ///< the largest exponent counts at least this
  std::int32_t least_scale;    ///< in float: 2^(F - largest exponent) counts at least 2^this
  Accumulator first;
  Accumulator later;
  Result result;
  // split: whether the second half starts from the first one's sum, and what rounds the additions.
  std::uint32_t chained_halves;
  Result addition;
  // round_down.
  std::int32_t sum_bits;
  std::uint32_t sum_floors;  ///< else toward zero
  std::int32_t c_bits;
  std::uint32_t c_floors;
  std::int32_t c_reach;          ///< c counts as zero if its exponent is further below; huge: never
  std::int32_t normalized_bits;  ///< -1: none
  std::uint32_t may_overflow;    ///< products can reach overflow_exponent
  std::int32_t overflow_exponent;
  std::uint32_t overflow_joins;
  // groups: `sums` groups of `products`, of floats; scale factors are doubles, one a group.
  std::uint32_t leaves_zeros_out;  ///< groups whose sum is zero count for no maximum
  std::uint32_t cancelled_count;   ///< unless only some of their products cancel
};

/// Decoded operands of some steps, and accumulators. Rows of `a` and the panel of `b` have the
/// products of these steps one behind the other, `steps * sums * products` of them.
struct Panel {
  std::size_t rows;
  std::size_t steps;
  /// Row by row, from one row to the next a_step values. Where each lane has its own operand, as b.
  const void* a;
  const std::int32_t* a_exponents;      ///< each an int16_t in both halves
  const std::int16_t* own_a_exponents;  ///< instead, where lanes have their own
  std::size_t a_step;
  const std::uint8_t* a_specials;  ///< by row and step: some operand is NaN or infinite
  std::size_t a_specials_step;
  /// A value for each lane of the panel, product by product, aligned to 64 bytes.
  const void* b;
  const std::int16_t* b_exponents;
  const std::uint8_t* b_specials;  ///< by step
  float* sums;                     ///< `lanes` a row: c, then results; NaN: the design's NaN
  std::uint32_t is_first;          ///< the first of these steps takes c as it is given
  /// groups: scale factors, a group in a product's place.
  const double* scale_a;
  const std::int32_t* scale_a_exponents;
  const std::int16_t* own_scale_a_exponents;
  const double* scale_b;
  const std::int16_t* scale_b_exponents;
  /// Each lane has its own operands a, which lie as b does. A panel has own_lanes then, and `rows`
  /// are its parts of `lanes` each; a_specials_step is 0.
  std::uint32_t has_own_a;
};

/// Rows of patterns, `length` in each, in words of `bytes` (1, 2, 4 or 8).
struct Rows {
  const void* const* rows;
  std::size_t count;
  std::size_t length;
  std::uint32_t bytes;
};

struct Kernels {
  std::size_t lanes;      ///< of a panel
  std::size_t own_lanes;  ///< of a panel whose lanes have their own operands a: a multiple
  void (*run)(const Chain&, const Panel&);
  /// Decodes rows of patterns into floats, or doubles if `in_double`, one row behind the other:
  /// true if some pattern is NaN or infinite.
  bool (*decode)(const Decoding&, bool in_double, const Rows&, void* values,
                 std::int16_t* exponents);
  /// Decoded operands times their scale factors, decoded alike; exponents are added.
  void (*multiply)(bool in_double, void* values, std::int16_t* exponents, const void* scales,
                   const std::int16_t* scale_exponents, std::size_t count);
  /// Each exponent is kNeverCounts, or between -most and most.
  bool (*are_between)(const std::int16_t* exponents, std::size_t count, int most);
};

/// nullptr where this build has none.
const Kernels* avx2_kernels();
const Kernels* avx512_kernels();

}  // namespace mmaspec::aligned
