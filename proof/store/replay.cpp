#include "proof/store/replay.h"

#include <sstream>

#include "proof/certify/folder.h"
#include "proof/sat/lrat.h"
#include "util/file.h"
#include "util/sha256.h"

namespace mmaspec {
namespace {

std::set<std::string> lines_of(const std::string& path) {
  std::set<std::string> all;
  std::istringstream text(content_of(path));
  for (std::string line; std::getline(text, line);) all.insert(line);
  return all;
}

/// Checks a query's proof. Returns its fault; empty: it is accepted and was added to `proved`.
std::string check_query(const std::string& folder, const std::string& number,
                        const OtherChecker& other, ProvedQueries& proved) {
  const std::string file = folder + "/" + number;
  const std::string clauses = content_of(file + ".cnf");
  const std::string digest = sha256(clauses);
  if (short_digest(digest) != number) return "its clauses are others";
  Cnf cnf;
  try {
    cnf = parse_dimacs(clauses);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  std::string fault = fault_of_lrat(cnf, content_of(file + ".lrat"));
  if (!fault.empty()) return fault;
  if (other) fault = other(file + ".cnf", file + ".lrat");
  if (fault.empty()) proved[digest] = sha256(content_of(file + ".smt2"));
  return fault;
}

}  // namespace

CheckedQueries check_queries(const std::string& folder, const OtherChecker& other) {
  CheckedQueries result;
  for (const std::string& number : queries_in(folder)) {
    const std::string fault = check_query(folder, number, other, result.proved);
    if (fault.empty()) continue;
    result.fault = "query " + number + ": " + fault;
    break;
  }
  return result;
}

Replay replay(const Theorem& theorem, bool argued, const ProvedQueries& proved,
              const CertificateOptions& options) {
  const TemporaryFile log;
  Limits limits;
  limits.seconds = options.seconds;
  std::vector<std::unique_ptr<Backend>> readers;
  readers.push_back(proof_reader(proved, log.path()));
  Replay result;
  result.asked = ask(theorem, argued, options.jobs, Portfolio(std::move(readers), limits));
  result.is_proved = result.asked.is_proved;
  result.used = lines_of(log.path());
  return result;
}

}  // namespace mmaspec
