#include "report/text/export_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "concrete/device/kernel.h"
#include "encoder/encode.h"
#include "encoder/export/module.h"
#include "encoder/smtlib.h"
#include "queries/ask/pairing.h"
#include "spec/conversions/conversion_design.h"
#include "spec/lang/print.h"
#include "util/json.h"

namespace mmaspec {
namespace {

/// What the result is, and the formats of the patterns.
std::string formula_text(const DotFormats& f) {
  if (is_conversion(f)) {
    return fmt::format("d = c in another format; bit patterns of {} -> {}", f.c->name, f.d->name);
  }
  return fmt::format("d = c + sum of a[k] * b[k], K = {}; bit patterns of {}, {}, {} -> {}", f.k,
                     f.a->name, f.b->name, f.c->name, f.d->name);
}

/// The dot-add with its operands as ports, with the user's module name or one derived from its own
/// name.
Module module_of(const Instruction& i, const DotModel& model, const std::string& name) {
  const Graph& graph = model.graph();
  const DotFormats& f = i.formats;
  Module module;
  module.graph = &graph;
  const std::string known = i.name();
  module.name = name.empty() ? identifier(known.substr(0, known.find('('))) : name;
  module.comment = known + "\n" + formula_text(f);
  auto next = graph.inputs().begin();
  const auto add = [&](const char* port, int count, const Format* format, bool is_vector) {
    if (count == 0) return;
    module.inputs.push_back(
        {port, {next, next + count}, static_cast<unsigned>(format->storage_bits), is_vector});
    next += count;
  };
  add("a", f.k, f.a, true);
  add("b", f.k, f.b, true);
  add("c", 1, f.c, false);
  add("sa", f.scales(), f.scale, true);
  add("sb", f.scales(), f.scale, true);
  module.result = model.result();
  module.result_width = static_cast<unsigned>(f.d->storage_bits);
  return module;
}

/// The inputs and d as bitvector variables, and the relation between them.
std::string smtlib_of(const Instruction& i, const DotModel& model) {
  BvTerms terms;
  Encoder encoder(model.graph(), terms);
  const auto width = static_cast<unsigned>(i.formats.d->storage_bits);
  const TermId d = terms.variable("d", width);
  const Query query{&terms, {terms.eq(d, encoder.word(model.result(), width))}};
  return fmt::format("; {}: {}\n{}", i.name(), formula_text(i.formats), to_smtlib(query));
}

std::string export_json(const Instruction& i, const DotModel& model) {
  const Graph& graph = model.graph();
  Json object;
  object["instr"] = i.name();
  object["k"] = i.formats.k;
  object["result"] = model.result();
  object["nodes"] = Json::array();
  for (NodeId id : graph.cone({model.result()})) {
    const Node& n = graph[id];
    Json entry{{"id", id}, {"op", name(n.op)}};
    if (n.op == Op::input) {
      entry["name"] = graph.input_name(id);
      entry["width"] = n.width;
    }
    if (n.op == Op::constant || n.op == Op::boolean || (n.op == Op::sum && n.value != 0)) {
      entry["value"] = n.value.str();
    }
    if (!n.args.empty()) entry["args"] = n.args;
    for (const Integer& c : n.coefficients) entry["coefficients"].push_back(c.str());
    if (n.op == Op::bits) {
      entry["low"] = n.low;
      entry["width"] = n.width;
    }
    entry["range"] = {n.range.low.str(), n.range.high.str()};
    if (n.stage != 0) entry["stage"] = graph.stages()[n.stage];
    object["nodes"].push_back(std::move(entry));
  }
  return object.dump(1) + "\n";
}

}  // namespace

const std::vector<std::string>& export_formats() {
  static const std::vector<std::string> all{"smtlib2", "btor2", "verilog", "c",   "cuda",
                                            "opencl",  "dot",   "json",    "text"};
  return all;
}

std::string export_text(const Instruction& i, const std::string& format,
                        const std::string& module) {
  const std::vector<std::string>& all = export_formats();
  if (std::find(all.begin(), all.end(), format) == all.end()) {
    throw std::invalid_argument(
        fmt::format("format '{}': expected {}", format.substr(0, 60), fmt::join(all, ", ")));
  }
  if (!module.empty() && module != identifier(module)) {
    throw std::invalid_argument("--module: '" + module + "' is not an identifier, such as " +
                                identifier(module));
  }
  if (format == "cuda" || format == "opencl") {
    if (is_conversion(i.formats)) {
      throw std::invalid_argument(i.label() + " converts a number: it has no matrices");
    }
    if (!module.empty()) {
      throw std::invalid_argument(
          fmt::format("--module: a kernel's function is named {}", device::kKernelName));
    }
    const auto dialect = format == "cuda" ? device::Dialect::cuda : device::Dialect::opencl;
    return device::matrix_kernel(i.algorithm, i.formats, dialect, i.name()).source;
  }
  const DotModel model(i.algorithm, i.formats);
  std::string text;
  if (format == "smtlib2") {
    text = smtlib_of(i, model);
  } else if (format == "dot") {
    text = to_dot(model.graph(), {model.result()}, i.name());
  } else if (format == "json") {
    text = export_json(i, model);
  } else if (format == "verilog") {
    text = to_verilog(module_of(i, model, module));
  } else if (format == "c") {
    text = to_c(module_of(i, model, module));
  } else if (format == "btor2") {
    text = to_btor2(module_of(i, model, module));
  } else {
    text = mmaspec::print(model.graph(), {model.result()});
  }
  return text;
}

}  // namespace mmaspec
