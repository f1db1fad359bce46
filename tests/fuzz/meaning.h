#pragma once
/// The meaning of properties and differences on numbers, according to PROPERTIES.md, `mmaspec prove
/// --list`, `mmaspec diff --help` and the headers of queries/.

#include <optional>
#include <string>
#include <vector>

#include "tests/fuzz/draw/condition.h"
#include "tests/fuzz/draw/draw_inputs.h"
#include "tests/support/reference/dot.h"

namespace mmaspec::fuzz {

/// A design run on `k` products: chained, or padded with zeros.
struct Subject {
  reference::Design design;
  int k = 0;

  reference::Outcome run(const reference::Operands& x) const {
    return reference::evaluate_at(design, k, x);
  }
  /// The formats, with the K of the run.
  reference::Design formats() const {
    reference::Design f = design;
    f.k = k;
    return f;
  }
};

/// A property of a design.
struct Property {
  std::string name;
  Subject first;
  std::optional<Subject> second;  ///< for properties of two designs, and for single-normalization
  int within = 0;
  std::optional<reference::Rational> bound;
  std::vector<Condition> where;
  reference::Design formats;  ///< of `first`, with its K

  Inputs inputs() const;
  bool admits(const reference::Operands& x, std::uint64_t d) const;
  /// See Condition::score(): 1 if the operands are admitted.
  double score(const reference::Operands& x, std::uint64_t d) const;
};

/// The design that single-normalization compares with.
Subject in_one_piece(const Subject& subject);

/// Operands of the runs that the property concerns, and their results.
struct Runs {
  std::vector<reference::Operands> x;
  std::vector<std::uint64_t> d;
};

/// Empty if the runs violate the property; otherwise the reason why they do not.
std::string why_not_violated(const Property& property, const Runs& runs);

/// Searches near the operands, which the property admits, for a violation. Returns the runs that
/// violate the property. `evaluations` is increased by one for every evaluation.
std::optional<Runs> violation_near(const Property& property, const reference::Operands& x,
                                   Random& random, std::uint64_t& evaluations);

/// Bounds beyond which two results differ.
struct Difference {
  std::optional<reference::Wide> ulp;
  std::optional<reference::Rational> absolute;
  std::optional<reference::Rational> relative;
  bool signed_zero = false;
};
/// Steps between the two, counted as in queries/numbers/difference.h; nullopt: more than any
/// number.
std::optional<reference::Wide> distance_in_ulp(const reference::Format& fx, std::uint64_t x,
                                               const reference::Format& fy, std::uint64_t y);
bool differ(const Difference& difference, const reference::Format& fx, std::uint64_t x,
            const reference::Format& fy, std::uint64_t y);

/// The operands with the same values in the other formats; nullopt if a value does not exist there.
std::optional<reference::Operands> counterpart(const reference::Design& from,
                                               const reference::Operands& x,
                                               const reference::Design& to);

/// |d - exact| in ulp of the largest term; nullopt if an operand or d is not a number.
std::optional<reference::Rational> error_in_ulp(const reference::Design& formats,
                                                const reference::Operands& x, std::uint64_t d);

}  // namespace mmaspec::fuzz
