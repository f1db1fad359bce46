#include "report/text/export_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "concrete/device/kernel.h"
#include "encoder/encode.h"
#include "encoder/export/checker.h"
#include "encoder/export/coverage.h"
#include "encoder/export/module.h"
#include "encoder/smtlib.h"
#include "queries/statement/pairing.h"
#include "spec/conversions/conversion_design.h"
#include "spec/formats/unpack.h"
#include "spec/lang/print.h"
#include "spec/parts/coverage.h"
#include "util/json.h"

namespace mmaspec {
namespace {

/// The user's name, or one derived from the instruction's.
std::string module_name(const Instruction& i, const std::string& name) {
  const std::string known = i.name();
  return name.empty() ? identifier(known.substr(0, known.find('('))) : name;
}

void require_identifier(const std::string& module) {
  if (!module.empty() && module != identifier(module)) {
    throw std::invalid_argument("--module: '" + module + "' is not an identifier, such as " +
                                identifier(module));
  }
}

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
  module.name = module_name(i, name);
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

/// The checker of the dot-add.
std::string checker_of(const Instruction& i, const Module& reference,
                       const CheckerDefaults& defaults) {
  const Format& d = *i.formats.d;
  if (!d.has_nan()) return to_checker(reference, nullptr, defaults);
  Graph graph;
  const Graph::Building building(graph);
  const auto width = static_cast<unsigned>(d.storage_bits);
  const Int x = input("x", width);
  Module is_nan;
  is_nan.graph = &graph;
  is_nan.name = reference.name + "_is_nan";
  is_nan.comment = fmt::format("d is 1 if the pattern x of {} is NaN", d.name);
  is_nan.inputs.push_back({"x", {x.id()}, width, false});
  is_nan.result = select(unpack(d, x).is_nan, Int(1), Int(0)).id();
  is_nan.result_width = 1;
  return to_checker(reference, &is_nan, defaults);
}

/// The module that counts cover points.
std::string coverage_of(const Instruction& i, const std::string& module) {
  static_assert(kMostBins == 1U << kBinBits);
  std::vector<ExportedPoint> points;
  const Algorithm bins_of(
      Custom{"bins", [&](const DotFormats& formats, const DotOperands& operands) {
               points.clear();
               Int bins = 0;
               const Int d = i.algorithm.build(formats, operands);
               for (const CoverPoint& p : cover_points(formats, operands, d)) {
                 const auto low = kBinBits * static_cast<unsigned>(points.size());
                 bins = bins + p.bin * power_of_two(low);
                 points.push_back({p.name, p.meaning, p.bins});
               }
               return bins;
             }});
  const DotModel model(bins_of, i.formats);
  const std::string name = module_name(i, module);
  Module bins = module_of(i, model, name + "_bins");
  bins.comment += "\nThe indices of the bins of these operands, for module " + name + "_coverage";
  bins.result_width = kBinBits * static_cast<unsigned>(points.size());
  return to_coverage(bins, name + "_coverage", points);
}

std::string rows_of(const Instruction& i, const TestRowsOptions& options) {
  const TestRows rows = draw_test_rows(i, options);
  std::string text;
  for (const TestRow& r : rows.rows) {
    Json object = to_json(r.row, i.formats);
    for (std::size_t p = 0; p < r.bins.size(); ++p) {
      object["bins"][rows.points[p].name] = rows.points[p].bins.at(r.bins[p]);
    }
    text += object.dump() + "\n";
  }
  return text;
}

/// The same, with a column for each element and each cover point.
std::string csv_of(const Instruction& i, const TestRowsOptions& options) {
  const TestRows rows = draw_test_rows(i, options);
  const DotFormats& f = i.formats;
  std::string text;
  const auto head = [&](const char* name, int count) {
    for (int k = 0; k < count; ++k) text += fmt::format("{}{},", name, k);
  };
  head("a", f.k);
  head("b", f.k);
  text += "c,";
  head("sa", f.scales());
  head("sb", f.scales());
  text += "d";
  for (const TestRows::Point& p : rows.points) text += "," + p.name + " bin";
  text += "\n";
  for (const TestRow& r : rows.rows) {
    const auto add = [&](const std::vector<Integer>& values, const Format* format) {
      for (const Integer& x : values) {
        text += fmt::format("{:0>{}},", to_hex(x), static_cast<std::size_t>(format->hex_digits()));
      }
    };
    add(r.row.values.a, f.a);
    add(r.row.values.b, f.b);
    add({r.row.values.c}, f.c);
    add(r.row.values.scale_a, f.scale);
    add(r.row.values.scale_b, f.scale);
    add({*r.row.d}, f.d);
    text.pop_back();
    for (std::size_t p = 0; p < r.bins.size(); ++p) {
      text += "," + rows.points[p].bins.at(r.bins[p]);
    }
    text += "\n";
  }
  return text;
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
  static const std::vector<std::string> all{"smtlib2", "btor2", "verilog", "sva",  "coverage",
                                            "rows",    "csv",   "c",       "cuda", "opencl",
                                            "dot",     "json",  "text"};
  return all;
}

std::string export_text(const Instruction& i, const std::string& format, const std::string& module,
                        const ExportOptions& options) {
  const std::vector<std::string>& all = export_formats();
  if (std::find(all.begin(), all.end(), format) == all.end()) {
    throw std::invalid_argument(
        fmt::format("format '{}': expected {}", format.substr(0, 60), fmt::join(all, ", ")));
  }
  require_identifier(module);
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
  const bool is_for_benches =
      format == "rows" || format == "csv" || format == "coverage" || format == "sva";
  if (is_for_benches && is_conversion(i.formats)) {
    throw std::invalid_argument(i.label() + " converts a number: --format " + format +
                                " is for sums of products");
  }
  if (format == "rows" || format == "csv") {
    if (!module.empty()) throw std::invalid_argument("--module: rows do not have a module");
    return format == "rows" ? rows_of(i, options.rows) : csv_of(i, options.rows);
  }
  if (format == "coverage") return coverage_of(i, module);
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
  } else if (format == "sva") {
    text = checker_of(i, module_of(i, model, module), options.checker);
  } else if (format == "c") {
    text = to_c(module_of(i, model, module));
  } else if (format == "btor2") {
    text = to_btor2(module_of(i, model, module));
  } else {
    text = mmaspec::print(model.graph(), {model.result()});
  }
  return text;
}

std::string export_bind(const Instruction& i, const std::string& module,
                        const CheckerBinding& binding) {
  require_identifier(module);
  const DotFormats& f = i.formats;
  std::vector<std::string> operands{"a", "b", "c"};
  if (f.scales() != 0) operands.insert(operands.end(), {"sa", "sb"});
  for (const auto& [operand, expression] : binding.map) {
    if (operand != "d" && std::find(operands.begin(), operands.end(), operand) == operands.end()) {
      throw std::invalid_argument("--map: the formats have no operand '" + operand + "'");
    }
  }
  return to_bind(module_name(i, module), operands, binding);
}

}  // namespace mmaspec
