#pragma once
/// The statement of a certificate, which `prove` or `diff` proved: as text and as a question.

#include <optional>
#include <string>
#include <vector>

#include "queries/numbers/difference.h"
#include "queries/statement/pairing.h"
#include "spec/formats/unpack.h"

namespace mmaspec {

/// The statement that a property holds, or that two units never differ in the given sense.
struct Theorem {
  std::string property = {};       ///< its name; empty: two units never differ
  std::vector<std::string> names;  ///< names of the one or two units
  std::vector<std::string> where = {};

  int within = 0;                          ///< for a property, as in Subject
  std::optional<Rational> parameter = {};  ///< for a property, as in Subject
  Difference difference = {};              ///< for two units
  InputClass inputs = InputClass::finite;  ///< for two units
  PairOptions pairing = {};                ///< for two units
  bool all_k = false;                      ///< for two units: for every K that both have
};

/// The contents of a certificate: the statement, its justification, and the form of its proof.
struct CertifiedStatement {
  Theorem theorem;
  std::string by;  ///< as in `prove --json`
  /// With proof objects for the kernel: the SHA-256 of each goal from which the statement follows,
  /// in the order in which they are asked. Empty: the certificate has queries
  /// (proof/store/certificate.h).
  std::optional<std::vector<std::string>> goals = {};
};

/// JSON text; equal statements have equal texts. It also contains each name's algorithm with all
/// parameters and a digest of its current graph, for readers and to bind the statement to them.
/// Throws std::invalid_argument if a name is unknown.
std::string to_json(const CertifiedStatement& statement);

/// Parses a text of to_json(). Throws std::invalid_argument if it is not a statement, or if the
/// names now build other graphs.
CertifiedStatement certified_statement_of(const std::string& json);

/// One line for people.
std::string to_text(const Theorem& s);

}  // namespace mmaspec
