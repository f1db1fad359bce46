#pragma once
/// Certificates: folders that each contain a statement and everything needed to check its proof
/// without the solvers that found it.
///
///     statement.json     the statement, digests of its texts, and the kind of proof
///     derivation.txt     for people: the queries, and how they form a proof
///     NUMBER.smt2        a query that no input satisfies, as SMT-LIB 2
///     NUMBER.cnf         its clauses: the bits of its variables are named in comments
///     NUMBER.lrat        a proof that they have no model
///     SHA256SUMS         for all these files, in the format of `sha256sum -c`

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "proof/certify/folder.h"
#include "proof/certify/goals.h"
#include "proof/store/ask_theorem.h"
#include "queries/ask/scope.h"

namespace mmaspec {

struct CertificateOptions {
  double seconds = 60;  ///< time limit for creating a certificate, and for replaying it in a check
  int jobs = 0;         ///< parallel processes; 0: as many as the machine has cores
  bool goals = true;    ///< store proof objects for the kernel if they are found; otherwise only
                        ///< queries
};

/// The result of creating a certificate.
struct Made {
  std::string folder;  ///< empty: none was created
  std::string why;     ///< why none was created
  std::string by;      ///< the justification of the proof
};

/// Creates a certificate of a proved statement in a subfolder of `folder`, which is created if
/// needed. A certificate of the same statement is replaced. No other files remain. `argued`: the
/// proof was an analytical one. Throws std::runtime_error if files cannot be written.
Made make_certificate(const Theorem& theorem, bool argued, const std::string& folder,
                      const CertificateOptions& options);

/// Creates certificates of many statements with the given options, `jobs` (0: one for each core) in
/// parallel. The bool is `argued`. A certificate that exists, is complete and has the current text
/// is kept. Calls `progress` with the number done and the number of all. Returns the reasons for
/// missing certificates.
std::vector<std::string> make_certificates(
    const std::vector<std::pair<Theorem, bool>>& theorems, const std::string& folder,
    const CertificateOptions& options, int jobs,
    const std::function<void(std::size_t, std::size_t)>& progress);

struct Checked {
  std::string folder;
  std::string fault = {};                   ///< why it is rejected; empty: it is accepted
  std::string statement = {};               ///< for people; empty: it cannot be read
  std::string by = {};                      ///< the justification of the proof
  std::vector<std::string> where = {};      ///< the preconditions, if accepted
  Vacuity vacuity = Vacuity::none;          ///< if accepted
  std::vector<UnitEvidence> evidence = {};  ///< for the units of the statement
  std::optional<std::size_t> goals = {};    ///< number of goals with proof objects; nullopt: it has
                                            ///< queries
  std::size_t queries = 0;                  ///< number of queries, or of steps of all goals' proofs
  std::size_t claims = 0;                   ///< number of claims of the specification in the goals
  std::size_t bytes = 0;
  double seconds = 0;

  bool is_accepted() const { return fault.empty(); }
};

/// Checks a certificate. All files must exist unchanged. Each query's proof must show that its
/// clauses are unsatisfiable. The current specification must yield the statement, with every query
/// rebuilt from it, and without any solver or justification except these queries and `by`. For an
/// accepted certificate, search and solvers then look for an input that satisfies its precondition.
/// Does not throw for any contents of the folder.
Checked check_certificate(const std::string& folder, const CertificateOptions& options,
                          const OtherChecker& other = {});

/// cake_lpr, lrat-check or drat-trim: the first one on the PATH; empty: none.
struct FoundChecker {
  std::string name;
  OtherChecker check;
};
FoundChecker other_checker();

}  // namespace mmaspec
