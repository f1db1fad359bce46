#pragma once
/// Proofs as text, with a line of JSON for each definition and each step; and the check of proofs.
///
///     {"define":["less",[3,4]]}
///     {"refuted":[5,-9],"free":[2],"rewrites":[[4,3,1]],"premises":[1],
///      "clauses":"SHA-256 of the DIMACS text"}
///
/// Nodes and steps are numbered from 1, and a negative number is the negation of a node. A
/// rewriting is a node, the node whose word replaces it, and the step that shows them equal; a step
/// without any has no "rewrites". The digest is for readers and for clear messages: the check uses
/// the clauses themselves.

#include <functional>
#include <string>
#include <string_view>

#include "proof/kernel/kernel.h"

namespace mmaspec::kernel {

/// The line that defines a node, which must be the graph's last.
std::string define_line(const TermGraph& graph, NodeId id);
/// The line of a step with these clauses.
std::string step_line(const Step& step, const Cnf& clauses);

/// Returns the LRAT proof of a step, numbered from 1, for these clauses.
using LratOf = std::function<std::string(std::size_t step, const Cnf& clauses)>;

/// Checks a proof. Throws Rejected or std::invalid_argument unless each line is a definition or a
/// step that the kernel admits, and the goal follows; also throws what `lrat` throws.
Theorem check(Goal goal, std::string_view proof, const LratOf& lrat);

}  // namespace mmaspec::kernel
