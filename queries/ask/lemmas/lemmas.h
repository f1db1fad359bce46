#pragma once
/// Relations between the matching stages of two executions. Solvers prove each of them from the
/// earlier ones, and a proof about both executions can use them as cutpoints. One step from a stage
/// to the next is easy to prove, however large the whole formula is.

#include <functional>
#include <string>
#include <vector>

#include "queries/ask/question.h"
#include "queries/statement/relation.h"

namespace mmaspec {

struct Lemma {
  StagePair pair;
  Relation relation;
};

/// The pairs of marks that two executions have left, in the order of their creation. `second_begin`
/// is the first mark of the second execution, if both have the same marks; otherwise the pairs are
/// patterns whose label occurs twice. The label shows whether a mark is a pattern of `result`'s
/// format.
std::vector<StagePair> stage_pairs(const Graph& graph, std::size_t first_begin,
                                   std::size_t second_begin, std::size_t end, const Format& result);

/// Proves as many lemmas about the pairs as it can. `relation_of` gives the relation to prove for a
/// pair. `base` is the final question: its conditions must be exactly those under which the lemmas
/// are to hold, and its candidates refute false lemmas. Its graph must be the current one.
std::vector<Lemma> prove_lemmas(const Question& base, const std::vector<StagePair>& pairs,
                                const std::function<Relation(const StagePair&)>& relation_of,
                                const Deadline& deadline, const Portfolio& solvers,
                                std::vector<AttemptReport>& attempts);

/// Substitutes the lemmas in a copy: as a Question's `given`, or, with `cut`, as one of its cuts
/// with the first execution's stage results free.
std::vector<Bool> apply(const std::vector<Lemma>& lemmas, bool cut, const Graph& graph,
                        Substitution& copy);

}  // namespace mmaspec
