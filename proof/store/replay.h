#pragma once
/// Replays a proof from checked queries.

#include <set>
#include <string>

#include "proof/recorded/backends.h"
#include "proof/store/certificate.h"

namespace mmaspec {

/// The queries in a folder whose proofs are accepted.
struct CheckedQueries {
  std::string fault;  ///< the reason for the first rejected proof; empty: all are accepted
  ProvedQueries proved;
};
CheckedQueries check_queries(const std::string& folder, const OtherChecker& other);

struct Replay {
  bool is_proved = false;
  AnsweredQuery asked;
  std::set<std::string> used;  ///< numbers of the queries that were used
};

/// Proves the statement from these queries only. `argued`: analytical proofs from the algorithm's
/// steps are allowed.
Replay replay(const Theorem& theorem, bool argued, const ProvedQueries& proved,
              const CertificateOptions& options);

}  // namespace mmaspec
