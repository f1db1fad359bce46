#pragma once
/// Monotonicity of one term graph, proved by difference bounds on a sum.
///
/// Let S be a sum in units of 2^E such that everything the two executions do not share reaches d
/// only through S and E. Suppose E rises by r from one execution to the other, and let p = 2^r.
/// Each member m of S that both executions share except for E is cut differently, with a bound that
/// a solver proves for that member alone, for all E: p m' - m >= b (p - 1). For the rest of S, the
/// members in which the executions differ, a solver proves that they gain what the others can lose:
/// p m' - m >= -B (p - 1), where B is the sum of the b. So p S' >= S by linear arithmetic. It
/// remains to show that d does not fall, a question about two sums, E and r. If E falls, the same
/// holds with the roles exchanged: m' - p m.

#include "queries/derive/lemmas.h"
#include "queries/derive/self_composition.h"

namespace mmaspec {

/// True if a proof was found that no input violates the statement and, with `nans_alike`, that
/// either both results or neither are NaNs.
bool derive_by_sum(SelfComposition& runs, bool nans_alike, Lemmas& lemmas);

/// The same in one query, over all nodes that both executions share.
bool derive_as_whole(SelfComposition& runs, bool nans_alike, Lemmas& lemmas);

}  // namespace mmaspec
