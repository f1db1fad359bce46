// accumulator-preserved on numbers.

#include "queries/counterexamples/bias.h"
#include "queries/counterexamples/counterexample.h"
#include "spec/formats/convert.h"

namespace mmaspec {
namespace {

class AccumulatorPreserved : public Counterexamples {
 public:
  bool violated(const Subject& s, int, const std::vector<RunValues>& runs) const override {
    const DotFormats& f = s.formats();
    const DotValues& v = runs[0].operands;
    return products_are_zero(f, v, std::nullopt) &&
           !same_value(*f.d, runs[0].d, round_pattern(*f.c, v.c, *f.d));
  }
  void bias_sample(const Subject&, int, Candidate& candidate, Random& random) const override {
    make_products_zero(std::nullopt, candidate, random);
  }
};

}  // namespace

std::unique_ptr<Counterexamples> counterexamples_of_accumulator_preserved() {
  return std::make_unique<AccumulatorPreserved>();
}

}  // namespace mmaspec
