// Units, properties and preconditions of a certificate's statement.

#include "proof/certify/subject.h"

#include <stdexcept>

#include "spec/conversions/conversions.h"

namespace mmaspec {

Subject subject_of(const Theorem& theorem) {
  const Property& property = find_property(theorem.property);
  if (theorem.names.size() != (property.of_two() ? 2U : 1U)) {
    throw std::invalid_argument(theorem.property + " is of another number of names");
  }
  Subject subject =
      subject_of(find_with_conversions(theorem.names[0]),
                 theorem.names.size() == 2 ? std::optional(find_with_conversions(theorem.names[1]))
                                           : std::nullopt);
  subject.within = theorem.within;
  subject.parameter = theorem.parameter;
  if (property.parameters(subject).empty() != !theorem.parameter) {
    throw std::invalid_argument(theorem.property +
                                (theorem.parameter ? " takes no bound" : " needs a bound"));
  }
  return subject;
}

Pair pair_of(const Theorem& theorem) {
  if (theorem.names.size() != 2) throw std::invalid_argument("a difference is of two names");
  return pair_up(find_with_conversions(theorem.names[0]), find_with_conversions(theorem.names[1]),
                 theorem.pairing);
}

Condition condition_of(const Where& where) {
  if (where.empty()) return {};
  return
      [&where](const DotFormats& f, const DotOperands& in, Int d) { return where.holds(f, in, d); };
}

}  // namespace mmaspec
