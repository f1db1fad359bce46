// Executes CaDiCaL on clauses, and converts its log to an LRAT proof.

#include "proof/recorded/cadical.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "proof/sat/lrat.h"
#include "proof/sat/rup.h"
#include "util/file.h"
#include "util/process.h"
#include "util/program.h"

namespace mmaspec {
namespace {

constexpr int kUnsatisfiable = 20;  // exit statuses of SAT solvers
constexpr int kSatisfiable = 10;

/// A file that is removed with the object.
struct Scratch {
  explicit Scratch(std::string p) : path(std::move(p)) {}
  ~Scratch() { std::filesystem::remove(path); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const std::string path;
};

}  // namespace

std::string cadical_program() {
  const char* named = std::getenv("MMASPEC_CADICAL");
  if (named != nullptr && *named == '\0') return "";
  return find_in_path(named != nullptr ? named : "cadical");
}

CheckedProof prove_unsatisfiable(const Cnf& cnf, const std::string& dimacs, const std::string& file,
                                 const Deadline& deadline) {
  const std::string program = cadical_program();
  if (program.empty()) throw std::invalid_argument("cadical is not in PATH");
  // Small steps of a proof need no solver.
  if (const auto lrat = lrat_by_propagation(cnf)) return {*lrat, fault_of_lrat(cnf, *lrat)};
  const Scratch input(file + ".cnf");
  const Scratch output(file + ".drup");
  write_file(input.path, dimacs);
  // Disables inferences that preserve only satisfiability, which CaDiCaL uses only on request.
  ShellCommand solver("exec " + shell_word(program) +
                          " -q -n -f --block=0 --cover=0 --condition=0 " + shell_word(input.path) +
                          " " + shell_word(output.path) + " >/dev/null 2>&1",
                      STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO);
  const std::optional<int> status = solver.wait(deadline.left());
  if (!status) return {"", "out of time"};
  if (*status == kSatisfiable) return {"", "has a model", true};
  if (*status != kUnsatisfiable) return {"", "ended with status " + std::to_string(*status)};
  std::string proof;
  try {
    proof = to_lrat(cnf, content_of(output.path), [&] { return deadline.passed(); });
  } catch (const Stopped&) {
    return {"", "out of time"};
  }
  const std::string fault = fault_of_lrat(cnf, proof);
  if (!fault.empty()) return {"", "produced an invalid proof: " + fault};
  return {std::move(proof), ""};
}

}  // namespace mmaspec
