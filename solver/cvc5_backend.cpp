#include <cvc5/cvc5.h>

#include <stdexcept>

#include "solver/solver.h"

namespace mmaspec {
namespace {

class Cvc5 final : public Backend {
 public:
  std::string name() const override { return "cvc5"; }
  Answer solve(const Query& query) const override;
};

cvc5::Kind kind(BvOp op) {
  switch (op) {
    case BvOp::bool_not:
      return cvc5::Kind::NOT;
    case BvOp::bool_and:
      return cvc5::Kind::AND;
    case BvOp::bool_or:
      return cvc5::Kind::OR;
    case BvOp::bool_xor:
      return cvc5::Kind::XOR;
    case BvOp::eq:
      return cvc5::Kind::EQUAL;
    case BvOp::ult:
      return cvc5::Kind::BITVECTOR_ULT;
    case BvOp::slt:
      return cvc5::Kind::BITVECTOR_SLT;
    case BvOp::ite:
      return cvc5::Kind::ITE;
    case BvOp::bv_not:
      return cvc5::Kind::BITVECTOR_NOT;
    case BvOp::bv_and:
      return cvc5::Kind::BITVECTOR_AND;
    case BvOp::bv_or:
      return cvc5::Kind::BITVECTOR_OR;
    case BvOp::bv_xor:
      return cvc5::Kind::BITVECTOR_XOR;
    case BvOp::add:
      return cvc5::Kind::BITVECTOR_ADD;
    case BvOp::mul:
      return cvc5::Kind::BITVECTOR_MULT;
    case BvOp::concat:
      return cvc5::Kind::BITVECTOR_CONCAT;
    default:
      throw std::logic_error("no operation of a plain kind");
  }
}

cvc5::Term make(cvc5::Solver& solver, const BvTerms& terms, const BvTerm& t,
                const std::vector<cvc5::Term>& built) {
  switch (t.op) {
    case BvOp::bool_constant:
      return solver.mkBoolean(t.value != 0);
    case BvOp::constant:
      return solver.mkBitVector(t.width, t.value.str(), 10);
    case BvOp::variable:
      return solver.mkConst(solver.mkBitVectorSort(t.width), t.name);
    case BvOp::extract:
      return solver.mkTerm(solver.mkOp(cvc5::Kind::BITVECTOR_EXTRACT, {t.low + t.width - 1, t.low}),
                           {built[t.args[0]]});
    case BvOp::zero_extend:
    case BvOp::sign_extend:
      return solver.mkTerm(
          solver.mkOp(t.op == BvOp::zero_extend ? cvc5::Kind::BITVECTOR_ZERO_EXTEND
                                                : cvc5::Kind::BITVECTOR_SIGN_EXTEND,
                      {t.width - terms.width(t.args[0])}),
          {built[t.args[0]]});
    default: {
      std::vector<cvc5::Term> args;
      for (TermId a : t.args) args.push_back(built[a]);
      return solver.mkTerm(kind(t.op), args);
    }
  }
}

Answer Cvc5::solve(const Query& query) const {
  cvc5::Solver solver;
  solver.setLogic("QF_BV");
  solver.setOption("produce-models", "true");
  solver.setOption("bitblast", "eager");
  solver.setOption("bv-sat-solver", "cadical");
  std::vector<cvc5::Term> built(query.terms->size());
  for (TermId id : query.terms->cone(query.assertions)) {
    built[id] = make(solver, *query.terms, (*query.terms)[id], built);
  }
  for (TermId a : query.assertions) solver.assertFormula(built[a]);
  const cvc5::Result result = solver.checkSat();
  Answer answer;
  if (result.isUnsat()) {
    answer.verdict = Verdict::unsatisfiable;
  } else if (result.isSat()) {
    answer.verdict = Verdict::satisfiable;
    for (TermId id : variables(query)) {
      answer.model[(*query.terms)[id].name] =
          Integer(solver.getValue(built[id]).getBitVectorValue(10));
    }
  } else {
    answer.reason = "gave up";
  }
  return answer;
}

}  // namespace

bool has_cvc5() { return true; }

SolverVersion cvc5_version() { return {"cvc5", cvc5::Solver().getVersion(), ""}; }

std::unique_ptr<Backend> cvc5_backend() { return std::make_unique<Cvc5>(); }

}  // namespace mmaspec
