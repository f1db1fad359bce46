// negation-symmetric on numbers.

#include "queries/counterexamples/counterexample.h"

namespace mmaspec {
namespace {

class NegationSymmetric : public Counterexamples {
 public:
  bool violated(const Subject& s, int, const std::vector<RunValues>& runs) const override {
    const Format& f = *s.formats().d;
    return !same_value(f, runs[0].d, negated(f, runs[1].d));
  }
};

}  // namespace

std::unique_ptr<Counterexamples> counterexamples_of_negation_symmetric() {
  return std::make_unique<NegationSymmetric>();
}

}  // namespace mmaspec
