#pragma once
/// The largest difference between two instructions, with a proof that no input exceeds it, or the
/// largest found and the best bound proved.

#include "queries/prove/diff.h"

namespace mmaspec {

/// How the distance of two results is measured. With options.difference, a tolerance of the other
/// kind may be given, as in NumPy's |x - y| <= atol + rtol |x| with x the first one's result. The
/// distance is then the other tolerance that is needed.
enum class Measure {
  ulp,
  absolute,  ///< the least atol; difference.relative: rtol
  relative   ///< the least rtol; difference.absolute: atol
};

struct Maximum {
  std::optional<Witness> witness;  ///< of the largest difference found; nullopt: none was found
  /// NaN against a number; infinity against a number, unless in ulp; for relative, zero against a
  /// number beyond the tolerance
  bool unbounded = false;
  Rational found = 0;               ///< the difference of the witness: in ulp of the first one's
                                    ///< results, or as the measure says
  std::optional<Rational> bound;    ///< proved upper bound; equals `found` if exact
  Justification justification;      ///< of the bound
  Vacuity vacuity = Vacuity::none;  ///< if proved without a witness: whether the proof is vacuous
  double seconds = 0;
  Pair pair;
  std::vector<AttemptReport> attempts;
};

/// Finds the largest difference and a proved upper bound. A local search gives the largest
/// difference found. The sum of both error bounds, if known, is an upper bound
/// (queries/distance/apart.h). Solvers then narrow the interval between the two, until the deadline
/// or the solvers' time limit.
///
/// `options`: as for diff(); its bounds and count are not used. `known`: operands of the first one
/// on which the two differ, which satisfy options.where and are in both formats; the difference
/// found is at least as large as on those of them that belong to options.inputs. Throws what diff()
/// throws, and std::invalid_argument if zeros of opposite signs are to differ, because their
/// distance is zero.
Maximum maximize(const Instruction& first, const Instruction& second, const DiffOptions& options,
                 Measure measure, const Portfolio& solvers,
                 const std::vector<DotValues>& known = {});

}  // namespace mmaspec
