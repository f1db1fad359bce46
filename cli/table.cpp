// mmaspec table: every property by every design.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <filesystem>

#include "cli/command.h"
#include "cli/table_text.h"
#include "queries/table_results.h"

namespace mmaspec::cli {
namespace {

struct Options {
  std::vector<std::string> names;
  std::vector<std::string> properties;
  std::string results;
  std::string format = "text";
  std::string out;
  bool render_only = false;
  SolveOptions solve;
  bool json = false;
};

volatile std::sig_atomic_t stopped_by = 0;

/// While it lives, SIGINT and the like end the table and not the process: its cells are to be ended
/// first. What was ignored, as by nohup, still is.
class StopSignals {
 public:
  StopSignals() {
    struct sigaction action = {};
    action.sa_handler = [](int s) { stopped_by = s; };
    for (std::size_t i = 0; i < kAll.size(); ++i) {
      sigaction(kAll[i], nullptr, &before_[i]);
      if (before_[i].sa_handler != SIG_IGN) sigaction(kAll[i], &action, nullptr);
    }
  }
  ~StopSignals() {
    for (std::size_t i = 0; i < kAll.size(); ++i) sigaction(kAll[i], &before_[i], nullptr);
  }
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

 private:
  static constexpr std::array<int, 3> kAll{SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, 3> before_{};
};

void show_cells(std::size_t done, std::size_t all, const std::string& running) {
  show_progress(running.empty()
                    ? ""
                    : fmt::format("{} of {} cells, asking {}", done, all, running.substr(0, 100)));
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

std::vector<TableRow> rows_of(const std::vector<std::string>& names) {
  if (names.empty()) return rows_by_design(catalogue());
  std::vector<Instruction> instructions;
  std::vector<std::string> seen;
  for (const std::string& name : names) {
    Instruction i = find_instruction(name);
    if (std::find(seen.begin(), seen.end(), i.name()) != seen.end()) continue;
    seen.push_back(i.name());
    instructions.push_back(std::move(i));
  }
  return rows_by_name(instructions);
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

/// Asks what is missing. The signal that stopped it; 0: none did.
int fill(const Options& o, const Table& table, TableResults& results) {
  TableOptions options;
  options.timeout = o.solve.timeout;
  options.solver = o.solve.solver;
  options.seed = o.solve.seed;
  options.jobs = o.solve.jobs;
  options.stop = [] { return stopped_by != 0; };
  if (isatty(STDERR_FILENO) != 0) options.progress = show_cells;
  const StopSignals signals;
  return mmaspec::fill(table.rows, table.properties, options, results) ? 0 : stopped_by;
}

std::string rendered(const Options& o, const Table& table) {
  if (o.json) return json_of(table);
  if (o.format == "markdown") return markdown_of(table);
  if (o.format == "html") return html_of(table);
  return text_of(table);
}

int status_of(const Table& table) {
  int status = kDone;
  for (const auto& row : table.cells) {
    for (const Cell& cell : row) {
      if (cell.contradiction) return kContradiction;
      if (!cell.asked || cell.outcome == Outcome::undecided) status = kUndecided;
    }
  }
  return status;
}

int run(const Options& o) {
  check(o);
  Table table;
  table.properties = columns(o.properties);
  table.rows = rows_of(o.names);
  table.by_design = o.names.empty();
  [[maybe_unused]] const Portfolio there_is_one(o.solve.solver, Limits{});
  const auto use = o.render_only ? TableResults::Use::read : TableResults::Use::append;
  auto results = o.results.empty() ? std::make_unique<TableResults>()
                                   : std::make_unique<TableResults>(o.results, use);
  if (const int signal = o.render_only ? 0 : fill(o, table, *results); signal != 0) {
    complain(fmt::format("stopped by signal {}{}", signal,
                         o.results.empty() ? "" : "; the same command goes on from " + o.results));
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  for (const TableRow& row : table.rows) {
    table.cells.emplace_back();
    for (const Property* p : table.properties) {
      table.cells.back().push_back(results->find(*p, row));
      const Cell& cell = table.cells.back().back();
      if (cell.contradiction) {
        complain(fmt::format("{} of {}: {}", p->name(), row.names[0], cell.how));
      }
    }
  }
  const std::string text = rendered(o, table);
  if (o.out.empty()) {
    print(text);
  } else {
    write_file(o.out, text);
  }
  return status_of(table);
}

}  // namespace

void add_table(CLI::App& app, int& status) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "table", "a table of properties: proved, refuted or undecided for each design");
  command->add_option(
      "NAME", options->names,
      "instructions or designs, a row each (default: one of every distinct algorithm "
      "and parameter set of the catalogue, which takes long)");
  command
      ->add_option("--properties", options->properties,
                   "the columns, comma-separated (default: all properties of one instruction); "
                   "'mmaspec prove --list' explains them")
      ->delimiter(',')
      ->allow_extra_args(false);
  command
      ->add_option("--results", options->results,
                   "keep each answer in this file, and ask nothing again that it has; what it has "
                   "as undecided is asked with a larger --timeout or another --solver")
      ->check(not_empty());
  command
      ->add_option("--format", options->format,
                   "text, markdown, or html: one page in which each refuted cell opens its witness")
      ->check(CLI::IsMember({"text", "markdown", "html"}))
      ->capture_default_str();
  command->add_option("--out", options->out, "write the table to this file, whole or not at all")
      ->check(not_empty());
  command->add_flag("--render-only", options->render_only,
                    "show the answers that --results holds, and ask nothing");
  options->solve.add_to(*command);
  add_json(*command, options->json);
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace mmaspec::cli
