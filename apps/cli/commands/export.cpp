// mmaspec export: writes an instruction's formula or graph.

#include "apps/cli/command.h"
#include "apps/cli/parser.h"
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
};

int run_export(const ExportCommandLine& options) {
  if (!options.out.empty()) {
    require_ending_of("--out", options.out, options.format);
    require_writable(options.out);
  }
  const std::string text =
      export_text(find_with_conversions(options.name), options.format, options.module);
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
  Command command = app.add_command("export", "write an instruction's formula or expression graph");
  command.add_option("NAME", options->name, "an instruction or a design").required();
  command
      .add_option("--format", options->format,
                  "the output: smtlib2, btor2, verilog (a combinational module), c (a C99 file), "
                  "cuda or opencl (a kernel that computes whole matrices), dot, json, or text (one "
                  "line for each node of the graph)")
      .one_of(export_formats())
      .shows_default();
  command
      .add_option("--module", options->module,
                  "the name of the Verilog module or of the C function")
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
