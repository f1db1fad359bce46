// mmaspec eval: evaluates one dot-add on numbers, with all stages on request.

#include <fmt/format.h>

#include "apps/cli/command.h"
#include "apps/cli/options/csv_numbers.h"
#include "apps/cli/parser.h"
#include "apps/cli/report/report.h"
#include "concrete/dot/runner.h"
#include "concrete/dot/trace.h"
#include "concrete/rows/csv.h"
#include "queries/ask/scope.h"
#include "queries/statement/pairing.h"
#include "report/decoded.h"
#include "report/values.h"
#include "spec/conversions/conversions.h"
#include "spec/formats/nearest.h"
#include "spec/formats/text.h"
#include "util/counted.h"
#include "util/json.h"

namespace mmaspec::cli {
namespace {

struct EvalCommandLine {
  std::string name;
  std::string a;
  std::string b;
  std::string c = "0";
  std::string scale_a;
  std::string scale_b;
  std::string rows;
  CsvNumbersOption numbers;
  ReportOptions report;
  int chain = 0;
  bool trace = false;
  bool round = false;
  bool csv = false;  ///< --rows: written as CSV
  bool json = false;
};

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  if (text.empty()) return parts;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    parts.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

/// Whether the format has a finite number that is nearest to the number.
bool has_nearest(const Format& format, const std::string& text) {
  try {
    const Decoded nearest = decode(format, parse_nearest_pattern_of(format, text));
    return nearest.is_finite();
  } catch (const std::invalid_argument&) {
    return false;
  }
}

std::vector<Integer> parse_values(const char* option, const std::string& text, const Format& format,
                                  int count, const char* padding, bool round = false) {
  std::vector<Integer> values;
  for (const std::string& part : split(text)) {
    try {
      values.push_back(round ? parse_nearest_pattern_of(format, part)
                             : parse_pattern_of(format, part));
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(
          fmt::format("{}: {}{}", option, error.what(),
                      !round && has_nearest(format, part) ? " (--round takes the nearest)" : ""));
    }
  }
  if (values.size() > static_cast<std::size_t>(count)) {
    throw std::invalid_argument(
        fmt::format("{}: {}, at most {}", option, counted(values.size(), "value"), count));
  }
  const Integer pad = parse_pattern_of(format, padding);
  values.resize(static_cast<std::size_t>(count), pad);
  return values;
}

/// Evaluates the rows of a file with the instruction, whatever instruction they name.
int run_rows_of_eval(const std::string& file, const Instruction& instruction, CsvNumbers numbers,
                     bool csv) {
  constexpr std::size_t kAtOnce = 4096;
  const DotFormats& f = instruction.formats;
  DotRunner runner(instruction.algorithm, f);
  std::vector<VectorRow> rows;
  std::optional<CsvRows> table;
  // Whether a table's numbers are bits or decimals is known only at its end, so output is held
  // back.
  std::string held = csv ? csv_header(f) + "\n" : "";
  const auto flush = [&] {
    std::vector<const DotValues*> values;
    for (const VectorRow& row : rows) values.push_back(&row.values);
    const std::vector<Integer> d = runner.run(values);
    std::string text;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i].d = d[i];
      text += (csv ? to_csv_line(rows[i], f) : to_json_line(rows[i], f)) + "\n";
    }
    held += text;
    if (!table || numbers != CsvNumbers::unsaid) print(std::exchange(held, ""));
    rows.clear();
  };
  for_each_line(file, [&](std::string_view line, std::size_t number) {
    try {
      if (number == 1 && CsvRows::is_header(line)) {
        table.emplace(line, instruction.name(), numbers);
        return;
      }
      VectorRow row = table ? table->parse(line) : parse_row(line);
      row.d.reset();
      row.other.clear();
      row.d_other.reset();
      row.ulp.clear();
      check_row(row, f);
      rows.push_back(std::move(row));
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(fmt::format("{}:{}: {}", file, number, error.what()));
    }
    if (rows.size() == kAtOnce) flush();
  });
  flush();
  if (table) {
    try {
      table->finish();
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(file + ": " + error.what());
    }
  }
  print(held);
  return kDone;
}

int run_eval(const EvalCommandLine& options) {
  Instruction instruction = options.report.is_wanted() ? find_instruction(options.name)
                                                       : find_with_conversions(options.name);
  std::string note;
  if (options.chain > 0) {
    note = length_note(instruction, options.chain);
    instruction = of_length(instruction, options.chain);
  } else if (const std::string zeros = zero_products(instruction); !zeros.empty()) {
    note = instruction.label() + " has " + zeros;
  }
  const DotFormats& f = instruction.formats;
  if (!options.rows.empty()) {
    if (!options.a.empty() || !options.b.empty() || options.trace) {
      throw std::invalid_argument("--rows cannot be combined with --a, --b or --trace");
    }
    return run_rows_of_eval(options.rows, instruction, options.numbers.value(), options.csv);
  }
  DotValues values;
  values.a = parse_values("--a", options.a, *f.a, f.k, "0", options.round);
  values.b = parse_values("--b", options.b, *f.b, f.k, "0", options.round);
  values.c = parse_values("--c", options.c, *f.c, 1, "0", options.round)[0];
  if (f.scale != nullptr) {
    values.scale_a =
        parse_values("--sa", options.scale_a, *f.scale, f.scales(), "1", options.round);
    values.scale_b =
        parse_values("--sb", options.scale_b, *f.scale, f.scales(), "1", options.round);
  } else if (!options.scale_a.empty() || !options.scale_b.empty()) {
    throw std::invalid_argument(instruction.label() + " has no scale factors (--sa, --sb)");
  }

  options.report.require_files();
  const Integer d = DotRunner(instruction.algorithm, f).run(values);
  options.report.write({.question = "What does " + instruction.label() + " compute?",
                        .verdict = "d = " + show_pattern(*f.d, d),
                        .evidence = evidence_text(weakest_evidence({instruction})),
                        .tone = Tone::good,
                        .witnesses = {{{instruction.label(), instruction, values, d}}}});
  const std::vector<TraceLine> lines =
      options.trace ? trace_lines(instruction, values) : std::vector<TraceLine>();

  if (options.json) {
    VectorRow row{instruction.name(), values, d, "", {}, ""};
    auto object = mmaspec::to_json(row, f);
    if (!note.empty()) object["note"] = note;
    object["value"] = to_hex_float(*f.d, d);
    add_values(row, f, object);
    if (options.trace) object["trace"] = json_of(lines);
    print(object.dump() + "\n");
    return kDone;
  }
  std::string text;
  std::string stage;
  for (const TraceLine& line : lines) {
    if (line.stage != stage) text += line.stage + "\n";
    stage = line.stage;
    text += fmt::format(
        "  {:<14} {:>24}  {}\n", line.label, line.number,
        line.number.empty() ? line.integer.str() : "(" + line.integer.str() + " units)");
  }
  print(text + "d = " + show_pattern(*f.d, d) + "\n" + (note.empty() ? "" : note + "\n"));
  return kDone;
}

}  // namespace

void add_eval(Command& app, int& status) {
  auto options = std::make_shared<EvalCommandLine>();
  Command command = app.add_command(
      "eval", "compute the result of one dot product, c + a[0] * b[0] + a[1] * b[1] + ...");
  command.add_option("NAME", options->name, "an instruction or a design").required();
  command.add_option("--a", options->a,
                     "the values of a, such as 1,-0x1.8p-3,0x3c00: decimals, hex floats or hex "
                     "bits, with commas and no spaces. Missing values are 0");
  command.add_option("--b", options->b, "the values of b, likewise");
  command.add_option("--c", options->c, "the value of c").shows_default();
  command.add_option("--sa", options->scale_a, "scale factors of a; missing ones are 1");
  command.add_option("--sb", options->scale_b, "scale factors of b; missing ones are 1");
  command
      .add_option("--chain", options->chain,
                  "compute a chain of the instruction, of this length K; missing products of the "
                  "last step are +0 * +0")
      .range(1, 1 << 16);
  command.add_flag(
      "--round", options->round,
      "round numbers that the format does not represent to the nearest one, ties to even");
  command.add_flag("--trace", options->trace, "print each stage");
  options->numbers.add_to(command);
  options->report.add_to(command, "step by step");
  command
      .add_option("--rows", options->rows,
                  "read the rows of this file (JSON Lines or CSV; -: standard input) and write "
                  "them with their results d")
      .not_empty();
  command
      .add_choice<bool>("--format", options->csv, {{"json", false}, {"csv", true}},
                        "the format of --rows' output: JSON Lines, or CSV with decimals")
      .default_text("json");
  add_json(command, options->json);
  command.examples(
      {{"mmaspec eval volta/mma.m8n8k4.f32.f16.f16.f32 --a 1,0x1p-12 --b 1,0x1p-12 --c 0.5 --trace",
        "a dot product, stage by stage"},
       {"mmaspec eval hopper/mma.m16n8k16.f32.f16.f16.f32 --a 0.1 --b 0.2 --round --picture "
        "ruler.svg",
        "numbers that f16 does not represent, rounded; and a picture of the bits of products that "
        "are lost"}});
  command.run([options, &status] { status = run_eval(*options); });
}

}  // namespace mmaspec::cli
