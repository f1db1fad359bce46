#include <sstream>

#include "proof/certify/folder.h"
#include "proof/store/certificate.h"
#include "util/file.h"
#include "util/program.h"
#include "util/run_command.h"

namespace mmaspec {
namespace {

/// LRAT lines without their numbers and hints, as checkers of DRAT proofs read them.
std::string without_reasons(const std::string& lrat) {
  std::istringstream lines(lrat);
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t begin = line.find(' ');
    if (begin == std::string::npos) continue;
    const std::string clause = line.substr(begin);
    text += clause.substr(1, clause.find(" 0 ") + 1) + "\n";
  }
  return text;
}

std::string verdict_of(const std::string& command) {
  const Finished finished = run_command(command, "");
  // Each of them prints a line with this word; drat-trim also "NOT VERIFIED".
  const bool verified = finished.out.find("VERIFIED") != std::string::npos &&
                        finished.out.find("NOT VERIFIED") == std::string::npos;
  return verified ? "" : "another checker does not accept its proof: " + last_line(finished.out);
}

}  // namespace

FoundChecker other_checker() {
  for (const char* name : {"cake_lpr", "lrat-check"}) {
    const std::string program = find_in_path(name);
    if (program.empty()) continue;
    return {name, [program](const std::string& cnf, const std::string& lrat) {
              return verdict_of("exec " + shell_word(program) + " " + shell_word(cnf) + " " +
                                shell_word(lrat));
            }};
  }
  const std::string program = find_in_path("drat-trim");
  if (program.empty()) return {};
  return {"drat-trim", [program](const std::string& cnf, const std::string& lrat) {
            const TemporaryFile drat;
            write_file(drat.path(), without_reasons(content_of(lrat)));
            return verdict_of("exec " + shell_word(program) + " " + shell_word(cnf) + " " +
                              shell_word(drat.path()));
          }};
}

}  // namespace mmaspec
