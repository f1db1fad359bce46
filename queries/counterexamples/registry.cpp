// Finds a property's counterexamples by its name.

#include <stdexcept>

#include "queries/counterexamples/counterexample.h"

namespace mmaspec {

// Each of these is defined in the file of its property.
std::unique_ptr<Counterexamples> counterexamples_of_accumulator_preserved();
std::unique_ptr<Counterexamples> counterexamples_of_carry_bits();
std::unique_ptr<Counterexamples> counterexamples_of_commutative();
std::unique_ptr<Counterexamples> counterexamples_of_correctly_rounded();
std::unique_ptr<Counterexamples> counterexamples_of_equivalent();
std::unique_ptr<Counterexamples> counterexamples_of_error_bound();
std::unique_ptr<Counterexamples> counterexamples_of_exact_when_representable();
std::unique_ptr<Counterexamples> counterexamples_of_faithful();
std::unique_ptr<Counterexamples> counterexamples_of_monotone_c();
std::unique_ptr<Counterexamples> counterexamples_of_monotone_product();
std::unique_ptr<Counterexamples> counterexamples_of_negation_symmetric();
std::unique_ptr<Counterexamples> counterexamples_of_no_early_overflow();
std::unique_ptr<Counterexamples> counterexamples_of_no_spurious_nan();
std::unique_ptr<Counterexamples> counterexamples_of_norm_error_bound();
std::unique_ptr<Counterexamples> counterexamples_of_permutation_invariant();
std::unique_ptr<Counterexamples> counterexamples_of_refines();
std::unique_ptr<Counterexamples> counterexamples_of_scale_invariant();
std::unique_ptr<Counterexamples> counterexamples_of_single_normalization();
std::unique_ptr<Counterexamples> counterexamples_of_subnormal_inputs();
std::unique_ptr<Counterexamples> counterexamples_of_subnormal_results();
std::unique_ptr<Counterexamples> counterexamples_of_sum_error_bound();

const Counterexamples& counterexamples_of(const Property& property) {
  static const std::map<std::string, std::unique_ptr<Counterexamples>> known = [] {
    std::map<std::string, std::unique_ptr<Counterexamples>> all;
    all["accumulator-preserved"] = counterexamples_of_accumulator_preserved();
    all["carry-bits"] = counterexamples_of_carry_bits();
    all["commutative"] = counterexamples_of_commutative();
    all["correctly-rounded"] = counterexamples_of_correctly_rounded();
    all["equivalent"] = counterexamples_of_equivalent();
    all["error-bound"] = counterexamples_of_error_bound();
    all["exact-when-representable"] = counterexamples_of_exact_when_representable();
    all["faithful"] = counterexamples_of_faithful();
    all["monotone-c"] = counterexamples_of_monotone_c();
    all["monotone-product"] = counterexamples_of_monotone_product();
    all["negation-symmetric"] = counterexamples_of_negation_symmetric();
    all["no-early-overflow"] = counterexamples_of_no_early_overflow();
    all["no-spurious-nan"] = counterexamples_of_no_spurious_nan();
    all["norm-error-bound"] = counterexamples_of_norm_error_bound();
    all["permutation-invariant"] = counterexamples_of_permutation_invariant();
    all["refines"] = counterexamples_of_refines();
    all["scale-invariant"] = counterexamples_of_scale_invariant();
    all["single-normalization"] = counterexamples_of_single_normalization();
    all["subnormal-inputs"] = counterexamples_of_subnormal_inputs();
    all["subnormal-results"] = counterexamples_of_subnormal_results();
    all["sum-error-bound"] = counterexamples_of_sum_error_bound();
    return all;
  }();
  const auto found = known.find(property.name());
  if (found == known.end()) throw std::logic_error(property.name() + " has no counterexamples");
  return *found->second;
}

}  // namespace mmaspec
