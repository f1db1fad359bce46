// mmaspec table: decides every property for every design.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "apps/cli/command.h"
#include "apps/cli/options/campaign.h"
#include "apps/cli/options/certificates.h"
#include "apps/cli/parser.h"
#include "apps/cli/stop.h"
#include "queries/studies/table/results.h"
#include "report/tables/table_text.h"
#include "spec/conversions/conversions.h"

namespace mmaspec::cli {
namespace {

struct TableCommandLine {
  std::vector<std::string> names;
  std::vector<std::string> properties;
  CampaignOptions campaign;
  CertificatesOption certificates;
  SolveOptions solve;
};

void show_cells(std::size_t done, std::size_t all, const std::string& running) {
  show_status(running.empty() ? "" : fmt::format("{} of {} cells, asking {}", done, all, running));
}

std::vector<const Property*> columns(const std::vector<std::string>& names) {
  if (names.empty()) return table_properties();
  std::vector<const Property*> all;
  for (const std::string& name : names) {
    const Property& p = find_property(name);
    if (p.of_two()) {
      throw std::invalid_argument(name + " is a property of two instructions; see 'mmaspec prove'");
    }
    if (std::find(all.begin(), all.end(), &p) == all.end()) all.push_back(&p);
  }
  return all;
}

std::vector<TableRow> table_rows(const std::vector<std::string>& names) {
  if (names.empty()) return rows_by_design(instructions_of_table());
  std::vector<Instruction> instructions;
  std::vector<std::string> seen;
  for (const std::string& name : names) {
    Instruction i = find_with_conversions(name);
    if (std::find(seen.begin(), seen.end(), i.name()) != seen.end()) continue;
    seen.push_back(i.name());
    instructions.push_back(std::move(i));
  }
  return rows_by_name(instructions);
}

/// Asks the missing cells.
void fill(const TableCommandLine& o, const std::optional<Shard>& shard, const Table& table,
          TableResults& results) {
  TableOptions options;
  options.timeout = o.solve.timeout;
  options.before_arguments = o.campaign.before_arguments;
  options.no_trust = o.campaign.no_trust;
  options.solver = o.solve.solver;
  options.seed = o.solve.seed;
  options.jobs = o.solve.jobs;
  if (shard) options.shard = *shard;
  if (isatty(STDERR_FILENO) != 0) options.progress = show_cells;
  const StopSignals signals;
  mmaspec::fill(table.rows, table.properties, options, results);
}

/// The lines of the file that answer these cells, without all other lines.
std::string lines_of(const Table& table, const TableResults& results) {
  std::string text;
  for (const TableRow& row : table.rows) {
    for (const Property* p : table.properties) text += results.line(*p, row);
  }
  return text;
}

std::string rendered_table(const CampaignOptions& o, const Table& table,
                           const TableResults& results) {
  if (o.json) return json_of(table);
  if (o.format == "csv") return csv_of(table);
  if (o.format == "markdown") return markdown_of(table);
  if (o.format == "html") return html_of(table);
  if (o.format == "results") return lines_of(table, results);
  return text_of(table);
}

/// For a shard, the status covers only the cells that it asked.
int table_status(const Table& table, bool is_shard) {
  int status = kDone;
  for (const auto& row : table.cells) {
    for (const Cell& cell : row) {
      if (cell.contradiction) return kContradiction;
      if (!cell.asked && is_shard) continue;
      if (!cell.asked || cell.outcome == Outcome::undecided) status = kUndecided;
    }
  }
  return status;
}

/// Creates certificates of the proved cells, in as many processes as there are jobs. Existing
/// certificates with current texts are kept.
void certify(const TableCommandLine& o, const Table& table) {
  std::vector<std::pair<Theorem, bool>> all;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    for (std::size_t j = 0; j < table.properties.size(); ++j) {
      const Cell& cell = table.cells[i][j];
      if (cell.outcome != Outcome::proved) continue;
      Theorem theorem;
      theorem.property = table.properties[j]->name();
      theorem.names = {table.rows[i].names[0]};
      theorem.parameter = cell.proved;
      all.emplace_back(std::move(theorem), is_argued(cell.justification));
    }
  }
  CertificateOptions options;
  options.seconds = o.solve.timeout;
  options.jobs = 1;
  const StopSignals signals;
  const std::vector<std::string> problems = make_certificates(
      all, o.certificates.folder, options, o.solve.jobs,
      isatty(STDERR_FILENO) != 0 ? [](std::size_t done, std::size_t of) {
        show_status(done == of ? "" : fmt::format("{} of {} certificates", done, of));
      } : std::function<void(std::size_t, std::size_t)>());
  for (const std::string& problem : problems) complain("no certificate: " + problem);
}

int run_table(const TableCommandLine& o) {
  const std::optional<Shard> shard = o.campaign.check(o.solve.timeout);
  o.certificates.require_writable();
  Table table;
  table.properties = columns(o.properties);
  table.rows = table_rows(o.names);
  table.by_design = o.names.empty();
  [[maybe_unused]] const Portfolio validated(o.solve.solver, Limits{});
  const auto results = o.campaign.open<TableResults>();
  if (!o.campaign.render_only) fill(o, shard, table, *results);
  for (const TableRow& row : table.rows) {
    table.cells.emplace_back();
    for (const Property* p : table.properties) {
      table.cells.back().push_back(results->find(*p, row));
      const Cell& cell = table.cells.back().back();
      if (cell.contradiction) {
        complain(fmt::format("{} of {}: {}", p->name(), row.names[0], cell.justification.how()));
      }
    }
  }
  if (o.certificates.is_given()) certify(o, table);
  o.campaign.show(rendered_table(o.campaign, table, *results));
  return table_status(table, shard.has_value());
}

}  // namespace

void add_table(Command& app, int& status) {
  auto options = std::make_shared<TableCommandLine>();
  Command command =
      app.add_command("table", "decide properties of many designs: proved, refuted or undecided");
  command.add_option("NAME", options->names,
                     "instructions or designs, one row each (default: one row for every distinct "
                     "algorithm and parameter set of the catalogue, which takes hours)");
  command
      .add_option("--properties", options->properties,
                  "the columns, comma-separated (default: all properties of one instruction); "
                  "'mmaspec prove --list' explains them")
      .comma_separated();
  options->campaign.add_to(command,
                           "the output: text, csv (one line for each cell), markdown, or html (a "
                           "page in which each refuted cell opens its witness)");
  options->certificates.add_to(command);
  options->solve.add_to(command, "each cell");
  add_json(command, options->campaign.json);
  command.examples({{"mmaspec table h100/mma.m16n8k16.f32.f16.f16.f32 "
                     "mi300x/v_mfma_f32_32x32x8_f16 --timeout 10",
                     "every property of two instructions"},
                    {"mmaspec table 'hopper/mma.m16n8k16.f32.f16.f16.f32' --format html --out "
                     "table.html --properties monotone-c,commutative",
                     "a page whose cells open their witnesses"}});
  command.run([options, &status] { status = run_table(*options); });
}

}  // namespace mmaspec::cli
