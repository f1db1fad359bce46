#pragma once
/// What properties and differences mean, on numbers: from PROPERTIES.md and what `mmaspec prove
/// --list`, `mmaspec diff --help` and the headers of queries/ say.

#include <optional>
#include <string>
#include <vector>

#include "tests/fuzz/draw/condition.h"
#include "tests/fuzz/draw/draw_inputs.h"
#include "tests/support/reference/dot.h"

namespace mmaspec::fuzz {

/// A design run on `k` products: chained, or with zeros behind them.
struct Subject {
  reference::Design design;
  int k = 0;

  reference::Outcome run(const reference::Operands& x) const {
    return reference::evaluate_at(design, k, x);
  }
  /// The formats, with K as it is run.
  reference::Design formats() const {
    reference::Design f = design;
    f.k = k;
    return f;
  }
};

/// A property asked of a design.
struct Property {
  std::string name;
  Subject first;
  std::optional<Subject> second;  ///< of properties of two, and of single-normalization
  int within = 0;
  std::optional<reference::Rational> bound;
  std::vector<Condition> where;
  reference::Design formats;  ///< of `first`, with its K

  Inputs inputs() const;
  bool admits(const reference::Operands& x, std::uint64_t d) const;
  /// How far from admitting (see Condition::score).
  double score(const reference::Operands& x, std::uint64_t d) const;
};

/// The design that single-normalization compares with.
Subject in_one_piece(const Subject& subject);

/// Operands of the runs that the property speaks of, and their results.
struct Runs {
  std::vector<reference::Operands> x;
  std::vector<std::uint64_t> d;
};

/// Empty if the runs violate the property; else why they do not.
std::string why_not_violated(const Property& property, const Runs& runs);

/// Looks for a violation about the operands, which the property admits: the runs that it made, if
/// they violate. `runs` is counted up for every evaluation.
std::optional<Runs> violation_near(const Property& property, const reference::Operands& x,
                                   Random& random, std::uint64_t& evaluations);

/// When two results differ.
struct Difference {
  std::optional<reference::Wide> ulp;
  std::optional<reference::Rational> absolute;
  std::optional<reference::Rational> relative;
  bool signed_zero = false;
};
/// Steps from one to the other, as queries/numbers/difference.h counts them; nullopt: more than any
/// number.
std::optional<reference::Wide> distance_in_ulp(const reference::Format& fx, std::uint64_t x,
                                               const reference::Format& fy, std::uint64_t y);
bool differ(const Difference& difference, const reference::Format& fx, std::uint64_t x,
            const reference::Format& fy, std::uint64_t y);

/// The operands with the same values in the other formats; nullopt if some have none there.
std::optional<reference::Operands> counterpart(const reference::Design& from,
                                               const reference::Operands& x,
                                               const reference::Design& to);

/// |d - exact| in ulp of the largest term; nullopt where something is not a number.
std::optional<reference::Rational> error_in_ulp(const reference::Design& formats,
                                                const reference::Operands& x, std::uint64_t d);

}  // namespace mmaspec::fuzz
