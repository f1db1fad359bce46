#include <z3.h>

#include <array>
#include <cstdio>

#include "solver/solver.h"
#include "util/program.h"

namespace mmaspec {
namespace {

constexpr double kSeconds = 5;  // time limit for a program to print its version

std::string z3_version() {
  unsigned major = 0;
  unsigned minor = 0;
  unsigned build = 0;
  unsigned revision = 0;
  Z3_get_version(&major, &minor, &build, &revision);
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(build);
}

/// The first line of the output of `program --version`.
std::string version_line(const std::string& program) {
  const std::string command = "exec " + shell_word(program) + " --version </dev/null 2>/dev/null";
  std::FILE* out = popen(command.c_str(), "r");  // NOLINT(cert-env33-c): quoted
  if (out == nullptr) return "cannot be run";
  std::array<char, 100> line{};
  const bool said = std::fgets(line.data(), line.size(), out) != nullptr;
  std::string text = said ? line.data() : "";
  while (!text.empty() && text.back() <= ' ') text.pop_back();
  return text.empty() ? "of unknown version" : text;
}

}  // namespace

std::string version_of(const std::string& program) {
  Attempt attempt;
  attempt.name = program;
  attempt.run = [&] { return Answer{Verdict::unknown, {}, "", 0, version_line(program)}; };
  const Race asked = race({attempt}, {Limits{kSeconds}});
  // After stop_work() no program is asked.
  return asked.reports.empty() ? "of unknown version" : asked.reports[0].outcome;
}

std::vector<SolverVersion> solver_versions() {
  std::vector<SolverVersion> all;
  if (has_cvc5()) all.push_back(cvc5_version());
  all.push_back({"Z3", z3_version(), ""});
  const std::string bitwuzla = bitwuzla_program();
  if (!bitwuzla.empty()) all.push_back({"Bitwuzla", version_of(bitwuzla), bitwuzla});
  return all;
}

}  // namespace mmaspec
