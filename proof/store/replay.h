#pragma once
/// A proof put together again from checked queries.

#include <set>
#include <string>

#include "proof/recorded/backends.h"
#include "proof/store/certificate.h"

namespace mmaspec {

/// The queries in a folder whose proofs are accepted.
struct CheckedQueries {
  std::string fault;  ///< of the first that is not; empty: all are
  ProvedQueries proved;
};
CheckedQueries check_queries(const std::string& folder, const OtherChecker& other);

struct Replay {
  bool is_proved = false;
  AnsweredQuery asked;
  std::set<std::string> used;  ///< numbers of the queries that were asked for
};

/// Asks the statement of these queries alone. `argued`: it may be argued with the algorithm's
/// steps.
Replay replay(const Theorem& theorem, bool argued, const ProvedQueries& proved,
              const CertificateOptions& options);

}  // namespace mmaspec
