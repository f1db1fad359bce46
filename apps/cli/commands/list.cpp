// mmaspec list: lists the catalogue, one line for each instruction.

#include <fmt/format.h>

#include "apps/cli/command.h"
#include "apps/cli/parser.h"
#include "concrete/rows/csv.h"
#include "report/values.h"
#include "spec/catalog/instruction.h"
#include "spec/catalog/names/names.h"
#include "spec/catalog/own.h"
#include "spec/conversions/conversions.h"
#include "util/json.h"

namespace mmaspec::cli {
namespace {

struct ListCommandLine {
  std::string architecture;
  bool json = false;
  bool csv = false;
  bool products = false;
  bool conversions = false;
};

std::string formats_text(const DotFormats& f) {
  std::string text = fmt::format("{} = {} + {} * {}", f.d->name, f.c->name, f.a->name, f.b->name);
  if (f.scale != nullptr) text += fmt::format(", scale {} / {}", f.scale->name, f.scale_block);
  return text;
}

std::string json_line(const Instruction& i) {
  Json object;
  object["instr"] = i.name();
  object["algorithm"] = i.algorithm.name();
  add_formats(i.formats, object);
  return object.dump() + "\n";
}

std::string csv_line(const Instruction& i) {
  const DotFormats& f = i.formats;
  return fmt::format("{},{},{},{},{},{},{},{},{}\n", csv_cell(i.name()), i.algorithm.name(), f.k,
                     f.a->name, f.b->name, f.c->name, f.d->name,
                     f.scale == nullptr ? "" : f.scale->name, f.scale_block);
}

std::string text_line(const Instruction& i) {
  return fmt::format("{:<84} {:<16} K={:<3} {}\n", i.name(), algorithm_label(i), i.formats.k,
                     formats_text(i.formats));
}

/// Names of hardware with their architectures, followed by hardware that is not covered.
std::string products_text(const std::string& wanted, bool json) {
  std::string text;
  for (const auto& [product, architecture] : products()) {
    if (!wanted.empty() && architecture != wanted) continue;
    text += json ? Json{{"product", product}, {"architecture", architecture}}.dump() + "\n"
                 : fmt::format("{:<16} {}\n", product, architecture);
  }
  if (!wanted.empty()) return text;
  for (const auto& [product, says] : uncovered_products()) {
    text += json ? Json{{"product", product}, {"not_covered", says}}.dump() + "\n"
                 : fmt::format("{:<16} not in the catalogue: {}\n", product, says);
  }
  return text;
}

std::string conversions_text(const std::string& wanted, bool json) {
  std::string text;
  for (const ListedConversion& c : conversion_names()) {
    if (!wanted.empty() && c.architecture != wanted) continue;
    const std::string name = fmt::format("{}/{}", c.architecture, c.mnemonic);
    const std::string keys = c.keys.empty() ? "" : "(" + c.keys + ")";
    text += json ? Json{{"instr", name}, {"keys", c.keys}, {"c", c.from->name}, {"d", c.to->name}}
                           .dump() +
                       "\n"
                 : fmt::format("{:<84} {} = {}\n", name + keys, c.to->name, c.from->name);
  }
  return text;
}

int run_list(const ListCommandLine& options) {
  const std::string wanted =
      options.architecture.empty() ? "" : find_architecture(options.architecture);
  if (options.products) {
    if (options.csv) throw std::invalid_argument("--products cannot be combined with --format csv");
    if (options.conversions) {
      throw std::invalid_argument("--products cannot be combined with --conversions");
    }
    print(products_text(wanted, options.json));
    return kDone;
  }
  if (options.conversions) {
    if (options.csv) {
      throw std::invalid_argument("--conversions cannot be combined with --format csv");
    }
    print(conversions_text(wanted, options.json));
    return kDone;
  }
  std::string text = options.csv ? "instr,algorithm,k,a,b,c,d,scale,scale_block\n" : "";
  const auto add = [&](const Instruction& i) {
    if (!wanted.empty() && i.architecture != wanted) return;
    text += options.json ? json_line(i) : options.csv ? csv_line(i) : text_line(i);
  };
  for (const Instruction& i : catalogue()) add(i);
  for (const Instruction& i : own_instructions()) add(i);
  print(text);
  return kDone;
}

}  // namespace

void add_list(Command& app, int& status) {
  auto options = std::make_shared<ListCommandLine>();
  Command command = app.add_command("list", "list all specified instructions, one line each");
  command
      .add_option("--arch", options->architecture,
                  "only the instructions of this architecture or product")
      .not_empty();
  command.add_flag("--products", options->products,
                   "list the names of products and of compilers' targets with their architectures, "
                   "and the known hardware that is not in the catalogue");
  command.add_flag("--conversions", options->conversions,
                   "list the instructions that convert a number to another format instead");
  command
      .add_choice<bool>("--format", options->csv, {{"text", false}, {"csv", true}},
                        "text: one line each; csv: comma-separated values with a header")
      .default_text("text");
  add_json(command, options->json);
  command.examples({{"mmaspec list --arch hopper", "the instructions of one architecture"},
                    {"mmaspec list --products", "the names of products"},
                    {"mmaspec list --json | jq -r .instr", "only the names of instructions"}});
  command.run([options, &status] { status = run_list(*options); });
}

}  // namespace mmaspec::cli
