#pragma once
/// Properties on numbers, in plain rational arithmetic: which inputs violate a property, and which
/// inputs are worth trying. Each property has a file here. It is a second implementation of what
/// queries/properties/ states in the language, and every counterexample must satisfy both. Proofs
/// do not use it.

#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "queries/property/property.h"
#include "queries/values/distance.h"
#include "queries/values/exact_result.h"

namespace mmaspec {

/// The operands and the result of an evaluation, as numbers.
struct RunValues {
  DotValues operands;
  Integer d;
};

/// Numeric inputs of a statement.
struct Candidate {
  DotValues values;
  std::map<std::string, Integer> extras = {};
};

using Random = std::mt19937_64;

class Counterexamples {
 public:
  Counterexamples() = default;
  Counterexamples(const Counterexamples&) = delete;
  Counterexamples& operator=(const Counterexamples&) = delete;
  virtual ~Counterexamples() = default;

  /// True if these evaluations violate a case of the property. `runs` has the order of the
  /// statement's.
  virtual bool violated(const Subject& subject, int which,
                        const std::vector<RunValues>& runs) const = 0;
  /// Moves drawn operands to regions where the property is likely to fail, and draws the extras.
  virtual void bias_sample(const Subject&, int /*which*/, Candidate&, Random&) const {}
};

/// The property on numbers.
const Counterexamples& counterexamples_of(const Property& property);

}  // namespace mmaspec
