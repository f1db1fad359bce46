// Lists the properties, and evaluates instructions in their statements.

#include <stdexcept>

#include "queries/property/property.h"

namespace mmaspec {

// Each of these is defined in a file of queries/properties/.
std::unique_ptr<Property> accumulator_preserved();
std::unique_ptr<Property> carry_bits();
std::unique_ptr<Property> commutative();
std::unique_ptr<Property> correctly_rounded();
std::unique_ptr<Property> equivalent();
std::unique_ptr<Property> error_bound();
std::unique_ptr<Property> norm_error_bound();
std::unique_ptr<Property> sum_error_bound();
std::unique_ptr<Property> exact_when_representable();
std::unique_ptr<Property> faithful();
std::unique_ptr<Property> monotone_c();
std::unique_ptr<Property> monotone_product();
std::unique_ptr<Property> negation_symmetric();
std::unique_ptr<Property> no_early_overflow();
std::unique_ptr<Property> no_spurious_nan();
std::unique_ptr<Property> permutation_invariant();
std::unique_ptr<Property> refines();
std::unique_ptr<Property> scale_invariant();
std::unique_ptr<Property> single_normalization();
std::unique_ptr<Property> subnormal_inputs();
std::unique_ptr<Property> subnormal_results();

const std::vector<const Property*>& properties() {
  static const std::vector<std::unique_ptr<Property>> owned = [] {
    std::vector<std::unique_ptr<Property>> all;
    all.push_back(commutative());
    all.push_back(permutation_invariant());
    all.push_back(negation_symmetric());
    all.push_back(scale_invariant());
    all.push_back(monotone_c());
    all.push_back(monotone_product());
    all.push_back(accumulator_preserved());
    all.push_back(exact_when_representable());
    all.push_back(faithful());
    all.push_back(correctly_rounded());
    all.push_back(error_bound());
    all.push_back(sum_error_bound());
    all.push_back(norm_error_bound());
    all.push_back(no_early_overflow());
    all.push_back(no_spurious_nan());
    all.push_back(subnormal_inputs());
    all.push_back(subnormal_results());
    all.push_back(carry_bits());
    all.push_back(single_normalization());
    all.push_back(equivalent());
    all.push_back(refines());
    return all;
  }();
  static const std::vector<const Property*> listed = [] {
    std::vector<const Property*> all;
    for (const auto& p : owned) all.push_back(p.get());
    return all;
  }();
  return listed;
}

const Property& find_property(const std::string& name) {
  std::vector<std::string> known;
  for (const Property* p : properties()) {
    if (p->name() == name) return *p;
    known.push_back(p->name());
  }
  const std::string near = nearest(name, known);
  throw std::invalid_argument(
      "unknown property '" + name + "'" +
      (near.empty() ? "; 'mmaspec prove --list' shows all" : ", did you mean '" + near + "'?"));
}

Run run(const Subject& subject, std::string label, DotOperands operands) {
  const Int d = subject.first.algorithm.build(subject.formats(), operands);
  return {std::move(label), std::move(operands), d};
}

Run run_second(const Subject& subject, std::string label, DotOperands operands) {
  const Int d = subject.second->algorithm.build(subject.second->formats, operands);
  return {std::move(label), std::move(operands), d, true};
}

}  // namespace mmaspec
