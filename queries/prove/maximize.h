#pragma once
/// The largest difference between two instructions, with a proof that no input exceeds it, or the
/// largest found and the best bound proved.

#include "queries/prove/diff.h"

namespace mmaspec {

/// The distance of two results as numbers. With options.difference a tolerance of the other kind
/// may be given, as NumPy's |x - y| <= atol + rtol |x|, x the first one's result: the
/// distance is then the other tolerance that is needed.
enum class Measure {
  ulp,
  absolute,  ///< the least atol; difference.relative: rtol
  relative   ///< the least rtol; difference.absolute: atol
};

struct Maximum {
  std::optional<Witness>
      witness;  ///< of the largest difference found; nullopt: no difference was found
  /// NaN against a number, or (not in ulp) infinity against one; relative: zero against one beyond
  /// the tolerance
  bool unbounded = false;
  Rational found = 0;             ///< of the witness, in ulp of the first one's results or absolute
  std::optional<Rational> bound;  ///< proved upper bound; equals `found` if exact
  Grounds grounds;                ///< of the bound
  Vacuity vacuity = Vacuity::none;  ///< proved without a witness: whether there is any input
  double seconds = 0;
  Pair pair;
  std::vector<AttemptReport> attempts;
};

/// Climbs from drawn inputs; bounds the difference by the sum of both errors where these are known
/// (queries/distance/apart.h); then has solvers narrow what lies between, until the deadline or the
/// solvers' time has passed. `options`: of each question, its bounds and count left out. Throws as
/// diff() does, and std::invalid_argument where zeros of opposite signs are to differ: they lie no
/// distance apart. `known`: operands of the first one on which they differ, of options.where and
/// of both formats; what is found lies at least as far apart as on those of options.inputs.
Maximum maximize(const Instruction& first, const Instruction& second, const DiffOptions& options,
                 Measure measure, const Portfolio& solvers,
                 const std::vector<DotValues>& known = {});

}  // namespace mmaspec
