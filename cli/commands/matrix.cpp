// mmaspec matrix: every pair of designs.

#include "queries/matrix/matrix.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "cli/command.h"
#include "cli/options/shard.h"
#include "cli/parser.h"
#include "cli/stop.h"
#include "cli/tables/matrix_text.h"
#include "spec/catalog/names.h"
#include "util/file.h"

namespace mmaspec::cli {
namespace {

struct Options {
  std::vector<std::string> names;
  std::string results;
  std::string shard;
  std::string format = "text";
  std::string out;
  bool render_only = false;
  SolveOptions solve;
  bool json = false;
};

std::vector<Instruction> instructions_of(const std::vector<std::string>& names) {
  if (names.empty()) return catalogue_with_variants();
  std::vector<Instruction> all;
  for (const std::string& name : names) {
    const auto architecture = architecture_named(name);
    if (!architecture) {
      all.push_back(find_instruction(name));
      continue;
    }
    for (const Instruction& i : catalogue()) {
      if (i.architecture == *architecture) all.push_back(i);
    }
  }
  return all;
}

/// Throws std::invalid_argument, std::runtime_error; before any long work.
void check(const Options& o) {
  if (o.render_only && o.results.empty()) {
    throw std::invalid_argument("--render-only needs --results FILE");
  }
  if (o.json && o.format != "text") {
    throw std::invalid_argument("--json and --format " + o.format + " exclude each other");
  }
  std::error_code none;
  if (!o.out.empty() && !o.results.empty() &&
      (o.out == o.results || std::filesystem::equivalent(o.out, o.results, none))) {
    throw std::invalid_argument("--out and --results name the same file");
  }
  if (!o.out.empty()) require_writable(o.out);
}

std::string rendered(const Options& o, const Matrix& matrix, const MatrixResults& results) {
  if (o.json) return json_of(matrix, results);
  if (o.format == "csv") return csv_of(matrix, results);
  if (o.format == "markdown") return markdown_of(matrix, results);
  if (o.format == "html") return html_of(matrix, results);
  return text_of(matrix, results);
}

int run(const Options& o) {
  check(o);
  const std::optional<Shard> shard = shard_of(o.shard);
  Matrix matrix = matrix_of(instructions_of(o.names), !o.names.empty());
  if (shard) keep_shard(matrix, *shard);
  [[maybe_unused]] const Portfolio validated(o.solve.solver, Limits{});
  const auto use = o.render_only ? MatrixResults::Use::read : MatrixResults::Use::append;
  const auto results = o.results.empty() ? std::make_unique<MatrixResults>()
                                         : std::make_unique<MatrixResults>(o.results, use);
  if (!o.render_only) {
    MatrixOptions options;
    options.timeout = o.solve.timeout;
    options.solver = o.solve.solver;
    options.seed = o.solve.seed;
    options.jobs = o.solve.jobs;
    if (isatty(STDERR_FILENO) != 0) {
      options.progress = [](std::size_t done, std::size_t all, const std::string& asking) {
        show_status(asking.empty() ? "" : fmt::format("{} of {} pairs, {}", done, all, asking));
      };
    }
    const StopSignals signals;
    fill(matrix, options, *results);
  }
  const std::string text = rendered(o, matrix, *results);
  if (o.out.empty()) {
    print(text);
  } else {
    write_file(o.out, text);
  }
  end_if_stopped(o.results.empty() ? "" : "the same command goes on from " + o.results);
  MatrixCounts counts;
  for_each_row(matrix, *results, [&](const NamedPair& pair, const PairRow* row) {
    counts.add(row);
    if (row != nullptr && row->contradiction) {
      complain(fmt::format("{} and {}: {}", pair.first, pair.second, row->how));
    }
  });
  if (counts.contradiction) return kContradiction;
  return counts.undecided + counts.not_asked > 0 ? kUndecided : kDone;
}

}  // namespace

void add_matrix(Command& app, int& status) {
  auto options = std::make_shared<Options>();
  Command command = app.add_command(
      "matrix", "every pair that can be compared: equal, different on a witness, or undecided");
  command.add_option(
      "NAME", options->names,
      "instructions, designs, architectures or products (all of its instructions), "
      "whose pairs are asked name by name (default: the catalogue with all variants, "
      "a row for each pair of distinct designs)");
  command
      .add_option("--results", options->results,
                  "keep each answer in this file, and ask nothing again that it has; what it has "
                  "as undecided is asked with a larger --timeout or another --solver")
      .not_empty();
  add_shard(command, options->shard);
  command
      .add_option(
          "--format", options->format,
          "text, csv (a pair a line), markdown (a summary), or html: a map whose cells open "
          "their witnesses")
      .one_of({"text", "csv", "markdown", "html"})
      .shows_default();
  command.add_option("--out", options->out, "write it to this file, whole or not at all")
      .not_empty();
  command.add_flag("--render-only", options->render_only,
                   "show the answers that --results holds, and ask nothing");
  options->solve.add_to(command, "each pair that inputs tried do not part");
  add_json(command, options->json);
  command.run([options, &status] { status = run(*options); });
}

}  // namespace mmaspec::cli
