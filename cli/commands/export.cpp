// mmaspec export: an instruction's formula or graph.

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/parser.h"
#include "encoder/encode.h"
#include "encoder/smtlib.h"
#include "exports/module.h"
#include "queries/ask/pairing.h"
#include "spec/lang/print.h"
#include "util/file.h"
#include "util/json.h"

namespace mmaspec::cli {
namespace {

struct ExportCommandLine {
  std::string name;
  std::string format = "smtlib2";
  std::string module;
  std::string out;
};

/// The dot-add with its operands as ports, called as the user says or as its name suggests.
Module module_of(const Instruction& i, const DotModel& model, const std::string& name) {
  const Graph& graph = model.graph();
  const DotFormats& f = i.formats;
  Module module;
  module.graph = &graph;
  const std::string known = i.name();
  module.name = name.empty() ? identifier(known.substr(0, known.find('('))) : name;
  module.comment =
      fmt::format("{}\nd = c + sum of a[k] * b[k], K = {}; bit patterns of {}, {}, {} -> {}", known,
                  f.k, f.a->name, f.b->name, f.c->name, f.d->name);
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
  return fmt::format(
      "; {}: d = c + sum of a[k] * b[k], K = {}; bit patterns of {}, {}, {} -> {}\n{}", i.name(),
      i.formats.k, i.formats.a->name, i.formats.b->name, i.formats.c->name, i.formats.d->name,
      to_smtlib(query));
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

int run_export(const ExportCommandLine& options) {
  if (!options.module.empty() && options.module != identifier(options.module)) {
    throw std::invalid_argument("--module: '" + options.module + "' is no identifier, such as " +
                                identifier(options.module));
  }
  if (!options.out.empty()) {
    require_ending_of("--out", options.out, options.format);
    require_writable(options.out);
  }
  const Instruction i = find_instruction(options.name);
  const DotModel model(i.algorithm, i.formats);
  std::string text;
  if (options.format == "smtlib2") {
    text = smtlib_of(i, model);
  } else if (options.format == "dot") {
    text = to_dot(model.graph(), {model.result()}, i.name());
  } else if (options.format == "json") {
    text = export_json(i, model);
  } else if (options.format == "verilog") {
    text = to_verilog(module_of(i, model, options.module));
  } else if (options.format == "c") {
    text = to_c(module_of(i, model, options.module));
  } else if (options.format == "btor2") {
    text = to_btor2(module_of(i, model, options.module));
  } else {
    text = mmaspec::print(model.graph(), {model.result()});
  }
  if (options.out.empty()) {
    print(text);
  } else {
    write_file(options.out, text);
  }
  return kDone;
}

}  // namespace

void add_export(Command& app, int& status) {
  auto options = std::make_shared<ExportCommandLine>();
  Command command = app.add_command("export", "write an instruction's formula, or its graph");
  command.add_option("NAME", options->name, "an instruction or a design").required();
  command
      .add_option("--format", options->format,
                  "smtlib2, btor2, verilog (a combinational module), c (a C99 file), dot, json, or "
                  "text (the graph, a line a node)")
      .one_of({"smtlib2", "btor2", "verilog", "c", "dot", "json", "text"})
      .shows_default();
  command.add_option("--module", options->module, "name of the Verilog module or the C function")
      .not_empty();
  command.add_option("--out", options->out, "write to this file").not_empty();
  command.examples(
      {{"mmaspec export volta/mma.m8n8k4.f32.f16.f16.f32 --out volta.smt2",
        "the formula, for another solver"},
       {"mmaspec export volta/mma.m8n8k4.f32.f16.f16.f32 --format dot | dot -Tsvg > volta.svg",
        "the graph"}});
  command.run([options, &status] { status = run_export(*options); });
}

}  // namespace mmaspec::cli
