#pragma once
/// Random designs of IEEE 754 operations, with formats so small that nearly all inputs are tried.

#include <random>
#include <string>
#include <vector>

namespace mmaspec {

inline std::string drawn_ieee_design(std::mt19937& random) {
  const auto one_of = [&](const std::vector<std::string>& all) {
    return all[random() % all.size()];
  };
  const std::string algorithm = one_of({"sequential-fma", "sequential-fma", "group-pairwise-sum",
                                        "pair-dot-add", "bulk-normalized-dot-add"});
  const bool is_pair = algorithm == "pair-dot-add";
  std::string name = "design:" + algorithm + "(a=" + one_of({"e2m1", "e3m2"}) +
                     ",b=e2m1,c=" + one_of({"e5m2", "e4m3"}) + ",d=e5m2" +
                     ",k=" + (is_pair ? "2" : one_of({"1", "2"}));
  name += one_of({"", ",round=rz", ",round=ru", ",round=rd", ",round=rto"});
  name += one_of({"", "", ",underflow=flush", ",underflow=flush-tiny"});
  if (algorithm == "bulk-normalized-dot-add") {
    name += ",guard_bits=" + one_of({"0", "1", "3"}) + one_of({"", ",flush_c=yes"});
  } else {
    name += one_of({"", ",flush_inputs=yes"});
  }
  if (is_pair) name += one_of({"", ",fused=no"});
  return name + ")";
}

}  // namespace mmaspec
