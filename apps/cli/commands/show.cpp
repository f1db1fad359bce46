// mmaspec show: prints an instruction's algorithm, parameters, formats and evidence.

#include <fmt/format.h>

#include "apps/cli/command.h"
#include "apps/cli/parser.h"
#include "apps/cli/topics.h"
#include "concrete/dot/model.h"
#include "encoder/encode.h"
#include "queries/statement/pairing.h"
#include "report/values.h"
#include "spec/catalog/departures.h"
#include "spec/catalog/plan.h"
#include "spec/conversions/conversion_design.h"
#include "spec/conversions/conversions.h"
#include "util/counted.h"
#include "util/json.h"

namespace mmaspec::cli {
namespace {

struct ShowCommandLine {
  std::string name;
  std::string algorithm;  ///< algorithm whose parameters are explained; empty: none
  bool json = false;
};

const Provenance* provenance_of(const Instruction& i, const std::string& parameter) {
  for (const Provenance& p : i.provenance) {
    if (p.parameter == parameter) return &p;
  }
  return nullptr;
}

/// The values of a parameter in the variants that differ from the default.
std::vector<std::pair<std::string, std::string>> elsewhere(const std::vector<Instruction>& others,
                                                           const Parameter& parameter) {
  std::vector<std::pair<std::string, std::string>> values;
  for (const Instruction& other : others) {
    for (const Parameter& p : other.algorithm.parameters()) {
      if (p.key == parameter.key && p.value != parameter.value) {
        values.emplace_back("@" + other.variant, p.value);
      }
    }
  }
  return values;
}

std::string show_text(const Instruction& i, const std::vector<Instruction>& others,
                      const WidthStatistics& size) {
  const DotFormats& f = i.formats;
  const std::string reference(i.algorithm.reference());
  std::string text = fmt::format("{}\n  algorithm   {}{}\n", i.label(), algorithm_label(i),
                                 reference.empty() ? "" : " (" + reference + ")");
  if (const Provenance* p = provenance_of(i, "algorithm")) {
    text += fmt::format("  evidence    {}: {}\n", to_string(p->evidence), p->source);
  }
  text += is_conversion(f)
              ? fmt::format("  d = c in another format\n  formats     c {}, d {}\n", f.c->name,
                            f.d->name)
              : fmt::format(
                    "  d = c + sum of a[k] * b[k], K = {}\n  formats     a {}, b {}, c {}, d {}\n",
                    f.k, f.a->name, f.b->name, f.c->name, f.d->name);
  if (f.scale != nullptr) {
    text += fmt::format("  scales      {}, one for {}\n", f.scale->name,
                        counted(f.scale_block, "product"));
  }
  if (!i.algorithm.parameters().empty()) text += "  parameters\n";
  for (const Parameter& p : i.algorithm.parameters()) {
    text += fmt::format("    {:<18} {:<14} {}\n", p.key, p.value, p.meaning);
    if (const Provenance* source = provenance_of(i, p.key)) {
      text += fmt::format("    {:<33} {}: {}\n", "", to_string(source->evidence), source->source);
    }
    for (const auto& [variant, value] : elsewhere(others, p)) {
      text += fmt::format("    {:<33} {}: {}\n", "", variant, value);
    }
  }
  if (!others.empty()) {
    text += "  variants   ";
    for (const Instruction& other : others) text += " @" + other.variant;
    text += "\n";
  }
  for (const Departure& d : departures(i)) {
    text += fmt::format("  unlike the model's code: there {}; here {}\n", d.theirs, d.ours);
  }
  return text + fmt::format("  expression  {} nodes, widest {} bits, {} bits in total\n",
                            size.nodes, size.widest, size.bits);
}

std::string show_json(const Instruction& i, const std::vector<Instruction>& others,
                      const WidthStatistics& size) {
  Json object;
  object["instr"] = i.name();
  object["algorithm"] = i.algorithm.name();
  object["reference"] = i.algorithm.reference();
  add_formats(i.formats, object);
  if (const Provenance* p = provenance_of(i, "algorithm")) {
    object["evidence"] = to_string(p->evidence);
    object["source"] = p->source;
  }
  object["parameters"] = Json::array();
  for (const Parameter& p : i.algorithm.parameters()) {
    Json entry{{"key", p.key}, {"value", p.value}, {"meaning", p.meaning}};
    if (const Provenance* source = provenance_of(i, p.key)) {
      entry["evidence"] = to_string(source->evidence);
      entry["source"] = source->source;
    }
    for (const auto& [variant, value] : elsewhere(others, p)) entry["variants"][variant] = value;
    object["parameters"].push_back(entry);
  }
  object["variants"] = Json::array();
  for (const Instruction& other : others) object["variants"].push_back(other.variant);
  for (const Departure& d : departures(i)) {
    object["departures"].push_back({{"theirs", d.theirs}, {"ours", d.ours}});
  }
  object["expression"] = {{"nodes", size.nodes}, {"widest", size.widest}, {"bits", size.bits}};
  return object.dump(2) + "\n";
}

std::string show_json(const OpenAlgorithmHelp& help) {
  Json object{{"algorithm", help.name}, {"reference", help.reference}};
  for (const ParameterHelp& p : help.parameters) {
    Json entry{{"key", p.key}, {"allowed", p.allowed}};
    entry["default"] = nullptr;
    if (!p.default_value.empty()) entry["default"] = p.default_value;
    entry["meaning"] = p.meaning;
    object["parameters"].push_back(std::move(entry));
  }
  return object.dump(2) + "\n";
}

int run_show(const ShowCommandLine& options) {
  if (!options.algorithm.empty()) {
    if (!options.name.empty()) {
      throw std::invalid_argument("show: NAME and --parameters exclude each other");
    }
    const auto scheme = scheme_help(options.algorithm);
    const OpenAlgorithmHelp help = scheme ? *scheme
                                   : options.algorithm == "conversion"
                                       ? conversion_help()
                                       : open_algorithm_help(options.algorithm);
    print(options.json ? show_json(help)
                       : parameters_text(help, scheme ? "plan:{}(NAME,key=value,...)"
                                                      : "design:{}(key=value,...)"));
    return kDone;
  }
  if (options.name.empty())
    throw std::invalid_argument("show: NAME or --parameters ALGORITHM is required");
  const Instruction i = find_with_conversions(options.name);
  const std::vector<Instruction> others = in_other_variants(i);
  const DotModel model(i.algorithm, i.formats);
  const WidthStatistics size = width_statistics(model.graph(), {model.result()});
  print(options.json ? show_json(i, others, size) : show_text(i, others, size));
  return kDone;
}

}  // namespace

void add_show(Command& app, int& status) {
  auto options = std::make_shared<ShowCommandLine>();
  Command command = app.add_command(
      "show", "show an instruction's algorithm, parameters and formats, and the evidence for each");
  command.add_option("NAME", options->name, "an instruction or a design");
  command
      .add_option("--parameters", options->algorithm,
                  "show the parameters of an algorithm (design:NAME(...)) or of a scheme "
                  "(plan:NAME(...)) instead")
      .not_empty();
  add_json(command, options->json);
  command.examples(
      {{"mmaspec show h100/mma.m16n8k16.f32.f16.f16.f32",
        "the specification of an instruction, and its evidence"},
       {"mmaspec show --parameters fused-dot-add", "all parameters of design:fused-dot-add(...)"}});
  command.run([options, &status] { status = run_show(*options); });
}

}  // namespace mmaspec::cli
