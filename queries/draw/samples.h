#pragma once
/// Inputs of the kinds that find bugs: random bits, exponents near to each other and far apart,
/// powers of two, cancelling pairs, subnormals, zeros beside huge numbers, special values, ties,
/// overflow by a hair, limits and ties missed by what few kept bits lose, terms about the alignment
/// cut. Of many products also sums that grow with each, and few huge terms apart among small ones.
/// Of integers: random bits, small ones, the least and the largest, sums that reach these on the
/// way or at the end.

#include <cstdint>
#include <vector>

#include "concrete/batch/evaluator.h"
#include "concrete/dot/model.h"
#include "spec/formats/unpack.h"
#include "util/split_mix.h"

namespace mmaspec {

/// Draws operands; the kind changes from one draw to the next. `inputs` bounds the patterns drawn.
/// The same for the same seed, everywhere.
class Sampler {
 public:
  Sampler(const DotFormats& formats, InputClass inputs, unsigned seed);

  DotValues next();
  /// Many draws, one a lane; rows in the order of dot_inputs(). One in eight is such as next()
  /// makes; the others are made of these, which is faster: products in another order, c or half of
  /// the products of another draw of the same kind, some operands changed a little. Lanes continue
  /// where the last call ended. Throws std::logic_error for another number of rows.
  void fill(Lanes& lanes);

 private:
  /// A format as machine integers.
  struct Machine {
    explicit Machine(const Format& format);
    const Format* format;
    std::uint64_t storage;         ///< all bits of the pattern
    std::uint64_t sign;            ///< of the pattern without ignored low bits; 0: none
    std::uint64_t hidden;          ///< likewise
    std::uint64_t largest_finite;  ///< likewise, without sign
    int low;                       ///< ignored low bits
    int fraction;
    int bias;
    int top;      ///< the largest field
    int least;    ///< exponent of the least normal number
    int largest;  ///< of the largest power of two
    bool has_zero;
    bool minus_is_nan;  ///< -0 is the NaN
    bool integer;
  };
  /// What a whole draw keeps to.
  struct Draw {
    unsigned kind;
    int spread;
    int centre;
  };
  /// How its elements of one format are drawn.
  struct Plan {
    int low;  ///< exponent fields low .. low + count - 1, as far as there are such
    int count;
    std::uint64_t or_least;  ///< all ones: half of the fields are 0
    bool has_zero;           ///< one in five is zero
    int few_in;              ///< one in so many has few fraction bits
  };

  /// Draws of which a block is made, some of each kind; and the groups that are made of them.
  static constexpr std::size_t kKinds = 13;
  static constexpr std::size_t kFresh = 4 * kKinds;
  static constexpr std::size_t kGroups = 8;

  void draw();
  void draw_integers(const Draw& d);
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
  /// The number of an integer's pattern, and the pattern of one modulo 2^storage_bits.
  static std::int64_t value(const Machine& m, std::uint64_t pattern);
  static std::uint64_t pattern(const Machine& m, std::int64_t value);
  /// With the exponent field near `field` and `kept` random leading fraction bits.
  std::uint64_t number(const Machine& m, int field, int kept);
  std::uint64_t allowed(const Machine& m, std::uint64_t pattern);
  bool is_allowed(const Machine& m, std::uint64_t pattern) const;
  /// +-2^exponent, or the nearest power of two that the format and the class hold.
  std::uint64_t power(const Machine& m, int exponent, bool negative) const;
  std::uint64_t negated(const Machine& m, std::uint64_t pattern) const;

  // What a kind does after its elements were drawn, or instead.
  void cancel_pairs();
  void zero_times_huge();
  void tie();
  void scaled_to_subnormal();
  /// Gives all blocks of a one scale factor, and all of b: 2^exponent together, where the format
  /// holds them. Returns the exponent that they have.
  int scale_all_by(int exponent);
  void just_overflow();
  void miss_a_limit();
  void leave_cut_bits();
  void about_the_cut(const Draw& d);
  void crowd_at_a_tie();
  void grow(const Draw& d);
  void few_are_huge(const Draw& d);
  void clear_products();
  void plain_scales();
  /// Makes product k +-2^exponent, as nearly as the formats hold it.
  void set_product(std::size_t k, int exponent, bool negative);
  /// A product's exponent range, of normal operands.
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
  std::vector<std::uint64_t> values_;  ///< of one draw, in the order of dot_inputs()
  Lanes block_;
  std::size_t taken_;                  ///< lanes of the block that fill() gave
  std::vector<std::size_t> permuted_;  ///< products in a group's order
};

}  // namespace mmaspec
