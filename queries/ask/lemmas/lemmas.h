#pragma once
/// Relations between the matching stages of two runs, each proved by solvers from the ones before:
/// what a proof about both runs can be cut at. (A step from one stage to the next is small,
/// whatever the whole is.)

#include <functional>
#include <string>
#include <vector>

#include "queries/ask/lemmas/relation.h"
#include "queries/ask/question.h"

namespace mmaspec {

struct Lemma {
  StagePair pair;
  Relation relation;
};

/// The pairs of marks that two runs have left, in the order of their making. `second_begin`: the
/// first mark of the second run, if both have the same ones; else the pairs are patterns whose
/// label occurs twice. A mark's label says whether it is a pattern, of `result`'s format.
std::vector<StagePair> stage_pairs(const Graph& graph, std::size_t first_begin,
                                   std::size_t second_begin, std::size_t end, const Format& result);

/// Proves what it can of the pairs, each one's relation as `relation_of` says. `base`: the final
/// question, of which the conditions must be those alone under which the lemmas are to hold, and
/// whose candidates refute what is not so. Its graph is the current one.
std::vector<Lemma> prove_lemmas(const Question& base, const std::vector<StagePair>& pairs,
                                const std::function<Relation(const StagePair&)>& relation_of,
                                const Deadline& deadline, const Portfolio& solvers,
                                std::vector<AttemptReport>& attempts);

/// Puts the lemmas in: as a Question's `given`, or with `cut` as one of its cuts, the stages' first
/// results free.
std::vector<Bool> apply(const std::vector<Lemma>& lemmas, bool cut, const Graph& graph,
                        Substitution& copy);

}  // namespace mmaspec
