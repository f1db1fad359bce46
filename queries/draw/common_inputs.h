#pragma once
/// Inputs for designs of two sets of formats, or of one: ordinary data, and the kinds that find
/// bugs, of values that both sets hold.

#include <optional>
#include <vector>

#include "concrete/batch/evaluator.h"
#include "queries/draw/samples.h"
#include "queries/numbers/pattern_values.h"

namespace mmaspec {

/// Whether operands and scale factors have the same formats in both.
bool have_equal_operands(const DotFormats& x, const DotFormats& y);

class CommonInputs {
 public:
  /// `powers`: few terms that are not zero, powers of two of any exponent the formats have; many of
  /// them make a tie of d's format, and a hair beside it that a cut may lose, or two large terms
  /// that cancel beside a small one.
  enum class Kind { ordinary, both_signs, corners, powers };

  /// `formats`: of the patterns drawn; `others`: whose numbers they are to be, too. K is that of
  /// both.
  CommonInputs(const DotFormats& formats, const DotFormats& others, unsigned seed);

  /// Rows in the order of dot_inputs(formats).
  void fill(Kind kind, Lanes& lanes);

  /// |c| + sum |a||b| of a lane.
  double size(const Lanes& lanes, std::size_t lane) const;
  /// Some operand is subnormal in either set of formats.
  bool has_subnormal(const Lanes& lanes, std::size_t lane) const;

 private:
  /// What a row holds: its format in both sets.
  struct Operand {
    PatternValues first;
    PatternValues second;
    bool same;  ///< one format
    bool is_scale;
    bool is_c;
  };

  void ordinary(bool both_signs, Lanes& lanes);
  void corners(Lanes& lanes);
  void powers(Lanes& lanes);
  double power(const Operand& operand);
  /// Makes a lane two products that cancel, of a factor near the least numbers, which one of two
  /// formats may hold as subnormal, and a small term that their exponent may hide.
  void hide(Lanes& lanes, std::size_t lane);
  /// Makes a lane a tie of d's format, a hair beside it, or a large term that hides one.
  void tie(Lanes& lanes, std::size_t lane);
  /// Makes product `at` +-2^exponent if the formats can.
  void set_product(Lanes& lanes, std::size_t lane, std::size_t at, int exponent);
  std::pair<int, int> powers_of(const Operand& operand) const;
  /// The pattern of a value near x that both formats hold.
  std::uint64_t common(const Operand& operand, double x) const;
  double number(bool both_signs);
  const Operand& operand(std::size_t row) const { return operands_[kind_of_row_[row]]; }

  DotFormats formats_;
  std::vector<Operand> operands_;         ///< a, b, c, scale
  std::vector<std::size_t> kind_of_row_;  ///< which of them
  SplitMix random_;
  Sampler in_first_;
  std::optional<Sampler> in_second_;  ///< of other formats
  bool second_next_ = false;
};

}  // namespace mmaspec
