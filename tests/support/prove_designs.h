#pragma once
/// Designs that violate one property each, and similar designs that have it.

#include <string>
#include <vector>

namespace mmaspec::prove_test {

struct Design {
  std::string property;
  std::vector<std::string> breaks;  ///< one name, or two for properties of two
  std::vector<std::string> keeps;
  std::string bound = "";
  bool soon_proved = true;  ///< that the second has it; otherwise search must find nothing
};

inline std::string fused(const std::string& parameters) {
  return "design:fused-dot-add(a=e5m2,b=e5m2,c=e5m2,d=e5m2,k=2," + parameters + ")";
}
/// A single small product: a property that holds is proved, or all inputs are searched.
inline std::string lone(const std::string& parameters) {
  return "design:fused-dot-add(a=e2m1,b=e2m1,c=e5m2,d=e5m2,k=1," + parameters + ")";
}
inline std::string lone_exact() { return "design:exact-dot-add(a=e5m2,b=e5m2,c=e5m2,d=e5m2,k=1)"; }
inline std::string exact(const std::string& parameters = "") {
  return "design:exact-dot-add(a=e5m2,b=e5m2,c=e5m2,d=e5m2,k=2" + parameters + ")";
}
inline std::string exact_of_small_products(const std::string& parameters = "") {
  return "design:exact-dot-add(a=e2m1,b=e2m1,c=e5m2,d=e5m2,k=1" + parameters + ")";
}
inline std::string cut(const std::string& k, const std::string& fraction_bits) {
  return "design:fused-dot-add(a=e2m1,b=e2m1,c=f16,d=f16,k=" + k +
         ",fraction_bits=" + fraction_bits + ")";
}

inline const std::vector<Design>& designs() {
  static const std::vector<Design> all{
      {"permutation-invariant", {fused("fraction_bits=4,block=1")}, {fused("fraction_bits=4")}},
      {"negation-symmetric",
       {fused("fraction_bits=3,align_round=rd")},
       {lone("fraction_bits=3,align_round=rz")}},
      {"scale-invariant", {fused("fraction_bits=3,floor=0")}, {lone("fraction_bits=3,floor=none")}},
      {"monotone-c",
       {cut("4", "8")},
       {"design:sequential-fma(a=e5m2,b=e5m2,c=e5m2,d=e5m2,k=1)"},
       "",
       false},
      {"monotone-product",
       {fused("fraction_bits=1")},
       {"design:sequential-fma(a=e5m2,b=e5m2,c=e5m2,d=e5m2,k=1)"},
       "",
       false},
      {"accumulator-preserved", {fused("fraction_bits=1")}, {lone("fraction_bits=2")}},
      {"exact-when-representable", {fused("fraction_bits=2")}, {lone_exact()}},
      {"faithful", {fused("fraction_bits=2")}, {lone_exact()}},
      {"correctly-rounded", {exact(",round=rz")}, {exact()}},
      {"error-bound", {fused("fraction_bits=2")}, {exact_of_small_products()}, "2", false},
      {"sum-error-bound", {fused("fraction_bits=2")}, {exact_of_small_products()}, "2", false},
      {"norm-error-bound", {fused("fraction_bits=2")}, {exact_of_small_products()}, "2", false},
      {"no-early-overflow",
       {fused("fraction_bits=20,product_overflow=5")},
       {lone("fraction_bits=20")}},
      {"no-spurious-nan",
       {fused("fraction_bits=20,product_overflow=5")},
       {lone("fraction_bits=20")}},
      {"subnormal-inputs",
       {fused("fraction_bits=20,flush_inputs=yes")},
       {"design:fused-dot-add(a=f16,b=f16,c=e5m2,d=e5m2,k=1,fraction_bits=20)"}},
      {"subnormal-results",
       {fused("fraction_bits=20,underflow=flush")},
       {lone("fraction_bits=20")}},
      {"carry-bits", {cut("4", "23")}, {cut("1", "23")}, "1"},
      {"single-normalization", {fused("fraction_bits=5,block=1")}, {fused("fraction_bits=5")}},
      {"equivalent",
       {fused("fraction_bits=2"), fused("fraction_bits=5")},
       {fused("fraction_bits=5"), fused("fraction_bits=5,block=2")}},
      {"refines",
       {fused("fraction_bits=2"), exact()},
       {exact_of_small_products(), exact_of_small_products(",round=rz")},
       "",
       false},
  };
  return all;
}

}  // namespace mmaspec::prove_test
