#pragma once
/// Chains of aligned sums computed by a processor's floating-point operations, for one instruction
/// set. concrete/aligned/lower.h sets them up and executes them. Plain data only, because the
/// sources that include this header are compiled for instruction sets that not every machine has.

#include <cstddef>
#include <cstdint>

namespace mmaspec::aligned {

/// Largest number of aligned sums, and of groups, in a step.
inline constexpr std::size_t kMostSums = 4;
inline constexpr std::size_t kMostGroups = 16;

/// The exponent of an operand that never determines a maximum. The sum of two such exponents fits
/// an int16.
inline constexpr std::int32_t kNeverCounts = -16384;

/// Not the magnitude of any pattern: magnitudes have at most 31 bits and are not all ones.
inline constexpr std::uint32_t kNone = 0x7fffffff;

/// How patterns of an operand are decoded. The magnitude of a pattern is all its bits except the
/// sign and the ignored bits.
struct Decoding {
  std::uint32_t ignored_low_bits;
  std::uint32_t fraction_bits;
  std::uint32_t exponent_bits;
  std::uint32_t has_sign;
  std::uint32_t hidden;          ///< added to the fraction if the exponent field is not zero
  std::uint32_t hidden_of_zero;  ///< the same for exponent field 0: 0 if there are subnormals
  std::int32_t least_field;      ///< lower bound for exponent fields: 1 if there are subnormals
  std::int32_t bias;
  std::uint32_t infinite;       ///< the magnitude of infinity; kNone: none
  std::uint32_t nan_from;       ///< magnitudes from this one on are NaN; kNone: none
  std::uint32_t nan_pattern;    ///< this pattern, sign included, is NaN; kNone: none
  std::uint32_t flushes;        ///< subnormals count as +0
  std::int32_t least_exponent;  ///< lower bound for exponents
  std::int32_t zero_exponent;   ///< the exponent of a zero: kNeverCounts, or what zeros count as
};

/// How an exact sum is converted to a result.
struct Result {
  std::int32_t rounding;        ///< as in MXCSR: 0 nearest even, 1 down, 2 up, 3 toward zero
  std::uint32_t is_direct;      ///< f32 with all its bits: use the processor's conversion
  std::int32_t least_exponent;  ///< of the format's normal numbers
  std::int32_t fraction_bits;   ///< number of fraction bits kept
  float largest;                ///< the largest number of the format, with all its fraction bits
  double
      overflow_from;  ///< sums of at least this magnitude (rounded ones unless is_direct) overflow
  float overflow_positive;  ///< their results
  float overflow_negative;
  float flush_below;                      ///< smaller results become zero; 0: no flush
  std::uint32_t keeps_sign_of_underflow;  ///< otherwise every zero is +0
};

/// How c's format is read in the first step (the given c) and in later ones (a result).
struct Accumulator {
  std::int32_t least_exponent;  ///< lower bound for exponents
  std::int32_t zero_exponent;   ///< of a zero
  float flush_below;            ///< smaller numbers count as +0; 0: no flush
};

enum class Family : std::uint32_t {
  fused,       ///< FusedDotAdd
  round_down,  ///< RoundDownDotAdd
  split,       ///< SplitFp8
  groups,      ///< GroupDotFusedSum
};

/// A chain of equal steps. Products have the order in which the sums take them: first those of a
/// step's first sum, then those of its second sum, and so on.
struct Chain {
  Family family;
  std::uint32_t sums;      ///< number of aligned sums in a step
  std::uint32_t products;  ///< number of products of each sum
  /// Operands are doubles, and so are sums; otherwise operands are floats, and sums are int32_t.
  std::uint32_t in_double;
  std::uint32_t at_once;       ///< largest number of products whose aligned terms have a sum that
                               ///< an int32_t holds
  std::uint32_t floors;        ///< terms are rounded down, otherwise toward zero
  std::int32_t fraction_bits;  ///< F: terms are in units of 2^(largest exponent - F)
  std::int32_t floor;          ///< lower bound for the largest exponent
  std::int32_t least_scale;    ///< for floats: lower bound for the exponent of 2^(F - largest
                               ///< exponent)
  Accumulator first;
  Accumulator later;
  Result result;
  // For split: whether the second half starts from the first half's sum, and the rounding of the
  // additions.
  std::uint32_t chained_halves;
  Result addition;
  // For round_down.
  std::int32_t sum_bits;
  std::uint32_t sum_floors;  ///< otherwise toward zero
  std::int32_t c_bits;
  std::uint32_t c_floors;
  std::int32_t c_reach;          ///< c counts as zero if its exponent is lower by more than this; a
                                 ///< huge value: never
  std::int32_t normalized_bits;  ///< -1: none
  std::uint32_t may_overflow;    ///< products can reach 2^overflow_exponent
  std::int32_t overflow_exponent;
  std::uint32_t overflow_joins;
  // For groups: `sums` groups of `products` floats each; scale factors are doubles, one for each
  // group.
  std::uint32_t leaves_zeros_out;  ///< groups whose sum is zero do not affect the maximum
  std::uint32_t cancelled_count;   ///< unless only some of their products cancel
};

/// Decoded operands of some steps, and accumulators. Rows of `a` and the panel of `b` have the
/// products of these steps in sequence, `steps * sums * products` of them.
struct Panel {
  std::size_t rows;
  std::size_t steps;
  /// Row by row; consecutive rows are a_step values apart. If each lane has its own operands a, in
  /// the layout of b.
  const void* a;
  const std::int32_t* a_exponents;      ///< each is an int16_t, stored in both halves
  const std::int16_t* own_a_exponents;  ///< used instead if lanes have their own operands a
  std::size_t a_step;
  const std::uint8_t* a_specials;  ///< for each row and step: whether some operand is NaN or
                                   ///< infinite
  std::size_t a_specials_step;
  /// A value for each lane of the panel, product by product, aligned to 64 bytes.
  const void* b;
  const std::int16_t* b_exponents;
  const std::uint8_t* b_specials;  ///< for each step
  float* sums;                     ///< `lanes` values for each row: first c, then results; NaN
                                   ///< represents the design's NaN
  std::uint32_t is_first;          ///< the first of these steps uses the given c
  /// For groups: scale factors, one for each group in the position of a product.
  const double* scale_a;
  const std::int32_t* scale_a_exponents;
  const std::int16_t* own_scale_a_exponents;
  const double* scale_b;
  const std::int16_t* scale_b_exponents;
  /// Each lane has its own operands a, in the layout of b. A panel then has own_lanes lanes, `rows`
  /// is the number of its parts of `lanes` lanes each, and a_specials_step is 0.
  std::uint32_t has_own_a;
};

/// Rows of `length` patterns each, in words of `bytes` (1, 2, 4 or 8) bytes.
struct Rows {
  const void* const* rows;
  std::size_t count;
  std::size_t length;
  std::uint32_t bytes;
};

struct Kernels {
  std::size_t lanes;      ///< number of lanes of a panel
  std::size_t own_lanes;  ///< the same if lanes have their own operands a: a multiple of `lanes`
  void (*run)(const Chain&, const Panel&);
  /// Decodes rows of patterns into consecutive rows of floats, or doubles if `in_double`. Returns
  /// true if some pattern is NaN or infinite.
  bool (*decode)(const Decoding&, bool in_double, const Rows&, void* values,
                 std::int16_t* exponents);
  /// Multiplies decoded operands by their scale factors, which are decoded alike, and adds the
  /// exponents.
  void (*multiply)(bool in_double, void* values, std::int16_t* exponents, const void* scales,
                   const std::int16_t* scale_exponents, std::size_t count);
  /// True if each exponent is kNeverCounts or between -most and most.
  bool (*are_between)(const std::int16_t* exponents, std::size_t count, int most);
};

/// nullptr if this build lacks them.
const Kernels* avx2_kernels();
const Kernels* avx512_kernels();

}  // namespace mmaspec::aligned
