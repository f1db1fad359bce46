#include "hardware/rtl/circuit/btor2.h"

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

enum class Sorts {
  same,     ///< operands and result have the same width
  compare,  ///< operands have the same width, the result has 1 bit
  reduce,   ///< the result has 1 bit
  bits,     ///< operands and result have 1 bit
  other     ///< require_widths() has the rule of each
};

Sorts sorts_of(const std::string& op) {
  static const std::set<std::string> compare{"eq",   "neq", "ult",  "ulte", "ugt",
                                             "ugte", "slt", "slte", "sgt",  "sgte"};
  static const std::set<std::string> reduce{"redand", "redor", "redxor"};
  static const std::set<std::string> bits{"implies", "iff"};
  static const std::set<std::string> other{"slice", "uext", "sext", "concat", "ite"};
  if (compare.contains(op)) return Sorts::compare;
  if (reduce.contains(op)) return Sorts::reduce;
  if (bits.contains(op)) return Sorts::bits;
  return other.contains(op) ? Sorts::other : Sorts::same;
}

/// With at most as many digits as a number of kMostWordBits bits has.
Integer parse_number(const std::string& digits, unsigned base) {
  if (digits.size() > kMostWordBits) refuse("a constant has too many digits");
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

/// The position recorded by Yosys: after `;`, and for objects in instances the innermost position.
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
  /// In one line, with the position in the RTL if it is known.
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
    if (it == sorts_.end()) refuse_here("a memory is not an array of registers");
    return it->second;
  }
  std::size_t node() {
    const auto it = circuit_.node_of_line.find(number());
    if (it == circuit_.node_of_line.end()) refuse("a line is used before it is defined");
    return it->second;
  }

  /// Throws unless operands and result have the widths that BTOR2 prescribes. `number`: the number
  /// of bits that uext and sext add, or the highest bit of slice.
  void require_widths(const CircuitNode& n, unsigned number) const {
    const auto arg = [&](std::size_t i) { return circuit_.nodes[n.args[i]].width; };
    const auto all_are = [&](unsigned width) {
      return std::all_of(n.args.begin(), n.args.end(),
                         [&](std::size_t a) { return circuit_.nodes[a].width == width; });
    };
    const bool holds = [&] {
      switch (sorts_of(n.op)) {
        case Sorts::same:
          return all_are(n.width);
        case Sorts::compare:
          return n.width == 1 && all_are(arg(0));
        case Sorts::reduce:
          return n.width == 1;
        case Sorts::bits:
          return n.width == 1 && all_are(1);
        case Sorts::other:
          break;
      }
      if (n.op == "slice") {
        return n.low <= number && number < arg(0) && n.width == number - n.low + 1;
      }
      if (n.op == "concat") return n.width == arg(0) + arg(1);
      if (n.op == "ite") return arg(0) == 1 && arg(1) == n.width && arg(2) == n.width;
      return n.width == arg(0) + number;  // uext, sext
    }();
    if (!holds) refuse_here("the operands of '" + n.op + "' have wrong widths");
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
    if (!ids_.insert(id).second) refuse("two lines have the number " + std::to_string(id));
    const std::string op = word();
    if (op == "sort") {
      if (word() != "bitvec") return;  // an array is refused at its use
      const unsigned width = number();
      if (width == 0 || width > kMostWordBits) {
        refuse("a word has " + std::to_string(width) + " bits; allowed: 1 to " +
               std::to_string(kMostWordBits));
      }
      sorts_[id] = width;
      return;
    }
    if (op == "bad" || op == "fair" || op == "justice" || op == "constraint") return;
    if (op == "output") {
      const std::size_t n = node();
      circuit_.outputs.push_back({symbol(), n, source_});
      return;
    }
    const unsigned width = width_of_sort();
    if (op == "init") return;  // a result for any initial value of a register holds for this one
    if (op == "next") {
      const std::size_t state = node();
      const std::size_t next = node();
      if (circuit_.nodes[state].op != "state" || !declared_.contains(state)) {
        refuse("a next value belongs to a signal that is not a register");
      }
      if (circuit_.nodes[state].width != width || circuit_.nodes[next].width != width) {
        refuse("a register and its next value have different widths");
      }
      if (!next_.emplace(state, next).second) refuse("a register has two next values");
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
      const std::string digits = word();
      n.value = parse_number(digits, op == "consth" ? 16 : 10);
      if (bit_length(n.value) > width) refuse("'" + digits + "' is not a constant of its width");
    } else if (op == "zero" || op == "one" || op == "ones") {
      n.op = "const";
      n.value = op == "zero" ? Integer(0) : op == "one" ? Integer(1) : power_of_two(width) - 1;
    } else {
      const auto arity = operations().find(op);
      if (arity == operations().end()) {
        refuse_here("the operation '" + op + "' is not supported");
      }
      for (unsigned i = 0; i < arity->second; ++i) n.args.push_back(node());
      const bool has_number = op == "slice" || op == "uext" || op == "sext";
      const unsigned own = has_number ? number() : 0;
      if (op == "slice") n.low = number();
      require_widths(n, own);
      n.symbol = symbol();
    }
    const std::size_t added = add(std::move(n));
    if (op == "state") declared_.insert(added);
    circuit_.node_of_line[id] = added;
  }

  std::vector<std::string> words_;
  std::size_t at_ = 0;
  std::string source_;
  std::map<unsigned, unsigned> sorts_;
  std::set<unsigned> ids_;
  std::set<std::size_t> declared_;  ///< registers, without undefined bits of constants
  std::map<std::size_t, std::size_t> next_;
  Circuit circuit_;
};

}  // namespace

bool Circuit::has_registers() const {
  return std::any_of(next.begin(), next.end(), [](const auto& n) { return n.has_value(); });
}

Circuit read_btor2(const std::string& text) { return Reader().read(text); }

}  // namespace mmaspec::rtl
