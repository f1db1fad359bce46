// Which goals suffice for a statement.

#include "queries/goals/follows.h"

namespace mmaspec {
namespace {

bool holds_in_each_case(const Property& property, const Subject& subject, const Condition& where,
                        const Refuter& proved) {
  if (!property.says_nothing_because(subject).empty()) return false;
  for (int i = 0; i < property.cases(subject); ++i) {
    Graph graph;
    const Graph::Building building(graph);
    const std::vector<NodeId> conditions = state_case(property, subject, where, i).conditions;
    if (!is_one_expression(graph, conditions) && !proved(graph, conditions)) return false;
  }
  return true;
}

}  // namespace

bool follows(const Property& property, const Subject& subject, const Condition& where,
             const Refuter& proved) {
  const auto reduces = property.under_condition().reduces;
  if (!where || !reduces || reduces(subject, where, proved)) {
    return holds_in_each_case(property, subject, where, proved);
  }
  Subject whole = subject;
  whole.form = Form::whole;
  // What holds for all inputs holds for those that satisfy the condition.
  return holds_in_each_case(property, whole, where, proved) ||
         holds_in_each_case(property, subject, {}, proved);
}

bool never_differ(const Pair& pair, const Difference& difference, InputClass inputs, Match match,
                  const Condition& where, const Refuter& proved) {
  Graph graph;
  const Graph::Building building(graph);
  const StatedDifference stated = state_difference(pair, difference, inputs, match, where);
  std::vector<NodeId> conditions = stated.premises;
  conditions.push_back(stated.differs.id());
  return is_one_expression(graph, conditions) || proved(graph, conditions);
}

}  // namespace mmaspec
