#pragma once
/// Copies of bitvector terms with some of them replaced.

#include <map>
#include <vector>

#include "encoder/bitvector.h"

namespace mmaspec::rtl {

/// Replaced terms, and rebuilt terms that depend on them.
using Replaced = std::map<TermId, TermId>;

/// `root` with the replacements, in the same set of terms. Adds the rebuilt terms to `replaced`.
TermId rewritten(BvTerms& terms, TermId root, Replaced& replaced);
/// One term rebuilt with `replaced` arguments; other arguments are unchanged.
TermId remade(BvTerms& terms, TermId term, const Replaced& replaced);

/// Terms on which both depend, and that a term on which only one depends uses.
std::vector<TermId> shared_terms(const BvTerms& terms, TermId x, TermId y);

}  // namespace mmaspec::rtl
