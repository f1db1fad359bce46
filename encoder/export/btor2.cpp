#include <fmt/format.h>

#include <map>

#include "encoder/encode.h"
#include "encoder/export/module.h"

namespace mmaspec {
namespace {

/// Number of bits; a Boolean has one bit.
unsigned bits_of(const BvTerm& t) { return t.width == 0 ? 1 : t.width; }

std::string_view btor2_name(BvOp op) {
  switch (op) {
    case BvOp::bool_not:
    case BvOp::bv_not:
      return "not";
    case BvOp::bool_or:
    case BvOp::bv_or:
      return "or";
    case BvOp::bool_and:
    case BvOp::bv_and:
      return "and";
    case BvOp::bool_xor:
    case BvOp::bv_xor:
      return "xor";
    case BvOp::eq:
      return "eq";
    case BvOp::ult:
      return "ult";
    case BvOp::slt:
      return "slt";
    case BvOp::ite:
      return "ite";
    case BvOp::add:
      return "add";
    case BvOp::mul:
      return "mul";
    case BvOp::concat:
      return "concat";
    case BvOp::extract:
      return "slice";
    case BvOp::zero_extend:
      return "uext";
    case BvOp::sign_extend:
      return "sext";
    case BvOp::bool_constant:
    case BvOp::constant:
    case BvOp::variable:
      break;
  }
  throw std::logic_error("BTOR2 does not support this operation");
}

/// Writes terms one by one, each with its sort before it.
class Btor2Writer {
 public:
  explicit Btor2Writer(const BvTerms& terms) : terms_(terms) {}

  void write(TermId id, const std::string& symbol) {
    const BvTerm& t = terms_[id];
    const unsigned w = bits_of(t);
    const int of = sort(w);
    const std::string end = symbol.empty() ? "\n" : " " + symbol + "\n";
    if (t.op == BvOp::variable) {
      lines_[id] = line("input {} {}\n", of, t.name);
      return;
    }
    if (t.op == BvOp::constant || t.op == BvOp::bool_constant) {
      lines_[id] = line("consth {} {}{}", of, to_hex(t.value), end);
      return;
    }
    if (t.op == BvOp::bool_and) {
      int all = lines_.at(t.args[0]);
      for (std::size_t i = 1; i < t.args.size(); ++i) {
        all = line("and {} {} {}{}", of, all, lines_.at(t.args[i]),
                   i + 1 == t.args.size() ? end : "\n");
      }
      lines_[id] = all;
      return;
    }
    std::string text;
    for (const TermId a : t.args) text += fmt::format(" {}", lines_.at(a));
    if (t.op == BvOp::extract) text += fmt::format(" {} {}", t.low + w - 1, t.low);
    if (t.op == BvOp::zero_extend || t.op == BvOp::sign_extend) {
      text += fmt::format(" {}", w - bits_of(terms_[t.args[0]]));
    }
    lines_[id] = line("{} {}{}{}", btor2_name(t.op), of, text, end);
  }

  std::string output(TermId id, const std::string& name) {
    line("output {} {}\n", lines_.at(id), name);
    return text_;
  }

  void comment(const std::string& text) {
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      text_ += "; " + text.substr(at, end - at) + "\n";
      at = end + 1;
    }
  }

 private:
  template <typename... Args>
  int line(fmt::format_string<Args...> format, Args&&... args) {
    text_ += fmt::format("{} ", ++last_) + fmt::format(format, std::forward<Args>(args)...);
    return last_;
  }

  int sort(unsigned w) {
    const auto [it, added] = sorts_.try_emplace(w, 0);
    if (added) it->second = line("sort bitvec {}\n", w);
    return it->second;
  }

  const BvTerms& terms_;
  std::string text_;
  int last_ = 0;
  std::map<unsigned, int> sorts_;
  std::map<TermId, int> lines_;
};

}  // namespace

std::string to_btor2(const Module& module) {
  const Graph& graph = *module.graph;
  BvTerms terms;
  Encoder encoder(graph, terms);
  Btor2Writer writer(terms);
  writer.comment(module.comment);
  std::vector<TermId> roots;
  for (const Port& port : module.inputs) {
    for (const NodeId id : port.elements) roots.push_back(encoder.word(id));
  }
  // Inputs come first, whether or not they are used.
  for (const TermId id : roots) writer.write(id, "");
  std::map<TermId, std::string> symbols;
  const NodeNames names(graph, module.result);
  for (const NodeId id : names.nodes()) {
    const TermId t = is_boolean(graph[id].op) ? encoder.boolean(id) : encoder.word(id);
    symbols.try_emplace(t, names[id]);
  }
  const TermId d = encoder.word(module.result, module.result_width);
  for (const TermId id : terms.cone({d})) {
    if (terms[id].op == BvOp::variable) continue;
    const auto symbol = symbols.find(id);
    writer.write(id, symbol == symbols.end() ? "" : symbol->second);
  }
  return writer.output(d, "d");
}

}  // namespace mmaspec
