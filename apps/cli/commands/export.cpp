// mmaspec export: writes an instruction's formula or graph.

#include <optional>

#include "apps/cli/command.h"
#include "apps/cli/options/checker_options.h"
#include "apps/cli/parser.h"
#include "queries/numbers/where.h"
#include "report/text/export_text.h"
#include "spec/conversions/conversions.h"
#include "util/file.h"

namespace mmaspec::cli {
namespace {

struct ExportCommandLine {
  std::string name;
  std::string format = "smtlib2";
  std::string module;
  std::string out;
  CheckerOptions checker;
  int count = -1;  ///< -1: not given
  unsigned seed = 0;
  std::vector<std::string> where;
};

int run_export(const ExportCommandLine& o) {
  const std::string given = o.checker.given();
  if (o.format != "sva" && !given.empty()) {
    throw std::invalid_argument(given + " needs --format sva");
  }
  const bool has_rows = o.format == "rows" || o.format == "csv";
  if (!has_rows && (o.count >= 0 || o.seed != 0 || !o.where.empty())) {
    throw std::invalid_argument("--count, --seed and --where need --format rows or csv");
  }
  ExportOptions options;
  options.checker = o.checker.defaults();
  if (o.count >= 0) options.rows.count = static_cast<std::size_t>(o.count);
  options.rows.seed = o.seed;
  const Where where(o.where);
  if (!where.empty()) {
    options.rows.where = [&where](const DotFormats& f, const DotOperands& in, Int d) {
      return where.holds(f, in, d);
    };
  }
  const std::optional<CheckerBinding> binding = o.checker.binding();
  const std::string& bind_out = o.checker.bind_out;
  if (!o.out.empty() && o.out == bind_out) {
    throw std::invalid_argument("--out and --bind-out name the same file");
  }
  if (!o.out.empty()) require_ending_of("--out", o.out, o.format);
  const Instruction instruction = find_with_conversions(o.name);
  std::string text = export_text(instruction, o.format, o.module, options);
  const std::string bind = binding ? export_bind(instruction, o.module, *binding) : "";
  for (const std::string& file : {o.out, bind_out}) {
    if (!file.empty()) require_writable(file);
  }
  if (bind_out.empty()) {
    if (!bind.empty()) text += "\n" + bind;
  } else {
    write_file(bind_out, bind);
  }
  if (o.out.empty()) {
    print(text);
  } else {
    write_file(o.out, text);
  }
  return kDone;
}

}  // namespace

void add_export(Command& app, int& status) {
  auto options = std::make_shared<ExportCommandLine>();
  Command command = app.add_command("export", "write an instruction's formula or expression graph");
  command.add_option("NAME", options->name, "an instruction or a design").required();
  command
      .add_option(
          "--format", options->format,
          "the output. Formulas and graphs: smtlib2, btor2, dot, json, text (one line for each "
          "node). Hardware: verilog (a combinational module), sva (a SystemVerilog checker "
          "with assertions), coverage (a SystemVerilog module with cover points). Programs: "
          "c (a C99 file), cuda or opencl (a kernel that computes whole matrices). Test "
          "data: rows (random inputs with results and bins, as JSON Lines), csv (the same)")
      .one_of(export_formats())
      .shows_default();
  command
      .add_option("--module", options->module,
                  "the name of the Verilog module or of the C function; with sva, the checker is "
                  "NAME_checker")
      .not_empty();
  command.add_option("--out", options->out, "write to this file").not_empty();
  options->checker.add_to(command);
  command
      .add_option("--count", options->count,
                  "with rows and csv: the number of rows (default: 1000)")
      .range(1, 10'000'000);
  command.add_option("--seed", options->seed, "with rows and csv: another seed draws other rows")
      .shows_default();
  command.add_option("--where", options->where,
                     "with rows and csv: only inputs that satisfy this precondition, such as "
                     "'normal(a[0]) && d >= 0'; d is the specified result");
  command.examples(
      {{"mmaspec export volta/mma.m8n8k4.f32.f16.f16.f32 --out volta.smt2",
        "the formula, for another solver"},
       {"mmaspec export volta/mma.m8n8k4.f32.f16.f16.f32 --format dot | dot -Tsvg > volta.svg",
        "the graph"},
       {"mmaspec export ampere/mma.m16n8k8.f32.f16.f16.f32 --format rows --count 5000 --where "
        "'finite(a[*])' --out rows.jsonl",
        "rows for a bench of your own, with the specified results"},
       {"mmaspec export ampere/mma.m16n8k8.f32.f16.f16.f32 --format sva --latency 3 --bind my_unit "
        "--valid-in valid_i --valid-out valid_o --out checker.sv",
        "assertions for your own unit, bound to it"}});
  command.run([options, &status] { status = run_export(*options); });
}

}  // namespace mmaspec::cli
