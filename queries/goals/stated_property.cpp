// Builds the conditions of properties.

#include "queries/goals/stated_property.h"

#include <stdexcept>

#include "queries/statement/operands.h"
#include "queries/statement/pairing.h"

namespace mmaspec {

Subject subject_of(const Instruction& first, const std::optional<Instruction>& second) {
  if (!second) return {first};
  Pair pair = pair_up(first, *second, {});
  const DotFormats& x = pair.first.formats;
  const DotFormats& y = pair.second.formats;
  if (!(*x.a == *y.a && *x.b == *y.b && *x.c == *y.c && *x.d == *y.d)) {
    throw std::invalid_argument("their formats differ: use 'mmaspec diff'");
  }
  return {std::move(pair.first), std::move(pair.second)};
}

std::size_t runs_under_condition(const Property& property, const Statement& statement) {
  return property.under_condition().of == Conditioned::both ? statement.runs.size() : 1;
}

StatedCase state_case(const Property& property, const Subject& subject, const Condition& where,
                      int which) {
  const DotFormats& f = subject.formats();
  StatedCase stated{property.state(subject, which), {}, {}, {}};
  const Statement& statement = stated.statement;
  for (const Run& r : statement.runs) {
    stated.premises.push_back(belong(property.inputs(), f, r.operands).id());
  }
  for (std::size_t i = 0; where && i < runs_under_condition(property, statement); ++i) {
    const Run& r = statement.runs[i];
    stated.where.push_back(where(f, r.operands, r.d).id());
  }
  stated.premises.insert(stated.premises.end(), stated.where.begin(), stated.where.end());
  for (Bool b : statement.premises) stated.premises.push_back(b.id());
  stated.conditions = stated.premises;
  for (Bool b : statement.violated) stated.conditions.push_back(b.id());
  return stated;
}

}  // namespace mmaspec
