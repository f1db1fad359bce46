#include <algorithm>
#include <chrono>
#include <filesystem>

#include "proof/certify/folder.h"
#include "proof/certify/goals.h"
#include "proof/store/certificate.h"
#include "proof/store/replay.h"
#include "spec/conversions/conversions.h"
#include "util/file.h"

namespace mmaspec {
namespace {

namespace fs = std::filesystem;

constexpr double kVacuitySeconds = 10;  // time limit for deciding whether any input satisfies the
                                        // precondition

bool is_argument(const std::string& by) { return by == mmaspec::by(Justification::Kind::argument); }

/// Whether a certificate states the right justification. For a formal proof with queries, the last
/// kind of justification depends on which of two equal questions was asked.
bool agrees(const std::string& by, const std::string& today, std::size_t queries) {
  if (is_argument(by) != is_argument(today)) return false;
  static_cast<void>(kind_of(by));  // throws for an unknown word
  return queries > 0 || by == today;
}

/// The fault of a certificate of queries whose files are unchanged; empty: none.
std::string fault_of_queries(const std::string& folder, const CertifiedStatement& statement,
                             const std::vector<std::string>& files,
                             const CertificateOptions& options, const OtherChecker& other,
                             Checked& checked) {
  const std::string& by = statement.by;
  checked.queries = queries_in(folder).size();
  // Each query has three files.
  if (files.size() != 3 * checked.queries + 3) return "it contains unexpected files";
  const CheckedQueries queries = check_queries(folder, other);
  if (!queries.fault.empty()) return queries.fault;
  const Replay replayed = replay(statement.theorem, is_argument(by), queries.proved, options);
  if (!replayed.is_proved)
    return "the current specification needs queries without a proof in this folder";
  const std::string today(mmaspec::by(replayed.asked.justification.kind));
  if (!agrees(by, today, checked.queries)) return "it is proved by " + today + ", not by " + by;
  if (replayed.used.size() != checked.queries)
    return "it has queries that the statement does not need";
  return "";
}

/// The same for a certificate of goals.
std::string fault_of_proved_goals(const std::string& folder, const CertifiedStatement& statement,
                                  const std::vector<std::string>& files, const OtherChecker& other,
                                  Checked& checked) {
  CheckedGoals goals;
  std::string fault = fault_of_goals(folder, statement, files, other, goals);
  checked.goals = goals.proved.size();
  checked.queries = goals.steps;
  checked.claims = goals.claims;
  return fault;
}

/// The fault of a certificate; empty: none.
std::string fault_of(const std::string& folder, const CertificateOptions& options,
                     const OtherChecker& other, Checked& checked) {
  const std::vector<std::string> files = files_of(folder);
  for (const std::string& name : files) checked.bytes += fs::file_size(folder + "/" + name);
  const CertifiedStatement statement = statement_in(folder);
  const Theorem& theorem = statement.theorem;
  checked.statement = to_text(theorem);
  checked.by = statement.by;
  const std::string fault =
      statement.goals ? fault_of_proved_goals(folder, statement, files, other, checked)
                      : fault_of_queries(folder, statement, files, options, other, checked);
  if (!fault.empty()) return fault;
  Limits limits;
  limits.seconds = std::min(kVacuitySeconds, options.seconds);
  checked.where = theorem.where;
  checked.vacuity = vacuity_of(theorem, Portfolio("auto", limits));
  std::vector<Instruction> instructions;
  for (const std::string& name : theorem.names) instructions.push_back(find_with_conversions(name));
  checked.evidence = weakest_evidence(instructions);
  return "";
}

}  // namespace

Checked check_certificate(const std::string& folder, const CertificateOptions& options,
                          const OtherChecker& other) {
  const auto start = std::chrono::steady_clock::now();
  Checked checked{folder};
  try {
    checked.fault = fault_of(folder, options, other, checked);
  } catch (const std::bad_alloc&) {
    checked.fault = "out of memory";
  } catch (const std::exception& error) {
    checked.fault = error.what();
  }
  std::replace(checked.fault.begin(), checked.fault.end(), '\n', ' ');
  checked.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return checked;
}

}  // namespace mmaspec
