#include "hardware/rtl/stage_names.h"

#include <stdexcept>

#include "encoder/export/module.h"

namespace mmaspec::rtl {

StageNames::StageNames(const Graph& graph, NodeId root) {
  const NodeNames names(graph, root);
  for (const NodeId id : names.nodes()) by_name_.emplace(names[id], id);
  for (const Mark& mark : graph.marks()) {
    const auto add = [&](const std::string& name, NodeId id) {
      if (by_name_.emplace(name, id).second) marked_ += (marked_.empty() ? "" : ", ") + name;
    };
    const std::string stage = mark.stage.empty() ? "" : mark.stage + "_";
    add(identifier(stage + mark.label), mark.node);
    if (mark.exponent) add(identifier(stage + mark.label + "_exp"), *mark.exponent);
  }
}

NodeId StageNames::find(const std::string& name) const {
  const auto it = by_name_.find(name);
  if (it != by_name_.end()) return it->second;
  throw std::invalid_argument("--cut: the specification has no stage '" + name + "', but " +
                              marked_);
}

}  // namespace mmaspec::rtl
