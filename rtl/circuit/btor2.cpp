#include "rtl/circuit/btor2.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>

namespace mmaspec::rtl {
namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw std::invalid_argument("the elaborated circuit: " + what);
}

const std::map<std::string, unsigned>& operations() {
  static const std::map<std::string, unsigned> arity{
      {"not", 1},    {"neg", 1},    {"inc", 1},  {"dec", 1},  {"redand", 1},  {"redor", 1},
      {"redxor", 1}, {"slice", 1},  {"uext", 1}, {"sext", 1}, {"and", 2},     {"or", 2},
      {"xor", 2},    {"nand", 2},   {"nor", 2},  {"xnor", 2}, {"implies", 2}, {"iff", 2},
      {"eq", 2},     {"neq", 2},    {"ult", 2},  {"ulte", 2}, {"ugt", 2},     {"ugte", 2},
      {"slt", 2},    {"slte", 2},   {"sgt", 2},  {"sgte", 2}, {"add", 2},     {"sub", 2},
      {"mul", 2},    {"concat", 2}, {"sll", 2},  {"srl", 2},  {"sra", 2},     {"udiv", 2},
      {"sdiv", 2},   {"urem", 2},   {"srem", 2}, {"smod", 2}, {"ite", 3}};
  return arity;
}

Integer parse_number(const std::string& digits, unsigned base) {
  Integer x = 0;
  for (const char c : digits) {
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : 99;
    if (digit >= static_cast<int>(base)) refuse("'" + digits + "' is not a number");
    x = x * base + digit;
  }
  return x;
}

/// Where Yosys found it: after `;`, and of what is inside instances the innermost place.
std::string source_of(const std::string& line) {
  const std::size_t comment = line.find(" ;");
  if (comment == std::string::npos) return "";
  std::string source = line.substr(comment + 2);
  source.erase(0, source.find_first_not_of(' '));
  return source.substr(source.rfind('|') + 1);
}

/// Reads line by line.
class Reader {
 public:
  Circuit read(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      source_ = source_of(line);
      std::istringstream words(line.substr(0, line.find(';')));
      words_.clear();
      for (std::string word; words >> word;) words_.push_back(word);
      at_ = 0;
      if (!words_.empty()) take();
    }
    circuit_.next.resize(circuit_.nodes.size());
    for (const auto& [state, next] : next_) circuit_.next[state] = next;
    return std::move(circuit_);
  }

 private:
  /// In one line, with the place in the RTL where it is known.
  [[noreturn]] void refuse_here(const std::string& what) const {
    refuse(what + (source_.empty() ? "" : " (" + source_ + ")"));
  }

  std::string word() {
    if (at_ == words_.size()) refuse("a line ends too early");
    return words_[at_++];
  }
  unsigned number() {
    const std::string text = word();
    if (text.empty() || text.size() > 9 ||
        !std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; })) {
      refuse("'" + text + "' is not the number of a line");
    }
    return static_cast<unsigned>(std::stoul(text));
  }
  std::string symbol() { return at_ < words_.size() ? words_[at_] : ""; }

  unsigned width_of_sort() {
    const auto it = sorts_.find(number());
    if (it == sorts_.end()) refuse_here("a memory that is not an array of registers");
    return it->second;
  }
  std::size_t node() {
    const auto it = circuit_.node_of_line.find(number());
    if (it == circuit_.node_of_line.end()) refuse("a line is used before it is defined");
    return it->second;
  }

  std::size_t add(CircuitNode n) {
    circuit_.nodes.push_back(std::move(n));
    return circuit_.nodes.size() - 1;
  }

  /// Binary digits, the highest first. Each run of x or z is an undefined value.
  std::size_t constant(const std::string& digits, unsigned width) {
    if (digits.size() != width) refuse("'" + digits + "' is not a constant of its width");
    const auto is_known = [](char c) { return c == '0' || c == '1'; };
    std::optional<std::size_t> whole;
    for (std::size_t from = 0; from < digits.size();) {
      std::size_t to = from;
      while (to < digits.size() && is_known(digits[to]) == is_known(digits[from])) ++to;
      const std::string run = digits.substr(from, to - from);
      const auto bits = static_cast<unsigned>(to - from);
      CircuitNode part{"const", bits, {}};
      if (is_known(run[0])) {
        part.value = parse_number(run, 2);
      } else {
        if (run.find_first_not_of("xXzZ") != std::string::npos) {
          refuse("'" + digits + "' is not a number");
        }
        part.op = "state";
      }
      part.source = source_;
      const std::size_t low = add(std::move(part));
      whole = whole ? add({"concat", static_cast<unsigned>(to), {*whole, low}}) : low;
      from = to;
    }
    return *whole;
  }

  void take() {
    const unsigned id = number();
    const std::string op = word();
    if (op == "sort") {
      if (word() == "bitvec") sorts_[id] = number();
      return;  // an array is refused where it is used
    }
    if (op == "bad" || op == "fair" || op == "justice" || op == "constraint") return;
    if (op == "output") {
      const std::size_t n = node();
      circuit_.outputs.push_back({symbol(), n, source_});
      return;
    }
    const unsigned width = width_of_sort();
    if (op == "init") return;  // what holds for any value of a register holds for this one
    if (op == "next") {
      const std::size_t state = node();
      next_.emplace_back(state, node());
      return;
    }
    if (op == "const") {
      circuit_.node_of_line[id] = constant(word(), width);
      return;
    }
    CircuitNode n{op, width, {}};
    n.source = source_;
    if (op == "input" || op == "state") {
      n.symbol = symbol();
    } else if (op == "constd" || op == "consth") {
      n.op = "const";
      n.value = parse_number(word(), op == "consth" ? 16 : 10);
    } else if (op == "zero" || op == "one" || op == "ones") {
      n.op = "const";
      n.value = op == "zero" ? Integer(0) : op == "one" ? Integer(1) : power_of_two(width) - 1;
    } else {
      const auto arity = operations().find(op);
      if (arity == operations().end()) {
        refuse_here("the operation '" + op + "' is not supported");
      }
      for (unsigned i = 0; i < arity->second; ++i) n.args.push_back(node());
      if (op == "slice") {
        number();
        n.low = number();
      } else if (op == "uext" || op == "sext") {
        number();
      }
      n.symbol = symbol();
    }
    circuit_.node_of_line[id] = add(std::move(n));
  }

  std::vector<std::string> words_;
  std::size_t at_ = 0;
  std::string source_;
  std::map<unsigned, unsigned> sorts_;
  std::vector<std::pair<std::size_t, std::size_t>> next_;
  Circuit circuit_;
};

}  // namespace

bool Circuit::has_registers() const {
  return std::any_of(next.begin(), next.end(), [](const auto& n) { return n.has_value(); });
}

Circuit read_btor2(const std::string& text) { return Reader().read(text); }

}  // namespace mmaspec::rtl
