#pragma once
/// Draws operands that test a design: exponents close together, near the cuts, and at both ends of
/// the formats; products that cancel; ties; subnormal numbers and zeros; infinities and NaNs.

#include "tests/fuzz/draw/random.h"
#include "tests/support/reference/design.h"

namespace mmaspec::fuzz {

/// The values that operands may have.
enum class Inputs { finite, normal, any };

bool belongs(Inputs inputs, const reference::Format& format, std::uint64_t pattern);
bool belongs(Inputs inputs, const reference::Design& formats, const reference::Operands& x);

class InputDrawer {
 public:
  /// Operands of the design's formats, with `k` products. `cuts`: distances of exponents at which
  /// bits are cut off.
  InputDrawer(const reference::Design& design, int k, Inputs inputs, std::uint64_t seed);

  /// Adds the distances at which this design cuts bits off.
  void add_cuts(const reference::Design& design);
  /// Numbers that a condition names. They are drawn sometimes, and so are their neighbours.
  void add_numbers(std::vector<double> numbers) { numbers_ = std::move(numbers); }

  reference::Operands next();
  /// One operand, drawn independently of the others.
  std::uint64_t element(const reference::Format& format);
  Random& random() { return random_; }

 private:
  enum class Fraction { random, zero, ones, sparse };

  std::uint64_t number(const reference::Format& format, int exponent, bool negative);
  std::uint64_t fraction(const reference::Format& format);
  std::uint64_t near_number(const reference::Format& format);
  std::uint64_t special(const reference::Format& format);
  void product(std::size_t k, int exponent);
  int drawn_exponent();

  const reference::Design& design_;
  const int k_;
  const Inputs inputs_;
  Random random_;
  std::vector<int> cuts_;
  std::vector<double> numbers_;
  reference::Operands x_;
  Fraction style_ = Fraction::random;
};

}  // namespace mmaspec::fuzz
