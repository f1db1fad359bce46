// mmaspec compare: compares two designs on a user's own matrices.

#include "queries/compare/compare.h"

#include <fmt/format.h>

#include "apps/cli/command.h"
#include "apps/cli/options/matrices.h"
#include "apps/cli/parser.h"
#include "concrete/device/device.h"
#include "report/tables/compare_text.h"
#include "spec/formats/text.h"
#include "util/counted.h"
#include "util/file.h"

namespace mmaspec::cli {
namespace {

struct CompareCommandLine {
  std::vector<std::string> arguments;  ///< A B [C] FIRST SECOND
  std::string a = {};
  std::string b = {};
  std::string c = {};  ///< empty: +0
  std::string first = {};
  std::string second = {};
  std::string atol;
  std::string rtol;
  std::string scale_a;
  std::string scale_b;
  std::string out;
  std::string picture;
  int worst = 5;
  WorstBy by = WorstBy::ulp;
  int jobs = 0;
  std::string on;
  bool json = false;
};

Rational tolerance_of(const char* option, const std::string& text) {
  if (text.empty()) return 0;
  try {
    return parse_rational(text);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(std::string(option) + ": " + error.what());
  }
}

/// Assigns the arguments, of which C is optional.
void name_arguments(CompareCommandLine& o) {
  if (o.arguments.size() < 4 || o.arguments.size() > 5) {
    throw std::invalid_argument(fmt::format("compare: expected A B [C] FIRST SECOND, got {}",
                                            counted(o.arguments.size(), "argument")));
  }
  const bool has_c = o.arguments.size() == 5;
  o.a = o.arguments[0];
  o.b = o.arguments[1];
  if (has_c) o.c = o.arguments[2];
  o.first = o.arguments[has_c ? 3 : 2];
  o.second = o.arguments[has_c ? 4 : 3];
}

int run_compare(CompareCommandLine& options) {
  name_arguments(options);
  const Instruction first = find_instruction(options.first);
  const Instruction second = find_instruction(options.second);
  for (const std::string& file : {options.out, options.picture}) {
    if (!file.empty()) require_writable(file);
  }
  pair_for_matrices(first, second, 1);  // reports errors before files are read
  const MatrixFiles files{options.a, options.b, options.c, options.scale_a, options.scale_b};
  Matrices matrices(files, first.formats);
  CompareOptions how;
  if (!options.on.empty()) how.device = device::open_device(options.on);
  how.worst = static_cast<std::size_t>(options.worst);
  how.by = options.by;
  how.threads = options.jobs;
  if (!options.atol.empty() || !options.rtol.empty()) {
    how.tolerance = {tolerance_of("--atol", options.atol), tolerance_of("--rtol", options.rtol)};
  }
  const Comparison c = compare_matrices(first, second, matrices.products(), how);
  if (!options.out.empty()) {
    std::string rows;
    for (const ComparedElement& e : c.worst) {
      rows += to_json_line(e.values, c.first.formats, c.second.formats.d) + "\n";
    }
    write_file(options.out, rows);
  }
  if (!options.picture.empty()) write_file(options.picture, picture_of(c));
  print(options.json ? json_of(c) : text_of(c));
  return (c.tolerance ? c.exceeding : c.differing) > 0 ? kWitness : kDone;
}

}  // namespace

void add_compare(Command& app, int& status) {
  auto options = std::make_shared<CompareCommandLine>();
  Command command = app.add_command("compare",
                                    "compare two units on your own matrices: how many results "
                                    "differ, by how much, and where most");
  command.add_option(
      "ARGUMENT", options->arguments,
      "A B [C] FIRST SECOND: A.npy (..., M, K), B.npy (..., K, N) and C.npy (..., M, N; default: "
      "+0), then two instructions or designs of the same formats. The files hold float16, float32, "
      "float64, ml_dtypes' types, or bit patterns as unsigned integers");
  command
      .add_option("--atol", options->atol,
                  "the tolerance: |FIRST's - SECOND's result| <= atol + rtol |FIRST's result|. The "
                  "exit status is 1 if an element exceeds it")
      .not_empty();
  command.add_option("--rtol", options->rtol, "see --atol").not_empty();
  command.add_option("--sa", options->scale_a,
                     "a file with the scale factors of A: (..., M, K / block)");
  command.add_option("--sb", options->scale_b,
                     "a file with the scale factors of B: (..., K / block, N)");
  command.add_option("--worst", options->worst, "the number of elements to show")
      .range(0, 1000000)
      .shows_default();
  command
      .add_choice<WorstBy>("--by", options->by,
                           {{"ulp", WorstBy::ulp}, {"relative", WorstBy::relative}},
                           "the measure by which the worst elements are chosen")
      .default_text("ulp");
  command.add_option("--out", options->out, "write the worst elements to this file, as rows")
      .not_empty()
      .rows_file();
  command
      .add_option("--picture", options->picture,
                  "write a histogram of the differences in ulp to this file, as SVG")
      .not_empty()
      .ending({"svg"});
  command
      .add_option("--jobs", options->jobs, "the number of threads (default: the number of cores)")
      .range(1, 4096);
  command
      .add_option("--on", options->on,
                  "the device that computes: cuda, cuda:N, opencl or opencl:N, where N counts from "
                  "0 (default: this machine's processor). The results are the same on every device")
      .not_empty();
  add_json(command, options->json);
  command.examples(
      {{"mmaspec compare a.npy b.npy h100/mma.m16n8k16.f32.f16.f16.f32 "
        "mi300x/v_mfma_f32_32x32x8_f16 --rtol 1e-5",
        "A * B on both units: status 0 if no element differs by more than rtol allows, else 1"}});
  command.run([options, &status] { status = run_compare(*options); });
}

}  // namespace mmaspec::cli
