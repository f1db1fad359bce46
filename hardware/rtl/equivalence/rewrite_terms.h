#pragma once
/// Copies of bitvector terms with some of them replaced.

#include <map>
#include <vector>

#include "encoder/bitvector.h"

namespace mmaspec::rtl {

/// Replaced terms, and copies of those made of them.
using Replaced = std::map<TermId, TermId>;

/// `root` with what is replaced, in the same terms. Adds the copies that it makes to `replaced`.
TermId rewritten(BvTerms& terms, TermId root, Replaced& replaced);
/// One term made anew of `replaced` arguments; arguments that are not there stay.
TermId remade(BvTerms& terms, TermId term, const Replaced& replaced);

/// Terms on which both depend, and that something that only one depends on uses.
std::vector<TermId> shared_terms(const BvTerms& terms, TermId x, TermId y);

}  // namespace mmaspec::rtl
