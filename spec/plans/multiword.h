#pragma once
/// Dot products of f32 operands by instructions of narrower ones: each operand is split into words,
/// and the words' products are added.

#include "spec/plans/scheme.h"

namespace mmaspec {

/// Who adds up the words' products.
enum class WordSums {
  one,     ///< one accumulator of the unit: after each step's product of words the next one's
  weight,  ///< one for each weight of products; their sums are added from the lowest weight on
  product  ///< one for each product of words; their sums are added from the lowest weight on
};

std::string to_string(WordSums sums);

/// x is word 0 + 2^-scale * word 1 + 2^-(2 scale) * word 2 ..., each word the rest's nearest (ties
/// to even). The weight of word i of a times word j of b is i + j: products up to the weight
/// `reach` are made, those of a weight in the order of i.
struct Words {
  int words = 2;
  int reach = 1;  ///< the largest weight; less than 0: that of the last word
  int scale = 0;  ///< bits by which the rest is scaled up before it is rounded to a word
  WordSums sums = WordSums::one;
  bool lowest_first = true;  ///< products of the largest i + j come first
  /// The products of weight 0 are added to the accumulator outside of the unit, step by step,
  /// rounded to nearest even.
  bool outside = false;
  bool subnormals = true;  ///< words may be; else the nearest of zero and normal numbers
  /// An f32 pattern. Not zero: all a are scaled by the largest power of two with which none exceeds
  /// it, and so are all b; the sum is scaled back, and c added to it, in f32.
  Integer theta = 0;

  friend bool operator==(const Words& x, const Words& y) {
    const auto& [words, reach, scale, sums, lowest_first, outside, subnormals, theta] = x;
    return words == y.words && reach == y.reach && scale == y.scale && sums == y.sums &&
           lowest_first == y.lowest_first && outside == y.outside && subnormals == y.subnormals &&
           theta == y.theta;
  }
};

/// M. Fasi et al., and Mary and Mikaitis: p words and the products that are not below the last
/// word's.
struct Multiword : Words {
  Multiword() : Words{2, -1, 0, WordSums::one, true, false, true, 0} {}

  static constexpr std::string_view kName = "multiword";
  static constexpr std::string_view kReference =
      "Fasi, Higham, Lopez, Mary and Mikaitis, SIAM J. Sci. Comput. 45(1), 2023, algorithm 3.1; "
      "Mary "
      "and Mikaitis 2025";
};

/// Four products of f16 words in the unit's accumulator, the rest unscaled.
struct Markidis : Words {
  static constexpr std::string_view kName = "markidis";
  static constexpr std::string_view kReference =
      "Markidis et al., NVIDIA Tensor Core Programmability, Performance & Precision, IPDPSW 2018, "
      "section V";
  Markidis() : Words{2, 2, 0, WordSums::one, false, false, true, 0} {}
};

/// Three products of f16 words, the rest scaled by 2^11, its products in an accumulator of their
/// own, and sums of the others outside of the unit, which would truncate them.
struct Ootomo : Words {
  static constexpr std::string_view kName = "ootomo";
  static constexpr std::string_view kReference =
      "Ootomo and Yokota, Recovering single precision accuracy from Tensor Cores, IJHPCA 36(4), "
      "2022, section 4";
  Ootomo() : Words{2, 1, 11, WordSums::weight, true, true, true, 0} {}
};

/// Three products of TF32 words in the unit's accumulator.
struct Tf32x3 : Words {
  static constexpr std::string_view kName = "tf32x3";
  static constexpr std::string_view kReference =
      "NVIDIA CUTLASS, examples/27_ampere_3xtf32_fast_accurate_tensorop_gemm";
  Tf32x3() : Words{2, 1, 0, WordSums::one, true, false, true, 0} {}
};

/// Two bf16 words and three products, each a dot product of its own.
struct Bf16x3 : Words {
  static constexpr std::string_view kName = "bf16x3";
  static constexpr std::string_view kReference =
      "Henry, Tang and Heinecke, ARITH 2019; OpenXLA, xla/backends/gpu/codegen, BF16_BF16_F32_X3";
  Bf16x3() : Words{2, 1, 0, WordSums::product, true, false, true, 0} {}
};

/// Three bf16 words and six products.
struct Bf16x6 : Words {
  static constexpr std::string_view kName = "bf16x6";
  static constexpr std::string_view kReference =
      "Henry, Tang and Heinecke, ARITH 2019; OpenXLA, xla/backends/gpu/codegen, BF16_BF16_F32_X6";
  Bf16x6() : Words{3, 2, 0, WordSums::product, true, false, true, 0} {}
};

/// Three bf16 words and nine products.
struct Bf16x9 : Words {
  static constexpr std::string_view kName = "bf16x9";
  static constexpr std::string_view kReference =
      "Henry, Tang and Heinecke, ARITH 2019; NVIDIA cuBLAS 12.9, FP32 emulation with BF16x9";
  Bf16x9() : Words{3, 4, 0, WordSums::product, true, false, true, 0} {}
};

/// Words i of a and j of b.
struct WordPair {
  int i;
  int j;
  int weight() const { return i + j; }
};

/// What one accumulator adds: step by step the products of these pairs one after the other.
struct WordSum {
  std::vector<WordPair> pairs;
  bool takes_c;  ///< it starts from c, and the others from +0
  bool outside;  ///< see Words: of one pair
};

/// The sums of words' products in the order in which they are added: from the lowest weight on.
std::vector<WordSum> sums_of_words(const Words& scheme);
/// The words of an operand, an f32 pattern: patterns of `word`.
std::vector<Int> words_of(const Words& scheme, const Format& word, Int operand);
/// The value of a sum plus that of the sums before, of which `lower` is the last one; of `d` all.
Int with_lower_sums(const Words& scheme, const Format& d, const WordSum& sum, Int value,
                    const WordSum& lower, Int of_lower);

/// The plan's formats: a and b of f32, c and d as the inner one has them, or f32 with theta. Throws
/// std::invalid_argument unless the inner one's operands are of one format, and c's that of d.
DotFormats formats_around(const Words& scheme, const Inner& inner, int k);
void describe(Words& scheme, const DotFormats& formats, ParameterVisitor& visit);
Int build_plan(const Words& scheme, const Inner& inner, const DotFormats& formats,
               const DotOperands& operands);
int plan_step(const Words& scheme, const Inner& inner);

}  // namespace mmaspec
