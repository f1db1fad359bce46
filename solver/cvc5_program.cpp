// cvc5 in a build that does not link it: the program on the PATH.

#include <stdexcept>

#include "solver/solver.h"
#include "util/program.h"

namespace mmaspec {
namespace {

std::string program() { return find_in_path("cvc5"); }

}  // namespace

bool has_cvc5() { return !program().empty(); }

SolverVersion cvc5_version() { return {"cvc5", version_of(program()), program()}; }

std::unique_ptr<Backend> cvc5_backend() {
  if (!has_cvc5()) {
    throw std::invalid_argument(
        "the solver 'cvc5' was not found: it is not in PATH, and this build does not include it");
  }
  return smtlib_backend(
      "exec " + shell_word(program()) + " --lang smt2 --bitblast eager --bv-sat-solver cadical",
      "cvc5", {});
}

}  // namespace mmaspec
