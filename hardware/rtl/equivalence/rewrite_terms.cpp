#include "hardware/rtl/equivalence/rewrite_terms.h"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace mmaspec::rtl {

TermId remade(BvTerms& terms, TermId term, const Replaced& replaced) {
  const BvTerm t = terms[term];  // a copy, because new terms may move the existing ones
  std::vector<TermId> args;
  bool same = true;
  for (const TermId a : t.args) {
    const auto it = replaced.find(a);
    args.push_back(it == replaced.end() ? a : it->second);
    same = same && args.back() == a;
  }
  if (same) return term;
  switch (t.op) {
    case BvOp::bool_not:
      return terms.bool_not(args[0]);
    case BvOp::bool_and:
      return terms.bool_and(args);
    case BvOp::bool_or:
      return terms.bool_or(args[0], args[1]);
    case BvOp::bool_xor:
      return terms.bool_xor(args[0], args[1]);
    case BvOp::eq:
      return terms.eq(args[0], args[1]);
    case BvOp::ult:
      return terms.ult(args[0], args[1]);
    case BvOp::slt:
      return terms.slt(args[0], args[1]);
    case BvOp::ite:
      return terms.ite(args[0], args[1], args[2]);
    case BvOp::bv_not:
      return terms.bv_not(args[0]);
    case BvOp::bv_xor:
      return terms.bv_xor(args[0], args[1]);
    case BvOp::add:
      return terms.add(args[0], args[1]);
    case BvOp::mul:
      return terms.mul(args[0], args[1]);
    case BvOp::concat:
      return terms.concat(args[0], args[1]);
    case BvOp::extract:
      return terms.extract(args[0], t.low + t.width - 1, t.low);
    case BvOp::zero_extend:
      return terms.zero_extend(args[0], t.width);
    case BvOp::sign_extend:
      return terms.sign_extend(args[0], t.width);
    case BvOp::bool_constant:
    case BvOp::constant:
    case BvOp::variable:
    case BvOp::bv_and:
    case BvOp::bv_or:
      break;
  }
  throw std::logic_error("a term that is never made");
}

TermId rewritten(BvTerms& terms, TermId root, Replaced& replaced) {
  for (const TermId id : terms.cone({root})) {
    if (!replaced.contains(id)) replaced.emplace(id, remade(terms, id, replaced));
  }
  return replaced.at(root);
}

std::vector<TermId> shared_terms(const BvTerms& terms, TermId x, TermId y) {
  const std::vector<TermId> of_x = terms.cone({x});
  const std::vector<TermId> of_y = terms.cone({y});
  std::vector<TermId> both;
  std::set_intersection(of_x.begin(), of_x.end(), of_y.begin(), of_y.end(),
                        std::back_inserter(both));
  const std::set<TermId> is_shared(both.begin(), both.end());
  std::set<TermId> used;
  if (is_shared.contains(x)) used.insert(x);
  if (is_shared.contains(y)) used.insert(y);
  for (const auto* cone : {&of_x, &of_y}) {
    for (const TermId t : *cone) {
      if (is_shared.contains(t)) continue;
      for (const TermId a : terms[t].args) {
        if (is_shared.contains(a)) used.insert(a);
      }
    }
  }
  std::vector<TermId> frontier;
  for (const TermId t : used) {
    const BvOp op = terms[t].op;
    if (op != BvOp::constant && op != BvOp::bool_constant) frontier.push_back(t);
  }
  return frontier;
}

}  // namespace mmaspec::rtl
