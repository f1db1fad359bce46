#include "spec/own/recorded.h"

#include <stdexcept>

#include "spec/lang/substitute.h"
#include "spec/own/recorded_text.h"
#include "util/sha256.h"

namespace mmaspec {
namespace {

void replace_all(const Graph& from, const std::string& name, const std::vector<Int>& by,
                 Substitution& copy) {
  for (const NodeId id : from.inputs()) {
    for (std::size_t i = 0; i < by.size(); ++i) {
      if (from.input_name(id) == name + "[" + std::to_string(i) + "]") copy.replace(id, by[i]);
    }
  }
}

Int build(const Recorded& recorded, const DotFormats& formats, const DotOperands& operands) {
  if (!(formats == recorded.formats)) {
    throw std::invalid_argument(recorded.name + " is of K = " + std::to_string(recorded.formats.k) +
                                " and works with its own formats only");
  }
  Substitution copy(recorded.graph);
  replace_all(recorded.graph, "a", operands.a, copy);
  replace_all(recorded.graph, "b", operands.b, copy);
  replace_all(recorded.graph, "sa", operands.scale_a, copy);
  replace_all(recorded.graph, "sb", operands.scale_b, copy);
  for (const NodeId id : recorded.graph.inputs()) {
    if (recorded.graph.input_name(id) == "c") copy.replace(id, operands.c);
  }
  for (const Mark& m : recorded.graph.marks()) {
    const Stage stage(m.stage);
    const auto node = [&](NodeId id) {
      return is_boolean(recorded.graph[id].op) ? select(copy.boolean(id), 1, 0) : copy.integer(id);
    };
    if (m.exponent) {
      mark(m.label, node(m.node), node(*m.exponent), m.exponent_offset, m.role);
    } else {
      mark(m.label, node(m.node), m.role);
    }
  }
  return copy.integer(recorded.result);
}

}  // namespace

Custom design_of(std::shared_ptr<const Recorded> recorded) {
  constexpr std::size_t kDigits = 16;
  const std::string name = recorded->name + "#" + sha256(to_text(*recorded)).substr(0, kDigits);
  return {name, [recorded = std::move(recorded)](const DotFormats& f, const DotOperands& in) {
            return build(*recorded, f, in);
          }};
}

}  // namespace mmaspec
