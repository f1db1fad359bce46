#pragma once
/// Tries to refute an answer that says "proved": with every input if there are few, otherwise with
/// many random inputs.

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

/// `inputs`: the number of random inputs. The property's bound must be set.
Attack attack(const Question& question, std::uint64_t inputs, Random& random);

/// For diff: empty if the operands are a witness of the question, with a difference of `of`;
/// otherwise the reason why they are not.
std::string why_no_witness(const Question& question, const reference::Operands& x,
                           const Difference& of, Runs* runs = nullptr);

/// The distance of two results, in ulp or absolute; nullopt if it is not a number.
std::optional<reference::Rational> distance(const Question& question, std::uint64_t d,
                                            std::uint64_t d_other);

}  // namespace mmaspec::fuzz
