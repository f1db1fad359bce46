#include "cli/command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "queries/exact.h"
#include "spec/formats/text.h"

namespace mmaspec::cli {

void SolveOptions::add_to(CLI::App& command) {
  command.add_option("--timeout", timeout, "seconds for each question")
      ->check(CLI::Validator(
          [](std::string& text) {
            const double seconds = std::strtod(text.c_str(), nullptr);
            return seconds > 0 && seconds <= 1e6 ? std::string()
                                                 : "expected seconds above 0, got " + text;
          },
          "SECONDS > 0"))
      ->capture_default_str();
  command.add_option("--solver", solver, "auto (all), z3, cvc5, bitwuzla or smtlib:COMMAND")
      ->capture_default_str();
  command.add_option("--seed", seed, "seed of whatever is random")->capture_default_str();
  command.add_option("--jobs", jobs, "processes at once (default: one a core)")
      ->check(CLI::Range(1, 4096));
}

Portfolio SolveOptions::portfolio() const {
  Limits limits;
  limits.seconds = timeout;
  Portfolio solvers(solver, limits);
  if (isatty(STDERR_FILENO) != 0) {
    solvers.on_wait([](double seconds, const std::string& running) {
      fmt::print(stderr, "\r\033[K");
      if (!running.empty()) fmt::print(stderr, "{:.0f} s, asking {}", seconds, running);
      std::fflush(stderr);
    });
  }
  return solvers;
}

std::string solvers_line() {
  std::string text;
  for (const SolverVersion& s : solver_versions()) {
    text += fmt::format("{}{} {}", text.empty() ? "solvers: " : ", ", s.name, s.version);
    if (!s.program.empty()) text += " (" + s.program + ")";
  }
  return text;
}

void StrategyOptions::add_to(CLI::App& command) {
  solve.add_to(command);
  command
      .add_option("--strategies", names,
                  "those to be used, comma-separated: search, enumerate, restrict, weaken, relax, "
                  "cut, split, steps, or none (the solvers alone)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember(
          {"search", "enumerate", "restrict", "weaken", "relax", "cut", "split", "steps", "none"}))
      ->default_str("all");
  command.add_flag("--no-search", no_search, "ask the solvers at once");
  command.add_flag("--to-the-end", to_the_end,
                   "run every strategy to its end, and fail unless their answers agree");
  command.add_flag("--explain", explain, "tell every attempt and what it took");
}

Strategies StrategyOptions::strategies() const {
  Strategies s;
  if (!names.empty()) {
    const auto named = [&](const char* name) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    s.search = named("search");
    s.enumerate = named("enumerate");
    s.restrict = named("restrict");
    s.weaken = named("weaken");
    s.relax = named("relax");
    s.cut = named("cut");
    s.split = named("split");
    s.steps = named("steps");
  }
  if (no_search) s.search = false;
  s.to_the_end = to_the_end;
  s.seed = solve.seed;
  s.jobs = solve.jobs;
  return s;
}

std::string explain(const std::vector<AttemptReport>& attempts) {
  std::string text;
  for (const AttemptReport& a : attempts) {
    text += fmt::format("  {} {:<28} {:>8.2f} s", a.counts ? '*' : ' ', a.name, a.seconds);
    text += a.peak_kib > 0 ? fmt::format(" {:>6} MiB", a.peak_kib / 1024) : std::string(11, ' ');
    text += "  " + a.outcome + "\n";
  }
  return text;
}

nlohmann::ordered_json explain_json(const std::vector<AttemptReport>& attempts) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const AttemptReport& a : attempts) {
    all.push_back({{"attempt", a.name},
                   {"outcome", a.outcome},
                   {"counts", a.counts},
                   {"seconds", a.seconds},
                   {"peak_kib", a.peak_kib}});
  }
  return all;
}

void add_json(CLI::App& command, bool& json) {
  command.add_flag("--json", json, "JSON on standard output");
}

CLI::Validator not_empty() {
  return {[](std::string& text) { return text.empty() ? "expected a value" : std::string(); }, ""};
}

void print(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    throw std::runtime_error(std::string("cannot write to standard output: ") +
                             std::strerror(errno));
  }
}

std::string one_line(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

std::string to_text(const nlohmann::ordered_json& document, int indent) {
  return document.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

namespace {

[[noreturn]] void cannot_write(const std::string& path, int error) {
  throw std::runtime_error("cannot write " + path + ": " + std::strerror(error));
}

/// A device, a pipe: what must not be replaced by a file.
bool is_special(const std::string& path) {
  std::error_code error;
  const auto type = std::filesystem::status(path, error).type();
  return type != std::filesystem::file_type::not_found &&
         type != std::filesystem::file_type::regular;
}

void write_to(const std::string& path, const NextPiece& next) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) throw std::system_error(errno, std::generic_category());
  bool written = true;
  for (std::string piece = next(); written && !piece.empty(); piece = next()) {
    written = std::fwrite(piece.data(), 1, piece.size(), file) == piece.size();
  }
  int error = errno;
  if (std::fclose(file) != 0 && written) {
    error = errno;
  } else if (written) {
    return;
  }
  throw std::system_error(error, std::generic_category());
}

}  // namespace

void require_writable(const std::string& path) {
  if (is_special(path)) {
    if (std::filesystem::is_directory(path)) cannot_write(path, EISDIR);
    if (access(path.c_str(), W_OK) != 0) cannot_write(path, errno);
    return;
  }
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) != 0) cannot_write(path, errno);
}

void write_file(const std::string& path, const std::string& content) {
  bool done = false;
  write_file(path, [&] { return std::exchange(done, true) ? std::string() : content; });
}

void write_file(const std::string& path, const NextPiece& next) {
  // A link stays one: what it leads to is replaced.
  std::error_code unresolved;
  std::filesystem::path target = std::filesystem::canonical(path, unresolved);
  if (unresolved) target = path;
  const bool direct = is_special(path);
  const std::string temporary = direct ? path : target.string() + ".tmp" + std::to_string(getpid());
  try {
    write_to(temporary, next);
    if (!direct) std::filesystem::rename(temporary, target);
  } catch (const std::system_error& error) {
    if (!direct) std::remove(temporary.c_str());
    cannot_write(path, error.code().value());
  }
}

void add_formats(const DotFormats& formats, nlohmann::ordered_json& object) {
  object["k"] = formats.k;
  object["a"] = formats.a->name;
  object["b"] = formats.b->name;
  object["c"] = formats.c->name;
  object["d"] = formats.d->name;
  if (formats.scale != nullptr) {
    object["scale"] = formats.scale->name;
    object["scale_block"] = formats.scale_block;
  }
}

nlohmann::ordered_json json_of(const std::vector<TraceLine>& lines) {
  auto all = nlohmann::ordered_json::array();
  for (const TraceLine& line : lines) {
    nlohmann::ordered_json entry{
        {"stage", line.stage}, {"name", line.label}, {"integer", line.integer.str()}};
    if (!line.number.empty()) entry["value"] = line.number;
    all.push_back(std::move(entry));
  }
  return all;
}

std::string show_pattern(const Format& format, const Integer& pattern) {
  return fmt::format("0x{}  {}  {}", to_hex(pattern, static_cast<unsigned>(format.hex_digits())),
                     to_hex_float(format, pattern), to_decimal(format, pattern));
}

std::string show_inputs(const DotFormats& formats, const DotValues& values) {
  std::string text;
  const auto hex = [](const Format& f, const Integer& p) {
    return to_hex(p, static_cast<unsigned>(f.hex_digits()));
  };
  for (std::size_t k = 0; k < values.a.size(); ++k) {
    // A zero product whose other operand is not zero may matter: it is shown.
    if (values.a[k] == 0 && values.b[k] == 0) continue;
    text +=
        fmt::format("  {:<6} {:>20} * {:<20} (0x{} * 0x{})\n", fmt::format("k={}", k),
                    to_hex_float(*formats.a, values.a[k]), to_hex_float(*formats.b, values.b[k]),
                    hex(*formats.a, values.a[k]), hex(*formats.b, values.b[k]));
  }
  for (std::size_t i = 0; i < values.scale_a.size(); ++i) {
    text +=
        fmt::format("  {:<6} {:>20} * {:<20} (0x{} * 0x{})\n", fmt::format("s={}", i),
                    to_hex_float(*formats.scale, values.scale_a[i]),
                    to_hex_float(*formats.scale, values.scale_b[i]),
                    hex(*formats.scale, values.scale_a[i]), hex(*formats.scale, values.scale_b[i]));
  }
  text += fmt::format("  {:<6} {:>20} {:22} (0x{})\n", "c", to_hex_float(*formats.c, values.c), "",
                      hex(*formats.c, values.c));
  return text;
}

}  // namespace mmaspec::cli
