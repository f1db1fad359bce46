#include "encoder/smtlib.h"

#include <unordered_map>

namespace mmaspec {
namespace {

std::string sort_of(unsigned width) {
  return width == 0 ? "Bool" : "(_ BitVec " + std::to_string(width) + ")";
}

/// The prefix of terms' names, before a number: no variable name starts with it.
std::string free_prefix(const Query& query) {
  std::string prefix = "t";
  for (TermId id : variables(query)) {
    while ((*query.terms)[id].name.starts_with(prefix)) prefix += "t";
  }
  return prefix;
}

/// A term as an argument: constants and variables by their text, others by name.
std::string reference(const BvTerms& terms, TermId id, const std::string& prefix) {
  const BvTerm& t = terms[id];
  switch (t.op) {
    case BvOp::bool_constant:
      return t.value != 0 ? "true" : "false";
    case BvOp::constant:
      return "(_ bv" + t.value.str() + " " + std::to_string(t.width) + ")";
    case BvOp::variable:
      return quoted_symbol(t.name);
    default:
      return prefix + std::to_string(id);
  }
}

std::string definition(const BvTerms& terms, TermId id, const std::string& prefix) {
  const BvTerm& t = terms[id];
  std::string head(smtlib_name(t.op));
  if (t.op == BvOp::extract) {
    head = "(_ extract " + std::to_string(t.low + t.width - 1) + " " + std::to_string(t.low) + ")";
  } else if (t.op == BvOp::zero_extend || t.op == BvOp::sign_extend) {
    head = "(_ " + head + " " + std::to_string(t.width - terms.width(t.args[0])) + ")";
  }
  std::string text = "(" + head;
  for (TermId a : t.args) text += " " + reference(terms, a, prefix);
  return text + ")";
}

}  // namespace

std::string quoted_symbol(const std::string& name) { return "|" + name + "|"; }

std::vector<TermId> variables(const Query& query) {
  std::vector<TermId> found;
  for (TermId id : query.terms->cone(query.assertions)) {
    if ((*query.terms)[id].op == BvOp::variable) found.push_back(id);
  }
  return found;
}

std::string smtlib_commands(const Query& query, bool with_model) {
  const BvTerms& terms = *query.terms;
  std::string text = with_model ? "(set-option :produce-models true)\n" : "";
  text += "(set-logic QF_BV)\n";
  const std::string prefix = free_prefix(query);
  std::string names;
  for (TermId id : terms.cone(query.assertions)) {
    const BvTerm& t = terms[id];
    if (t.op == BvOp::constant || t.op == BvOp::bool_constant) continue;
    if (t.op == BvOp::variable) {
      text += "(declare-const " + quoted_symbol(t.name) + " " + sort_of(t.width) + ")\n";
      names += (names.empty() ? "" : " ") + quoted_symbol(t.name);
      continue;
    }
    text += "(define-fun " + reference(terms, id, prefix) + " () " + sort_of(t.width) + " " +
            definition(terms, id, prefix) + ")\n";
  }
  for (TermId a : query.assertions) text += "(assert " + reference(terms, a, prefix) + ")\n";
  text += "(check-sat)\n";
  if (with_model && !names.empty()) text += "(get-value (" + names + "))\n";
  return text;
}

std::string to_smtlib(const Query& query, bool with_model) {
  return smtlib_commands(query, with_model) + "(exit)\n";
}

}  // namespace mmaspec
