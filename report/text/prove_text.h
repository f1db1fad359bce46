#pragma once
/// The output of `mmaspec prove`.

#include <optional>
#include <string>
#include <vector>

#include "queries/ask/scope.h"
#include "queries/prove/prove.h"
#include "util/json.h"

namespace mmaspec {

/// The question.
struct AskedProperty {
  const Property& property;
  const Subject& subject;
  std::vector<std::string> where;
  bool full = false;  ///< witnesses show all products
  /// The certificate's folder, if requested; empty if there is none.
  std::optional<std::string> certificate = {};
};

/// The set of inputs that an answer covers, and the evidence for each unit.
Scope scope_of(const AskedProperty& asked);

std::string text_of(const AskedProperty& asked, const Proof& proof, bool with_attempts);
std::string text_of(const AskedProperty& asked, const Tightest& tightest, bool with_attempts);
std::string json_of(const AskedProperty& asked, const Proof& proof);
std::string json_of(const AskedProperty& asked, const Tightest& tightest);

/// The runs of a witness: inputs, results, and the stages at which their traces differ.
std::string witness_text(const Proof& proof, bool full);
std::string witness_text(const std::vector<WitnessRun>& witness, bool full = true);
Json witness_json(const Proof& proof);

}  // namespace mmaspec
