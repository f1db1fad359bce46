// mmaspec matrix: compares every pair of designs.

#include "queries/studies/matrix/matrix.h"

#include <fmt/format.h>
#include <unistd.h>

#include "apps/cli/command.h"
#include "apps/cli/options/campaign.h"
#include "apps/cli/parser.h"
#include "apps/cli/stop.h"
#include "report/tables/matrix_text.h"
#include "spec/catalog/names/names.h"
#include "spec/conversions/conversions.h"

namespace mmaspec::cli {
namespace {

struct MatrixCommandLine {
  std::vector<std::string> names;
  CampaignOptions campaign;
  SolveOptions solve;
};

std::vector<Instruction> instructions_of(const std::vector<std::string>& names) {
  if (names.empty()) return catalogue_with_variants();
  std::vector<Instruction> all;
  for (const std::string& name : names) {
    const auto architecture = architecture_named(name);
    if (!architecture) {
      all.push_back(find_with_conversions(name));
      continue;
    }
    for (const Instruction& i : catalogue()) {
      if (i.architecture == *architecture) all.push_back(i);
    }
  }
  return all;
}

std::string rendered_matrix(const CampaignOptions& o, const Matrix& matrix,
                            const MatrixResults& results) {
  if (o.json) return json_of(matrix, results);
  if (o.format == "csv") return csv_of(matrix, results);
  if (o.format == "markdown") return markdown_of(matrix, results);
  if (o.format == "html") return html_of(matrix, results);
  if (o.format == "results") return lines_of(matrix, results);
  return text_of(matrix, results);
}

int run_matrix(const MatrixCommandLine& o) {
  const std::optional<Shard> shard = o.campaign.check(o.solve.timeout);
  Matrix matrix = matrix_of(instructions_of(o.names), !o.names.empty());
  if (shard) keep_shard(matrix, *shard);
  [[maybe_unused]] const Portfolio validated(o.solve.solver, Limits{});
  const auto results = o.campaign.open<MatrixResults>();
  if (!o.campaign.render_only) {
    MatrixOptions options;
    options.timeout = o.solve.timeout;
    options.before_arguments = o.campaign.before_arguments;
    options.no_trust = o.campaign.no_trust;
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
  o.campaign.show(rendered_matrix(o.campaign, matrix, *results));
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
  auto options = std::make_shared<MatrixCommandLine>();
  Command command = app.add_command(
      "matrix", "compare every pair of units: equal, different on a witness, or undecided");
  command.add_option(
      "NAME", options->names,
      "instructions, designs, conversions, or architectures or products (all of their "
      "instructions): compare their pairs name by name (default: the catalogue with "
      "all variants, one row for each pair of distinct designs)");
  options->campaign.add_to(command,
                           "the output: text, csv (one line for each pair), markdown (a summary), "
                           "or html (a map whose cells open their witnesses)");
  options->solve.add_to(command, "each pair that no tried input distinguishes");
  add_json(command, options->campaign.json);
  command.run([options, &status] { status = run_matrix(*options); });
}

}  // namespace mmaspec::cli
