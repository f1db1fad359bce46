// mmaspec eval: one dot-add on numbers, with every stage if asked.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/parser.h"
#include "concrete/dot/runner.h"
#include "concrete/dot/trace.h"
#include "picture/draw_ruler.h"
#include "queries/ask/pairing.h"
#include "spec/formats/text.h"
#include "util/file.h"

namespace mmaspec::cli {
namespace {

struct Options {
  std::string name;
  std::string a;
  std::string b;
  std::string c = "0";
  std::string scale_a;
  std::string scale_b;
  std::string rows;
  std::string picture;
  int chain = 0;
  bool trace = false;
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

std::vector<Integer> parse_values(const char* option, const std::string& text, const Format& format,
                                  int count, const char* padding) {
  std::vector<Integer> values;
  for (const std::string& part : split(text)) {
    try {
      values.push_back(parse_pattern_of(format, part));
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(fmt::format("{}: {}", option, error.what()));
    }
  }
  if (values.size() > static_cast<std::size_t>(count)) {
    throw std::invalid_argument(
        fmt::format("{}: {} values, at most {}", option, values.size(), count));
  }
  const Integer pad = parse_pattern_of(format, padding);
  values.resize(static_cast<std::size_t>(count), pad);
  return values;
}

/// The rows of a file with the instruction's results, whatever instruction they name.
int run_rows(const std::string& file, const Instruction& instruction) {
  constexpr std::size_t kAtOnce = 4096;
  const DotFormats& f = instruction.formats;
  DotRunner runner(instruction.algorithm, f);
  std::vector<VectorRow> rows;
  const auto flush = [&] {
    std::vector<const DotValues*> values;
    for (const VectorRow& row : rows) values.push_back(&row.values);
    const std::vector<Integer> d = runner.run(values);
    std::string text;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i].d = d[i];
      text += to_json_line(rows[i], f) + "\n";
    }
    print(text);
    rows.clear();
  };
  for_each_line(file, [&](std::string_view line, std::size_t number) {
    try {
      VectorRow row = parse_row(line);
      row = {row.instruction, std::move(row.values), {}, "", {}, ""};
      check_row(row, f);
      rows.push_back(std::move(row));
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(fmt::format("{}:{}: {}", file, number, error.what()));
    }
    if (rows.size() == kAtOnce) flush();
  });
  flush();
  return kDone;
}

int run(const Options& options) {
  Instruction instruction = find_instruction(options.name);
  if (options.chain > 0) instruction = chained(instruction, options.chain);
  const DotFormats& f = instruction.formats;
  if (!options.rows.empty()) {
    if (!options.a.empty() || !options.b.empty() || options.trace) {
      throw std::invalid_argument("--rows takes no --a, --b or --trace");
    }
    return run_rows(options.rows, instruction);
  }
  DotValues values;
  values.a = parse_values("--a", options.a, *f.a, f.k, "0");
  values.b = parse_values("--b", options.b, *f.b, f.k, "0");
  values.c = parse_values("--c", options.c, *f.c, 1, "0")[0];
  if (f.scale != nullptr) {
    values.scale_a = parse_values("--sa", options.scale_a, *f.scale, f.scales(), "1");
    values.scale_b = parse_values("--sb", options.scale_b, *f.scale, f.scales(), "1");
  } else if (!options.scale_a.empty() || !options.scale_b.empty()) {
    throw std::invalid_argument(instruction.name() + " has no scale factors (--sa, --sb)");
  }

  if (!options.picture.empty()) require_writable(options.picture);
  const Integer d = DotRunner(instruction.algorithm, f).run(values);
  if (!options.picture.empty()) {
    write_file(options.picture, draw({ruler_of(instruction, values)}));
  }
  const std::vector<TraceLine> lines =
      options.trace ? trace_lines(instruction, values) : std::vector<TraceLine>();

  if (options.json) {
    VectorRow row{instruction.name(), values, d, "", {}, ""};
    auto object = nlohmann::ordered_json::parse(to_json_line(row, f));
    object["value"] = to_hex_float(*f.d, d);
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
  print(text + "d = " + show_pattern(*f.d, d) + "\n");
  return kDone;
}

}  // namespace

void add_eval(Command& app, int& status) {
  auto options = std::make_shared<Options>();
  Command command =
      app.add_command("eval", "the result of one dot product, c + a[0] * b[0] + a[1] * b[1] + ...");
  command.add_option("NAME", options->name, "an instruction or a design").required();
  command.add_option("--a", options->a,
                     "values, such as 1,-0x1.8p-3,0x3c00: decimals, hex floats or hex bits, with "
                     "commas and no spaces; missing ones are 0");
  command.add_option("--b", options->b, "the same of b");
  command.add_option("--c", options->c, "one value").shows_default();
  command.add_option("--sa", options->scale_a, "scale factors of a; missing ones are 1");
  command.add_option("--sb", options->scale_b, "scale factors of b; missing ones are 1");
  command.add_option("--chain", options->chain, "a longer K, by chaining the instruction")
      .range(1, 1 << 16);
  command.add_flag("--trace", options->trace, "print each stage");
  command
      .add_option("--picture", options->picture,
                  "draw what becomes of each term's bits, as SVG, into this file")
      .not_empty();
  command
      .add_option("--rows", options->rows,
                  "write the rows of this file (-: standard input) with their results d")
      .not_empty();
  add_json(command, options->json);
  command.run([options, &status] { status = run(*options); });
}

}  // namespace mmaspec::cli
