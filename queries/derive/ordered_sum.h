#pragma once
/// The order of two results of one text that pass through one sum, by difference bounds.
///
/// Let S be a sum of the text, in units of 2^E, through which and E alone all goes to d that both
/// runs do not share. Where E rises by r from one run to the other, let p = 2^r. Each member m of S
/// that both runs share but for E is cut otherwise, by a bound that a solver proves of that member
/// alone, E free: p m' - m >= b (p - 1). What is left of S, the members by which the runs differ,
/// is proved to win what the others can lose: p m' - m >= -B (p - 1), B the sum of their b. So
/// p S' >= S, by linear arithmetic. That d falls nowhere then is a question about two sums, E and
/// r. Where E falls, the same the other way round: m' - p m.

#include "queries/derive/lemmas.h"
#include "queries/derive/two_runs.h"

namespace mmaspec {

/// True if no input satisfies what violates the statement, proved so; and, with `nans_alike`, that
/// either none or both results are NaNs.
bool derive_by_sum(TwoRuns& runs, bool nans_alike, Lemmas& lemmas);

/// The same asked at once, of whatever both runs share.
bool derive_as_whole(TwoRuns& runs, bool nans_alike, Lemmas& lemmas);

}  // namespace mmaspec
