#include "queries/derive/self_composition.h"

#include <algorithm>

#include "queries/ask/dot_question.h"
#include "queries/ask/lemmas/known_bits.h"
#include "queries/ask/question.h"

namespace mmaspec {

SelfComposition::SelfComposition(const Property& property, int which, const TermGraph& text)
    : text_(text) {
  const Graph::Building building(graph_);
  Subject subject;
  subject.first.formats = text.formats;
  subject.first.algorithm =
      Custom{"a term graph", [this](const DotFormats&, const DotOperands& in) {
               images_.push_back(image_of(text_, in));
               return Int::of(*images_.back().nodes[text_.d]);
             }};
  const Statement statement = property.state(subject, which);
  if (statement.runs.size() != 2 || images_.size() != 2) {
    throw std::logic_error("the property does not compare two evaluations");
  }
  for (const Run& r : statement.runs) {
    operand_premises_.push_back(belong(property.inputs(), text.formats, r.operands).id());
  }
  operand_premises_ = conjuncts(graph_, operand_premises_);
  premises_ = operand_premises_;
  // Premises that concern operands only.
  for (Bool b : statement.premises) {
    const std::vector<NodeId> cone = graph_.cone({b.id()});
    if (!std::binary_search(cone.begin(), cone.end(), first_d()) &&
        !std::binary_search(cone.begin(), cone.end(), second_d())) {
      premises_.push_back(b.id());
    }
  }
  for (const Image& image : images_) {
    for (Bool fact : image.facts) premises_.push_back(fact.id());
  }
  for (const auto* all : {&statement.premises, &statement.violated}) {
    for (Bool b : *all) violated_.push_back(b.id());
  }
  std::vector<NodeId> differing;
  for (NodeId i : text.graph->inputs()) {
    if (!varies(i)) continue;
    differing.push_back(first(i));
    differing.push_back(second(i));
  }
  is_of_differing_.resize(graph_.size());
  for (NodeId n : graph_.cone(differing)) {
    if (graph_[n].op == Op::input) is_of_differing_[n] = true;
  }
  for (NodeId n = 0; n < graph_.size(); ++n) {
    for (NodeId a : graph_[n].args)
      is_of_differing_[n] = is_of_differing_[n] || is_of_differing_[a];
  }
}

std::vector<NodeId> SelfComposition::shared_below(NodeId x, NodeId y) const {
  return without_differing(shared_frontier(graph_, x, y));
}

std::vector<NodeId> SelfComposition::shared_far_below(NodeId x, NodeId y) const {
  return without_differing(shared_dominators(graph_, x, y));
}

std::vector<NodeId> SelfComposition::without_differing(std::vector<NodeId> nodes) const {
  std::erase_if(nodes,
                [&](NodeId n) { return n >= is_of_differing_.size() || is_of_differing_[n]; });
  return nodes;
}

Bool SelfComposition::has_operand_out_of_domain() const {
  std::vector<Bool> all;
  for (const Image& image : images_) {
    all.insert(all.end(), image.strange.begin(), image.strange.end());
  }
  return any_of(all);
}

Int variable(const std::string& name, const Range& range, std::vector<Bool>& facts) {
  if (range.is_point()) return range.low;
  const Int x = input(name, bit_length(range.high - range.low)) + range.low;
  facts.push_back(x <= range.high);
  return claim(x, range.low, range.high);
}

Bool free_in_range(const Graph& from, NodeId node, Substitution& copy, const std::string& name) {
  if (copy.determines(node)) return true;
  if (is_boolean(from[node].op)) {
    copy.replace(node, input(name + std::to_string(node), 1) == 1);
    return true;
  }
  std::vector<Bool> facts;
  copy.replace(node, variable(name + std::to_string(node), from[node].range, facts));
  return all_of(facts);
}

std::vector<Bool> free_in_range(const Graph& from, const std::vector<NodeId>& nodes,
                                Substitution& copy, const std::string& name) {
  std::vector<Bool> facts;
  for (NodeId n : nodes) facts.push_back(free_in_range(from, n, copy, name));
  return facts;
}

void take_over(const Graph& graph, NodeId node, Substitution& from, Substitution& to) {
  if (to.determines(node)) return;
  if (is_boolean(graph[node].op)) {
    to.replace(node, from.boolean(node));
  } else {
    to.replace(node, from.integer(node));
  }
}

}  // namespace mmaspec
