#include <z3++.h>

#include "solver/solver.h"

namespace mmaspec {
namespace {

class Z3 final : public Backend {
 public:
  std::string name() const override { return "z3"; }
  Answer solve(const Query& query) const override;
};

/// Builds z3's expressions for a query's terms, arguments first.
class Builder {
 public:
  Builder(z3::context& context, const BvTerms& terms)
      : context_(context), terms_(terms), built_(terms.size(), z3::expr(context)) {}

  void build(TermId id) { built_[id] = make(terms_[id]); }
  const z3::expr& operator[](TermId id) const { return built_[id]; }

 private:
  z3::expr make(const BvTerm& t);

  z3::context& context_;
  const BvTerms& terms_;
  std::vector<z3::expr> built_;
};

z3::expr Builder::make(const BvTerm& t) {
  const auto arg = [&](std::size_t i) -> const z3::expr& { return built_[t.args[i]]; };
  switch (t.op) {
    case BvOp::bool_constant:
      return context_.bool_val(t.value != 0);
    case BvOp::constant:
      return context_.bv_val(t.value.str().c_str(), t.width);
    case BvOp::variable:
      return context_.bv_const(t.name.c_str(), t.width);
    case BvOp::bool_not:
      return !arg(0);
    case BvOp::bool_and: {
      z3::expr_vector all(context_);
      for (TermId a : t.args) all.push_back(built_[a]);
      return z3::mk_and(all);
    }
    case BvOp::bool_or:
      return arg(0) || arg(1);
    case BvOp::bool_xor:
      return arg(0) != arg(1);
    case BvOp::eq:
      return arg(0) == arg(1);
    case BvOp::ult:
      return z3::ult(arg(0), arg(1));
    case BvOp::slt:
      return arg(0) < arg(1);
    case BvOp::ite:
      return z3::ite(arg(0), arg(1), arg(2));
    case BvOp::bv_not:
      return ~arg(0);
    case BvOp::bv_and:
      return arg(0) & arg(1);
    case BvOp::bv_or:
      return arg(0) | arg(1);
    case BvOp::bv_xor:
      return arg(0) ^ arg(1);
    case BvOp::add:
      return arg(0) + arg(1);
    case BvOp::mul:
      return arg(0) * arg(1);
    case BvOp::concat:
      return z3::concat(arg(0), arg(1));
    case BvOp::extract:
      return arg(0).extract(t.low + t.width - 1, t.low);
    case BvOp::zero_extend:
      return z3::zext(arg(0), t.width - terms_.width(t.args[0]));
    case BvOp::sign_extend:
      return z3::sext(arg(0), t.width - terms_.width(t.args[0]));
  }
  throw std::logic_error("no such operation");
}

Answer Z3::solve(const Query& query) const {
  z3::context context;
  Builder built(context, *query.terms);
  for (TermId id : query.terms->cone(query.assertions)) built.build(id);
  z3::solver solver(context, "QF_BV");
  for (TermId a : query.assertions) solver.add(built[a]);
  Answer answer;
  switch (solver.check()) {
    case z3::unsat:
      answer.verdict = Verdict::unsatisfiable;
      break;
    case z3::sat: {
      answer.verdict = Verdict::satisfiable;
      const z3::model model = solver.get_model();
      for (TermId id : variables(query)) {
        const z3::expr value = model.eval(built[id], true);
        answer.model[(*query.terms)[id].name] = Integer(value.get_decimal_string(0));
      }
      break;
    }
    case z3::unknown:
      answer.reason = solver.reason_unknown();
      break;
  }
  return answer;
}

}  // namespace

std::unique_ptr<Backend> z3_backend() { return std::make_unique<Z3>(); }

}  // namespace mmaspec
