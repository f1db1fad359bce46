#pragma once
/// Certificates: folders that each hold a statement and all that it takes to check its proof,
/// without the solvers that found it.
///
///     statement.json     what is proved, of which texts, and by what
///     derivation.txt     for people: which queries, and how they make a proof together
///     NUMBER.smt2        a query that no input satisfies, as SMT-LIB 2
///     NUMBER.cnf         its clauses: the bits of its variables are named in comments
///     NUMBER.lrat        a proof that they have no model
///     SHA256SUMS         of all these, as `sha256sum -c` takes it

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "proof/store/theorem.h"
#include "queries/ask/scope.h"

namespace mmaspec {

struct CertificateOptions {
  double seconds = 60;  ///< for making one; for putting one together again when it is checked
  int jobs = 0;         ///< processes at once; 0: as many as the machine has cores
  bool goals = true;    ///< proof objects for the kernel, where they are found; else queries alone
};

/// What was made of a proof.
struct Made {
  std::string folder;  ///< empty: none was made
  std::string why;     ///< none was made
  std::string by;      ///< what stands behind it
};

/// Makes a certificate of what was proved, in a folder of its own in `folder` (which is made if it
/// is not there); one of the same statement is replaced. Nothing else is left behind. `argued`: the
/// proof was an argument. Throws std::runtime_error if files cannot be written.
Made make_certificate(const Theorem& theorem, bool argued, const std::string& folder,
                      const CertificateOptions& options);

/// Certificates of many, each as options say, `jobs` (0: one a core) of them at once. The bool is
/// `argued`. One that is there, whole and of today's text, is left as it is. What was made is told
/// after each: how many, of how many. Returns why those that are missing were not made.
std::vector<std::string> make_certificates(
    const std::vector<std::pair<Theorem, bool>>& theorems, const std::string& folder,
    const CertificateOptions& options, int jobs,
    const std::function<void(std::size_t, std::size_t)>& progress);

struct Checked {
  std::string folder;
  std::string fault = {};                   ///< empty: it is accepted; else why it is not
  std::string statement = {};               ///< for people; empty: it cannot be read
  std::string by = {};                      ///< what stands behind it
  std::vector<std::string> where = {};      ///< the preconditions of an accepted one
  Vacuity vacuity = Vacuity::none;          ///< of an accepted one
  std::vector<UnitEvidence> evidence = {};  ///< for the units that it is of
  std::optional<std::size_t> goals = {};    ///< with proof objects; none: it has queries
  std::size_t queries = 0;                  ///< queries, or steps of all goals' proofs
  std::size_t claims = 0;                   ///< of the specification, in the goals
  std::size_t bytes = 0;
  double seconds = 0;

  bool is_accepted() const { return fault.empty(); }
};

/// A program that checks a proof besides: "" if it agrees, else what it says.
using OtherChecker = std::function<std::string(const std::string& cnf, const std::string& lrat)>;

/// Checks one: all files are there as they were made; each query's clauses have no model, by its
/// proof; and with no solver but these queries, and nothing else to rely on but `by`, today's
/// specification yields the statement, every query being rebuilt from it. Of an accepted one,
/// search and solvers look besides for an input that satisfies its precondition. Throws nothing of
/// what the folder may hold.
Checked check_certificate(const std::string& folder, const CertificateOptions& options,
                          const OtherChecker& other = {});

/// The certificates of a folder: itself, if it holds a statement, or else each folder in it,
/// sorted. Throws std::invalid_argument if it is no folder.
std::vector<std::string> certificates_in(const std::string& folder);

/// cake_lpr, lrat-check or drat-trim, the first that is on the PATH; empty: none is.
struct FoundChecker {
  std::string name;
  OtherChecker check;
};
FoundChecker other_checker();

}  // namespace mmaspec
