// mmaspec-certify DIR: checks certificates with proof objects. It is linked without search, solvers
// and strategies, so all code of this program is what such a proof rests on.

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>

#include "proof/certify/folder.h"
#include "proof/certify/goals.h"

namespace {

/// The fault of a certificate; empty: it is accepted. `text` becomes its statement.
std::string checked(const std::string& folder, std::string& text) {
  using namespace mmaspec;
  try {
    const CertifiedStatement statement = statement_in(folder);
    text = to_text(statement.theorem);
    if (!statement.goals) return "it has no proof objects: 'mmaspec certify' checks it";
    CheckedGoals goals;
    std::string fault = fault_of_goals(folder, statement, files_of(folder), {}, goals);
    if (fault.empty()) {
      text += " (" + std::to_string(goals.proved.size()) + " goals in " +
              std::to_string(goals.steps) + " steps)";
    }
    return fault;
  } catch (const std::bad_alloc&) {
    return "out of memory";
  } catch (const std::exception& error) {
    std::string fault = error.what();
    std::replace(fault.begin(), fault.end(), '\n', ' ');
    return fault;
  }
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int kRejected = 1;
  constexpr int kUsage = 2;
  const bool wants_help = argc == 2 && std::string(argv[1]) == "--help";
  if (argc != 2 || argv[1][0] == '-') {
    std::fputs("usage: mmaspec-certify DIR: checks certificates with proof objects\n",
               wants_help ? stdout : stderr);
    return wants_help ? 0 : kUsage;
  }
  try {
    const std::vector<std::string> folders = mmaspec::certificates_in(argv[1]);
    if (folders.empty()) {
      std::fprintf(stderr, "mmaspec-certify: %s does not contain a certificate\n", argv[1]);
      return kUsage;
    }
    bool is_rejected = false;
    for (const std::string& folder : folders) {
      std::string text;
      const std::string fault = checked(folder, text);
      is_rejected = is_rejected || !fault.empty();
      std::puts(fault.empty() ? ("accepted: " + text).c_str()
                              : ("rejected: " + folder + ": " + fault).c_str());
    }
    return is_rejected ? kRejected : 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "mmaspec-certify: %s\n", error.what());
    return kUsage;
  }
}
