#pragma once
/// Inputs of kinds that find bugs: random bits, exponents close together and far apart, powers of
/// two, cancelling pairs, subnormals, zeros next to huge numbers, special values, ties, values
/// slightly beyond overflow, limits and ties that the loss of low bits misses, terms near the
/// alignment cut. With many products also sums that grow with each product, and a few huge terms
/// among small ones. For integers: random bits, small numbers, the smallest and the largest number,
/// and sums that reach these at an intermediate step or at the end.

#include <cstdint>
#include <vector>

#include "concrete/batch/evaluator.h"
#include "concrete/dot/model.h"
#include "spec/formats/unpack.h"
#include "util/split_mix.h"

namespace mmaspec {

/// Draws operands; the kind changes from draw to draw. `inputs` restricts the patterns. Equal seeds
/// give equal draws on every platform.
class Sampler {
 public:
  Sampler(const DotFormats& formats, InputClass inputs, unsigned seed);

  DotValues next();
  /// Fills each lane with a draw; rows have the order of dot_inputs(). One lane in eight is a draw
  /// as of next(). The others are derived from these, which is faster: products in another order, c
  /// or half of the products from another draw of the same kind, or a few changed operands. Each
  /// call continues the sequence of the last one. Throws std::logic_error for another number of
  /// rows.
  void fill(Lanes& lanes);

 private:
  /// The parameters of a format as machine integers.
  struct Machine {
    explicit Machine(const Format& format);
    const Format* format;
    std::uint64_t storage;         ///< mask of all bits of the pattern
    std::uint64_t sign;            ///< sign bit of the pattern without ignored low bits; 0: none
    std::uint64_t hidden;          ///< of the pattern without ignored low bits
    std::uint64_t largest_finite;  ///< of the pattern without ignored low bits and without sign
    int low;                       ///< number of ignored low bits
    int fraction;
    int bias;
    int top;      ///< the largest exponent field
    int least;    ///< exponent of the least normal number
    int largest;  ///< exponent of the largest power of two
    bool has_zero;
    bool minus_is_nan;  ///< the pattern of -0 is the NaN
    bool integer;
  };
  /// The choices that apply to a whole draw.
  struct Draw {
    unsigned kind;
    int spread;
    int centre;
  };
  /// How the elements of one format are drawn.
  struct Plan {
    int low;  ///< exponent fields low .. low + count - 1, as far as the format has them
    int count;
    std::uint64_t or_least;  ///< all ones: half of the fields are 0
    bool has_zero;           ///< one element in five is zero
    int few_in;              ///< one element in `few_in` has few fraction bits
  };

  /// Number of kinds of draws, of draws for each block, and of groups derived from them.
  static constexpr std::size_t kKinds = 13;
  static constexpr std::size_t kFresh = 4 * kKinds;
  static constexpr std::size_t kGroups = 8;

  void draw();
  void draw_alone();
  void draw_integers(const Draw& d);
  void draw_scaled_integers(const Draw& d);
  int ceil_log2_of_k() const;
  void make_block();
  void recombine(std::size_t group);
  void mutate(std::size_t row, std::size_t group);
  const Machine& machine_of(std::size_t row) const {
    return row < k_ ? a_ : row < 2 * k_ ? b_ : row == 2 * k_ ? c_ : scale_;
  }
  std::uint64_t random() { return random_(); }
  int below(int bound) { return random_.below(bound); }
  int between(int low, int high) { return random_.between(low, high); }
  bool one_in(int n) { return random_.one_in(n); }

  static std::uint64_t bit(int i) { return std::uint64_t{1} << i; }

  static Plan plan(const Draw& d, const Machine& m);
  std::uint64_t element(const Draw& d, const Plan& p, const Machine& m);
  std::uint64_t integer(const Machine& m, unsigned kind);
  /// The value of an integer's pattern, and the pattern of a value modulo 2^storage_bits.
  static std::int64_t value(const Machine& m, std::uint64_t pattern);
  static std::uint64_t pattern(const Machine& m, std::int64_t value);
  /// A number with an exponent field near `field` and `kept` random leading fraction bits.
  std::uint64_t number(const Machine& m, int field, int kept);
  std::uint64_t allowed(const Machine& m, std::uint64_t pattern);
  bool is_allowed(const Machine& m, std::uint64_t pattern) const;
  /// +-2^exponent, or the nearest power of two in the format and the class.
  std::uint64_t power(const Machine& m, int exponent, bool negative) const;
  std::uint64_t negated(const Machine& m, std::uint64_t pattern) const;

  // What each kind does after or instead of drawing its elements.
  void cancel_pairs();
  void zero_times_huge();
  void tie();
  void scaled_to_subnormal();
  /// Gives all blocks of a the same scale factor, and likewise all blocks of b, with the product
  /// 2^exponent if the format has it. Returns the exponent of the product.
  int scale_all_by(int exponent);
  void just_overflow();
  void miss_a_limit();
  void leave_cut_bits();
  void about_the_cut(const Draw& d);
  void crowd_at_a_tie();
  void grow(const Draw& d);
  void few_are_huge(const Draw& d);
  /// True if d holds every sum of four products, but not of all.
  bool only_full_sums_lose_bits() const;
  void fill_up();
  void clear_products();
  void plain_scales();
  /// Sets product k to +-2^exponent, or the nearest value that the formats have.
  void set_product(std::size_t k, int exponent, bool negative);
  /// The exponent range of a product of normal operands.
  int least_product() const { return a_.least + b_.least; }
  int largest_product() const { return a_.largest + b_.largest; }

  std::uint64_t& a(std::size_t k) { return values_[k]; }
  std::uint64_t& b(std::size_t k) { return values_[k_ + k]; }
  std::uint64_t& c() { return values_[2 * k_]; }

  DotFormats formats_;
  Machine a_;
  Machine b_;
  Machine c_;
  Machine d_;
  Machine scale_;
  std::size_t k_;
  std::size_t scales_;
  InputClass inputs_;
  SplitMix random_;
  unsigned kind_ = 0;
  std::vector<std::uint64_t> values_;  ///< one draw, in the order of dot_inputs()
  Lanes block_;
  std::size_t taken_;                  ///< number of lanes of the block that fill() has returned
  std::vector<std::size_t> permuted_;  ///< order of the products in a group
};

}  // namespace mmaspec
