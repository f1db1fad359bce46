#include <cstdlib>
#include <stdexcept>

#include "solver/solver.h"
#include "util/program.h"

namespace mmaspec {
std::string bitwuzla_program() {
  if (const char* named = std::getenv("MMASPEC_BITWUZLA")) {
    if (*named == '\0') return "";
    std::string program = find_in_path(named);
    if (program.empty()) {
      throw std::invalid_argument(std::string("MMASPEC_BITWUZLA names '") + named +
                                  "': the program does not exist");
    }
    return program;
  }
  std::string beside = find_program("mmaspec-bitwuzla");
  return beside.empty() ? find_in_path("bitwuzla") : beside;
}

std::unique_ptr<Backend> bitwuzla_backend() {
  const std::string program = bitwuzla_program();
  if (program.empty()) {
    throw std::invalid_argument(
        "the solver 'bitwuzla' was not found: neither mmaspec-bitwuzla next to mmaspec, nor "
        "bitwuzla in PATH");
  }
  // Lemmas are in normal form: further rewriting takes longer than it saves.
  constexpr const char* kLessRewriting = "(set-option :rewrite-level 1)\n";
  // exec: the shell's process becomes the program's.
  return smtlib_backend("exec " + shell_word(program), "bitwuzla", true, kLessRewriting);
}

}  // namespace mmaspec
