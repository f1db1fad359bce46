#pragma once
/// Inputs for designs of one or two sets of formats, limited to values that both sets hold:
/// ordinary data, and kinds of inputs that find bugs.

#include <optional>
#include <vector>

#include "concrete/batch/evaluator.h"
#include "queries/draw/samples.h"
#include "queries/values/pattern_values.h"

namespace mmaspec {

/// True if operands and scale factors have the same formats in both.
bool have_equal_operands(const DotFormats& x, const DotFormats& y);

class CommonInputs {
 public:
  /// `powers`: few nonzero terms, which are powers of two with any exponent of the formats. Many of
  /// these inputs give a tie of d's format, a sum close to a tie that a cut may lose, or two
  /// large terms that cancel next to a small one.
  enum class Kind { ordinary, both_signs, corners, powers };

  /// `formats`: those of the drawn patterns. `others`: formats that must hold the same numbers.
  /// Both have the same K.
  CommonInputs(const DotFormats& formats, const DotFormats& others, unsigned seed);

  /// Rows in the order of dot_inputs(formats).
  void fill(Kind kind, Lanes& lanes);

  /// |c| + sum |a||b| of a lane.
  double size(const Lanes& lanes, std::size_t lane) const;
  /// True if some operand is subnormal in either set of formats.
  bool has_subnormal(const Lanes& lanes, std::size_t lane) const;

 private:
  /// The formats of a row in both sets.
  struct Operand {
    PatternValues first;
    PatternValues second;
    bool same;  ///< both formats are the same
    bool is_scale;
    bool is_c;
  };

  void ordinary(bool both_signs, Lanes& lanes);
  void corners(Lanes& lanes);
  void powers(Lanes& lanes);
  double power(const Operand& operand);
  /// Sets two products of a lane that cancel and have a factor near the least normal number, which
  /// may be subnormal in one of the two formats, and a small term that their exponent may hide.
  void hide(Lanes& lanes, std::size_t lane);
  /// Sets a lane to a tie of d's format, to a value close to one, or to a large term that
  /// hides a tie.
  void tie(Lanes& lanes, std::size_t lane);
  /// Sets product `at` to +-2^exponent if the formats can represent it.
  void set_product(Lanes& lanes, std::size_t lane, std::size_t at, int exponent);
  std::pair<int, int> powers_of(const Operand& operand) const;
  /// The pattern of a value near x that both formats hold.
  std::uint64_t common(const Operand& operand, double x) const;
  double number(bool both_signs);
  const Operand& operand(std::size_t row) const { return operands_[kind_of_row_[row]]; }

  DotFormats formats_;
  std::vector<Operand> operands_;         ///< a, b, c, scale
  std::vector<std::size_t> kind_of_row_;  ///< index into operands_
  SplitMix random_;
  Sampler in_first_;
  std::optional<Sampler> in_second_;  ///< set if the formats differ
  bool second_next_ = false;
};

}  // namespace mmaspec
