// Goals as JSON text, and the conditions for a well-formed node.

#include "proof/kernel/goal.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <unordered_map>

#include "util/json.h"

namespace mmaspec::kernel {
namespace {

constexpr std::size_t kMostNodes = 1U << 22;
constexpr unsigned kWidest = 4096;      // largest width in bits of an input, and of `bits`
constexpr std::size_t kDigits = 20000;  // largest number of digits of an integer in text
constexpr int kVersion = 1;

void require(bool holds, const std::string& otherwise) {
  if (!holds) throw std::invalid_argument(otherwise);
}

/// The number of operands of an operation; 0: one or more.
std::size_t arity(Op op) {
  switch (op) {
    case Op::constant:
    case Op::boolean:
    case Op::input:
    case Op::sum:
    case Op::product:
    case Op::minimum:
    case Op::maximum:
    case Op::logical_and:
    case Op::logical_xor:
      return 0;
    case Op::absolute:
    case Op::bits:
    case Op::bit_length:
    case Op::claim:
    case Op::logical_not:
      return 1;
    case Op::negate_if:
    case Op::shift_left:
    case Op::floor_shift_right:
    case Op::less:
    case Op::equal:
      return 2;
    case Op::select:
      return 3;
  }
  throw std::logic_error("no such operation");
}

bool is_leaf(Op op) { return op == Op::constant || op == Op::boolean || op == Op::input; }

/// Whether operand i of an operation must be Boolean. Integers may be compared with Booleans, which
/// are 0 and 1; logical operations take only Booleans.
bool wants_boolean(Op op, std::size_t i) {
  switch (op) {
    case Op::negate_if:
    case Op::select:
      return i == 0;
    case Op::logical_not:
    case Op::logical_and:
    case Op::logical_xor:
      return true;
    default:
      return false;
  }
}

constexpr auto kOperations = std::to_array<Op>({Op::constant,
                                                Op::input,
                                                Op::sum,
                                                Op::product,
                                                Op::absolute,
                                                Op::negate_if,
                                                Op::select,
                                                Op::minimum,
                                                Op::maximum,
                                                Op::shift_left,
                                                Op::floor_shift_right,
                                                Op::bits,
                                                Op::bit_length,
                                                Op::claim,
                                                Op::boolean,
                                                Op::less,
                                                Op::equal,
                                                Op::logical_not,
                                                Op::logical_and,
                                                Op::logical_xor});

Op operation_of(const std::string& text) {
  const auto* const found =
      std::find_if(kOperations.begin(), kOperations.end(), [&](Op op) { return name(op) == text; });
  require(found != kOperations.end(), "'" + text.substr(0, 40) + "' is not an operation");
  return *found;
}

Integer integer_of(const Json& json) {
  const std::string& text = json.text();
  const bool is_negative = text.starts_with('-');
  const std::string digits = text.substr(is_negative ? 1 : 0);
  const bool is_canonical = !digits.empty() && digits.size() <= kDigits &&
                            digits.find_first_not_of("0123456789") == std::string::npos &&
                            (digits[0] != '0' || (digits == "0" && !is_negative));
  require(is_canonical, "'" + text.substr(0, 40) + "' is not a decimal integer");
  const Integer magnitude(digits);
  return is_negative ? Integer(-magnitude) : magnitude;
}

unsigned size_of(const Json& json) {
  const auto size = json.get<std::uint64_t>();
  require(size <= kWidest, "a width or position of more than " + std::to_string(kWidest) + " bits");
  return static_cast<unsigned>(size);
}

Json array_of(const TermGraph& graph, const Node& n) {
  Json all = Json::array({Json(name(n.op))});
  if (n.op == Op::constant || n.op == Op::boolean) {
    all.push_back(n.value.str());
    return all;
  }
  if (n.op == Op::input) {
    all.push_back(graph.input_names.at(n.low));
    all.push_back(n.width);
    return all;
  }
  std::vector<std::uint64_t> args;
  for (const NodeId a : n.args) args.push_back(std::uint64_t{a} + 1);
  all.push_back(args);
  switch (n.op) {
    case Op::sum: {
      std::vector<std::string> coefficients;
      for (const Integer& c : n.coefficients) coefficients.push_back(c.str());
      all.push_back(coefficients);
      all.push_back(n.value.str());
      break;
    }
    case Op::bits:
      all.push_back(n.low);
      all.push_back(n.width);
      break;
    case Op::claim:
      all.push_back(n.range.low.str());
      all.push_back(n.range.high.str());
      break;
    default:
      break;
  }
  return all;
}

/// Parses the array of a node over `nodes` earlier ones.
Node node_of_array(const Json& all, std::size_t nodes) {
  Node n{};
  n.op = operation_of(all.at(0).text());
  const auto has = [&](std::size_t members) {
    require(all.is_array() && all.size() == members,
            "a node '" + std::string(name(n.op)) + "' has another number of members");
  };
  if (n.op == Op::constant || n.op == Op::boolean) {
    has(2);
    n.value = integer_of(all.at(1));
    return n;
  }
  if (n.op == Op::input) {
    has(3);
    n.width = size_of(all.at(2));
    return n;
  }
  for (const Json& a : all.at(1)) {
    const auto number = a.get<std::uint64_t>();
    require(number >= 1 && number <= nodes, "a node has an operand that is not there");
    n.args.push_back(static_cast<NodeId>(number - 1));
  }
  switch (n.op) {
    case Op::sum:
      has(4);
      for (const Json& c : all.at(2)) n.coefficients.push_back(integer_of(c));
      n.value = integer_of(all.at(3));
      break;
    case Op::bits:
      has(4);
      n.low = size_of(all.at(2));
      n.width = size_of(all.at(3));
      break;
    case Op::claim:
      has(4);
      n.range = {integer_of(all.at(2)), integer_of(all.at(3))};
      break;
    default:
      has(2);
      break;
  }
  return n;
}

void add_array(TermGraph& graph, const Json& all) {
  Node n = node_of_array(all, graph.nodes.size());
  const std::string input_name = n.op == Op::input ? all.at(1).text() : "";
  graph.add(std::move(n), input_name);
}

Json parsed(std::string_view json) {
  try {
    return Json::parse(json);
  } catch (const Json::Error& error) {
    throw std::invalid_argument(error.what());
  }
}

}  // namespace

NodeId TermGraph::add(Node node, const std::string& input_name) {
  require(nodes.size() < kMostNodes, "more nodes than a goal may have");
  const std::size_t count = arity(node.op);
  const std::size_t least =
      is_leaf(node.op) || node.op == Op::sum ? 0 : std::max(count, std::size_t{1});
  require(is_leaf(node.op) ? node.args.empty()
                           : node.args.size() >= least && (count == 0 || node.args.size() == count),
          "'" + std::string(name(node.op)) + "' has another number of operands");
  for (std::size_t i = 0; i < node.args.size(); ++i) {
    require(node.args[i] < nodes.size(), "a node has an operand that is not there");
    require(!wants_boolean(node.op, i) || is_boolean(nodes[node.args[i]].op),
            "'" + std::string(name(node.op)) + "' has an operand that is not Boolean");
  }
  require(node.coefficients.size() == (node.op == Op::sum ? node.args.size() : 0),
          "a sum has another number of coefficients than of terms");
  require(node.op != Op::boolean || node.value == 0 || node.value == 1, "a Boolean is 0 or 1");
  require(node.op != Op::claim || node.range.low <= node.range.high, "a claim of an empty range");
  require((node.op != Op::bits && node.op != Op::input) || node.width > 0, "a word of no bits");
  if (node.op == Op::input) {
    require(std::find(input_names.begin(), input_names.end(), input_name) == input_names.end(),
            "two inputs of one name");
    node.low = static_cast<std::uint32_t>(input_names.size());
    input_names.push_back(input_name);
  }
  nodes.push_back(std::move(node));
  return static_cast<NodeId>(nodes.size() - 1);
}

std::string to_json(const TermGraph& graph, NodeId id) {
  return array_of(graph, graph.nodes.at(id)).dump();
}

Node node_of(std::string_view json, std::size_t nodes) {
  try {
    Node n = node_of_array(parsed(json), nodes);
    require(n.op != Op::input, "a definition of an input");
    return n;
  } catch (const Json::Error& error) {
    throw std::invalid_argument(error.what());
  }
}

std::string to_json(const Goal& goal) {
  std::string text = "{\"version\":" + std::to_string(kVersion) + ",\"nodes\":[\n";
  for (std::size_t i = 0; i < goal.graph.nodes.size(); ++i) {
    text += to_json(goal.graph, static_cast<NodeId>(i));
    text += i + 1 < goal.graph.nodes.size() ? ",\n" : "\n";
  }
  text += "],\"conditions\":[";
  for (std::size_t i = 0; i < goal.conditions.size(); ++i) {
    text += (i > 0 ? "," : "") + std::to_string(std::uint64_t{goal.conditions[i]} + 1);
  }
  return text + "]}\n";
}

Goal goal_of(std::string_view json) {
  Goal goal;
  try {
    const Json object = parsed(json);
    require(object.at("version") == Json(kVersion), "a goal of another version");
    for (const Json& node : object.at("nodes")) add_array(goal.graph, node);
    for (const Json& c : object.at("conditions")) {
      const auto number = c.get<std::uint64_t>();
      require(number >= 1 && number <= goal.graph.nodes.size(), "a condition that is not there");
      goal.conditions.push_back(static_cast<NodeId>(number - 1));
      require(is_boolean(goal.graph.nodes[goal.conditions.back()].op),
              "a condition that is not Boolean");
    }
  } catch (const Json::Error& error) {
    throw std::invalid_argument(error.what());
  }
  require(!goal.conditions.empty(), "a goal without conditions");
  require(to_json(goal) == json, "a goal whose text is not in normal form");
  return goal;
}

Goal goal_of(const Graph& graph, const std::vector<NodeId>& conditions) {
  Goal goal;
  std::unordered_map<NodeId, NodeId> places;
  for (const NodeId id : graph.cone(conditions)) {
    Node n = graph[id];
    for (NodeId& a : n.args) a = places.at(a);
    const std::string name = n.op == Op::input ? graph.input_name(id) : "";
    places[id] = goal.graph.add(std::move(n), name);
  }
  for (const NodeId c : conditions) goal.conditions.push_back(places.at(c));
  return goal;
}

}  // namespace mmaspec::kernel
