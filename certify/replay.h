#pragma once
/// A proof put together again from checked queries.

#include <set>
#include <string>

#include "certify/certificate.h"

namespace mmaspec {

struct Replay {
  std::string fault;  ///< empty: the statement follows
  Answered asked;
  std::set<std::string> used;  ///< numbers of the queries that were asked for
};

/// Checks the proofs of all queries in the folder, and asks the statement of them alone. `argued`:
/// it may be argued with the algorithm's steps.
Replay replay(const Theorem& theorem, bool argued, const std::string& folder,
              const CertificateOptions& options, const OtherChecker& other);

}  // namespace mmaspec
