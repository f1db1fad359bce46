#include "spec/lang/graph.h"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "spec/lang/bounds.h"
#include "spec/lang/cannot_build.h"

namespace mmaspec {
namespace {

thread_local Graph* current_graph = nullptr;

constexpr NodeId kMostNodes = 4'000'000;
constexpr std::size_t kNodeWork = 8;  // cost of creating a node without operands

constexpr std::array<std::string_view, 20> kOpNames = {"constant",
                                                       "input",
                                                       "sum",
                                                       "product",
                                                       "abs",
                                                       "negate_if",
                                                       "select",
                                                       "min",
                                                       "max",
                                                       "shift_left",
                                                       "floor_shift_right",
                                                       "bits",
                                                       "bit_length",
                                                       "claim",
                                                       "boolean",
                                                       "less",
                                                       "equal",
                                                       "not",
                                                       "and",
                                                       "xor"};

std::size_t combine(std::size_t seed, std::size_t h) {
  return seed ^ (h + 0x9e3779b97f4a7c15ULL + (seed << 6) + (seed >> 2));
}

std::size_t hash(const Node& n) {
  std::size_t h = static_cast<std::size_t>(n.op);
  for (NodeId a : n.args) h = combine(h, a);
  for (const Integer& c : n.coefficients) h = combine(h, boost::multiprecision::hash_value(c));
  h = combine(h, boost::multiprecision::hash_value(n.value));
  h = combine(h, n.low);
  h = combine(h, n.width);
  if (n.op == Op::claim) {
    h = combine(h, boost::multiprecision::hash_value(n.range.low));
    h = combine(h, boost::multiprecision::hash_value(n.range.high));
  }
  return h;
}

bool same(const Node& x, const Node& y) {
  return x.op == y.op && x.low == y.low && x.width == y.width && x.args == y.args &&
         x.value == y.value && x.coefficients == y.coefficients &&
         (x.op != Op::claim || x.range == y.range);
}

}  // namespace

std::string_view name(Op op) { return kOpNames.at(static_cast<std::size_t>(op)); }

bool is_boolean(Op op) { return op >= Op::boolean; }

Range intersect(const Range& x, const Range& y) {
  Range r{std::max(x.low, y.low), std::min(x.high, y.high)};
  if (r.low > r.high) {
    throw CannotBuild("no value lies in both [" + x.low.str() + ", " + x.high.str() + "] and [" +
                      y.low.str() + ", " + y.high.str() + "]");
  }
  return r;
}

Range hull(const Range& x, const Range& y) {
  return {std::min(x.low, y.low), std::max(x.high, y.high)};
}

Graph::Graph() : stages_{""} {}
Graph::~Graph() = default;

std::optional<NodeId> Graph::find(std::size_t node_hash, const Node& node) const {
  return unique_.find(node_hash, [&](NodeId id) { return same((*this)[id], node); });
}

std::optional<NodeId> Graph::find(const Node& node) const { return find(hash(node), node); }

namespace {

[[noreturn]] void refuse() {
  throw TooLarge("this needs more than " + std::to_string(kMostNodes / 1'000'000) +
                 " million expressions, which is the limit: use fewer products");
}

}  // namespace

void Graph::expect(std::size_t more) const {
  if (more > kMostNodes || size_ + more > kMostNodes) refuse();
}

bool is_extremum_of_many(const Node& node) {
  return (node.op == Op::maximum || node.op == Op::minimum) && node.args.size() > kManyMembers;
}

void Graph::add_parts(NodeId extremum, const Node& node) {
  auto& members = members_by_part_[extremum];
  for (const NodeId m : node.args) {
    const Node& member = (*this)[m];
    if (member.op != Op::sum) {
      members[m].push_back(m);
    } else {
      for (const NodeId part : member.args) members[part].push_back(m);
    }
  }
}

const std::vector<NodeId>& Graph::members_with(NodeId extremum, NodeId part) const {
  static const std::vector<NodeId> kNone;
  const auto& members = members_by_part_.at(extremum);
  const auto it = members.find(part);
  return it == members.end() ? kNone : it->second;
}

NodeId Graph::intern(Node node) {
  const std::size_t node_hash = hash(node);
  if (const auto known = find(node_hash, node)) return *known;
  const auto id = static_cast<NodeId>(size_);
  BuildBy::spend(kNodeWork + node.args.size());
  if (id >= kMostNodes) refuse();
  node.stage = stage_;
  unique_.add(node_hash, id);
  if (is_extremum_of_many(node)) add_parts(id, node);
  if (size_ % kBlock == 0) blocks_.emplace_back().reserve(kBlock);
  blocks_.back().push_back(std::move(node));
  ++size_;
  return id;
}

NodeId Graph::input(const std::string& input_name, unsigned width) {
  if (const auto it = input_by_name_.find(input_name); it != input_by_name_.end()) {
    if ((*this)[it->second].width != width) {
      throw CannotBuild("input " + input_name + " was made with another width");
    }
    return it->second;
  }
  if (width == 0) throw CannotBuild("input " + input_name + " has no bits");
  Node node{Op::input, {}, {}, 0, static_cast<std::uint32_t>(inputs_.size()), width, {}};
  node.range = {0, power_of_two(width) - 1};
  const NodeId id = intern(std::move(node));
  inputs_.push_back(id);
  input_names_.push_back(input_name);
  input_by_name_.emplace(input_name, id);
  return id;
}

std::optional<NodeId> Graph::find_input(const std::string& input_name) const {
  const auto it = input_by_name_.find(input_name);
  return it == input_by_name_.end() ? std::nullopt : std::optional(it->second);
}

std::vector<NodeId> Graph::cone(const std::vector<NodeId>& roots) const {
  // For small cones the cost depends on their size only, not on that of the graph.
  constexpr std::size_t kSmall = 512;
  std::unordered_set<NodeId> found(roots.begin(), roots.end());
  std::vector<NodeId> pending = roots;
  while (!pending.empty() && found.size() <= kSmall) {
    const NodeId id = pending.back();
    pending.pop_back();
    for (NodeId a : (*this)[id].args) {
      if (found.insert(a).second) pending.push_back(a);
    }
  }
  if (found.size() <= kSmall) {
    std::vector<NodeId> ids(found.begin(), found.end());
    std::sort(ids.begin(), ids.end());
    return ids;
  }
  std::vector<bool> wanted(size_, false);
  NodeId top = 0;
  for (NodeId r : roots) {
    wanted[r] = true;
    top = std::max(top, r);
  }
  if (roots.empty()) return {};
  for (NodeId id = top + 1; id-- > 0;) {
    if (!wanted[id]) continue;
    for (NodeId a : (*this)[id].args) wanted[a] = true;
  }
  std::vector<NodeId> ids;
  for (NodeId id = 0; id <= top; ++id) {
    if (wanted[id]) ids.push_back(id);
  }
  return ids;
}

Graph& Graph::current() {
  if (current_graph == nullptr) throw std::logic_error("no graph is being built in this thread");
  return *current_graph;
}

Graph::Building::Building(Graph& graph) : outer_(current_graph) { current_graph = &graph; }
Graph::Building::~Building() { current_graph = outer_; }

Stage::Stage(std::string_view stage_name) : graph_(Graph::current()), outer_(graph_.stage_) {
  auto& stages = graph_.stages_;
  const auto it = std::find(stages.begin(), stages.end(), stage_name);
  graph_.stage_ = static_cast<std::uint32_t>(it - stages.begin());
  if (it == stages.end()) stages.emplace_back(stage_name);
}

Stage::~Stage() { graph_.stage_ = outer_; }

}  // namespace mmaspec
