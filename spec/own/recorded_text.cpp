#include "spec/own/recorded_text.h"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <stdexcept>

#include "spec/lang/cannot_build.h"
#include "spec/lang/rebuild.h"

namespace mmaspec {
namespace {

constexpr std::size_t kOps = static_cast<std::size_t>(Op::logical_xor) + 1;
constexpr int kRoles = static_cast<int>(MarkRole::normalized) + 1;
constexpr int kLongestDot = 4096;
constexpr std::uint32_t kWidestNumber = 1U << 20;

[[noreturn]] void wrong(const std::string& what) {
  throw std::invalid_argument("not an algorithm of a plugin: " + what);
}

/// Replaces newlines by spaces.
std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

/// The index of each node of the graph in the text.
using Places = std::vector<std::size_t>;

std::string node_line(const Graph& graph, NodeId id, const Places& places) {
  const Node& n = graph[id];
  std::ostringstream line;
  line << name(n.op);
  if (n.op == Op::input) line << ' ' << n.width << ' ' << graph.input_name(id);
  if (n.op == Op::constant || n.op == Op::boolean || n.op == Op::sum) line << ' ' << n.value;
  if (n.op == Op::bits) line << ' ' << n.low << ' ' << n.width;
  if (n.op == Op::claim) line << ' ' << n.range.low << ' ' << n.range.high;
  for (std::size_t i = 0; i < n.args.size(); ++i) {
    line << ' ' << places[n.args[i]];
    if (n.op == Op::sum) line << ' ' << n.coefficients[i];
  }
  line << '\n';
  return line.str();
}

/// Reads the words of one line in sequence.
class LineWords {
 public:
  /// Removes the first line from `text`.
  explicit LineWords(std::string_view& text) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) wrong("it ends too early");
    rest_ = text.substr(0, end);
    text.remove_prefix(end + 1);
  }

  bool empty() const { return rest_.empty(); }
  std::string word() {
    const std::size_t end = std::min(rest_.find(' '), rest_.size());
    const std::string word(rest_.substr(0, end));
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    if (word.empty()) wrong("a word is missing");
    return word;
  }
  template <typename T>
  T number(T least, T most) {
    const std::string text = word();
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < least || value > most) {
      wrong("'" + text.substr(0, 40) + "' is not a number from " + std::to_string(least) + " to " +
            std::to_string(most));
    }
    return value;
  }
  Integer integer() {
    const std::string text = word();
    const std::size_t digits = text[0] == '-' ? 1 : 0;
    if (digits == text.size() ||
        text.find_first_not_of("0123456789", digits) != std::string::npos ||
        (text.size() > digits + 1 && text[digits] == '0')) {
      wrong("'" + text.substr(0, 40) + "' is not an integer");
    }
    return Integer(text);
  }
  void expect(const std::string& what) {
    const std::string text = word();
    if (text != what) wrong("'" + text.substr(0, 40) + "' where '" + what + "' was expected");
  }
  void expect_end() const {
    if (!empty()) wrong("more words than expected: '" + std::string(rest_.substr(0, 40)) + "'");
  }
  const Format& format() {
    const std::string text = word();
    const Format* format = find_format(text);
    if (format == nullptr) wrong("unknown format '" + text.substr(0, 40) + "'");
    return *format;
  }

 private:
  std::string_view rest_;
};

DotFormats read_formats(std::string_view& text) {
  LineWords line(text);
  line.expect("formats");
  DotFormats f{};
  f.a = &line.format();
  f.b = &line.format();
  f.c = &line.format();
  f.d = &line.format();
  f.k = line.number(1, kLongestDot);
  if (!line.empty()) {
    f.scale = &line.format();
    f.scale_block = line.number(1, f.k);
    if (f.k % f.scale_block != 0) wrong("the block of a scale factor does not divide k");
  }
  line.expect_end();
  return f;
}

bool takes_boolean(Op op, std::size_t argument) {
  const bool is_choice = op == Op::select || op == Op::negate_if;
  return (is_choice && argument == 0) || op == Op::logical_not || op == Op::logical_and ||
         op == Op::logical_xor;
}

/// The number of operands of the operation; 0: one or more.
std::size_t arity(Op op) {
  switch (op) {
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
    default:
      return 0;
  }
}

/// The nodes read so far: their numbers in the text are indices.
class Nodes {
 public:
  explicit Nodes(const Graph& graph) : graph_(graph) {}

  NodeId at(LineWords& line) const {
    if (made_.empty()) wrong("a node is used before it is defined");
    return made_[line.number<std::size_t>(0, made_.size() - 1)];
  }
  void read(std::string_view& text) {
    LineWords line(text);
    const std::string word = line.word();
    Node n{};
    std::size_t op = 0;
    while (op < kOps && name(static_cast<Op>(op)) != word) ++op;
    if (op == kOps) wrong("unknown operation '" + word.substr(0, 40) + "'");
    n.op = static_cast<Op>(op);
    std::string input_name;
    if (n.op == Op::input) {
      n.width = line.number(1U, kWidestNumber);
      input_name = line.word();
    }
    if (n.op == Op::constant || n.op == Op::boolean || n.op == Op::sum) n.value = line.integer();
    if (n.op == Op::bits) {
      n.low = line.number(0U, kWidestNumber);
      n.width = line.number(1U, kWidestNumber);
    }
    if (n.op == Op::claim) {
      n.range.low = line.integer();
      n.range.high = line.integer();
    }
    std::vector<NodeId> args;
    while (!line.empty()) {
      args.push_back(at(line));
      if (is_boolean(graph_[args.back()].op) != takes_boolean(n.op, args.size() - 1)) {
        wrong("an operand of '" + word + "' has the wrong type");
      }
      if (n.op == Op::sum) n.coefficients.push_back(line.integer());
    }
    const bool is_leaf = n.op == Op::input || n.op == Op::constant || n.op == Op::boolean;
    if (is_leaf ? !args.empty() : args.empty() || (arity(n.op) != 0 && args.size() != arity(n.op)))
      wrong("'" + word + "' of " + std::to_string(args.size()) + " operands");
    made_.push_back(rebuild(n, args, input_name));
  }

 private:
  const Graph& graph_;
  std::vector<NodeId> made_;
};

void read_graph(std::string_view& text, Recorded& recorded) {
  const Graph::Building building(recorded.graph);
  dot_inputs(recorded.formats);
  const std::size_t inputs = recorded.graph.inputs().size();
  LineWords header(text);
  header.expect("nodes");
  const auto count = header.number<std::size_t>(1, text.size());
  const auto marks = header.number<std::size_t>(0, text.size());
  header.expect_end();
  Nodes nodes(recorded.graph);
  for (std::size_t i = 0; i < count; ++i) nodes.read(text);
  if (recorded.graph.inputs().size() != inputs)
    wrong("it has inputs that are not operands of a dot product");
  for (std::size_t i = 0; i < marks; ++i) {
    LineWords line(text);
    Mark mark;
    mark.role = static_cast<MarkRole>(line.number(0, kRoles - 1));
    mark.node = nodes.at(line);
    if (!line.empty()) {
      mark.exponent = nodes.at(line);
      mark.exponent_offset =
          line.number(-static_cast<int>(kWidestNumber), static_cast<int>(kWidestNumber));
    }
    line.expect_end();
    for (std::string* words : {&mark.stage, &mark.label}) {
      const std::size_t end = text.find('\n');
      if (end == std::string_view::npos) wrong("it ends too early");
      *words = text.substr(0, end);
      text.remove_prefix(end + 1);
    }
    recorded.graph.add_mark(std::move(mark));
  }
  LineWords line(text);
  line.expect("result");
  recorded.result = nodes.at(line);
  line.expect_end();
  if (is_boolean(recorded.graph[recorded.result].op)) wrong("its result is a Boolean");
}

}  // namespace

std::string to_text(const Recorded& recorded) {
  const auto& [own, f, graph, result] = recorded;
  std::ostringstream text;
  text << "algorithm " << own << "\nformats " << f.a->name << ' ' << f.b->name << ' ' << f.c->name
       << ' ' << f.d->name << ' ' << f.k;
  if (f.scale != nullptr) text << ' ' << f.scale->name << ' ' << f.scale_block;
  std::vector<NodeId> roots{result};
  for (const Mark& m : graph.marks()) {
    roots.push_back(m.node);
    if (m.exponent) roots.push_back(*m.exponent);
  }
  const std::vector<NodeId> nodes = graph.cone(roots);
  text << "\nnodes " << nodes.size() << ' ' << graph.marks().size() << '\n';
  Places places(graph.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    places[nodes[i]] = i;
    text << node_line(graph, nodes[i], places);
  }
  for (const Mark& m : graph.marks()) {
    text << static_cast<int>(m.role) << ' ' << places[m.node];
    if (m.exponent) text << ' ' << places[*m.exponent] << ' ' << m.exponent_offset;
    text << '\n' << one_line(m.stage) << '\n' << one_line(m.label) << '\n';
  }
  text << "result " << places[result] << '\n';
  return text.str();
}

std::shared_ptr<const Recorded> take_recorded(std::string_view& text) {
  auto recorded = std::make_shared<Recorded>();
  LineWords line(text);
  line.expect("algorithm");
  recorded->name = line.word();
  line.expect_end();
  recorded->formats = read_formats(text);
  try {
    read_graph(text, *recorded);
  } catch (const CannotBuild& error) {
    wrong(error.what());
  }
  return recorded;
}

}  // namespace mmaspec
