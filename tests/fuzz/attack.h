#pragma once
/// Tries to refute what is said to be proved: with every input where they are few, else with many
/// drawn ones.

#include <functional>
#include <optional>

#include "tests/fuzz/question.h"

namespace mmaspec::fuzz {

struct Attack {
  std::optional<Runs> found;   ///< a violation
  std::uint64_t inputs = 0;    ///< evaluations made
  std::uint64_t admitted = 0;  ///< inputs that satisfied the conditions
  bool exhaustive = false;     ///< every input was tried
};

/// `inputs`: how many are drawn. The property's bound must be set.
Attack attack(const Question& question, std::uint64_t inputs, Random& random);

/// Of diff: empty if the operands are a witness of the question with the difference `of`; else why
/// not.
std::string why_no_witness(const Question& question, const reference::Operands& x,
                           const Difference& of, Runs* runs = nullptr);

/// How far two results are apart: in ulp, or absolute; nullopt: no number says.
std::optional<reference::Rational> distance(const Question& question, std::uint64_t d,
                                            std::uint64_t d_other);

}  // namespace mmaspec::fuzz
