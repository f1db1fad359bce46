#include "concrete/aligned/isa.h"

#include <algorithm>
#include <stdexcept>

namespace mmaspec::aligned {
namespace {

std::vector<Isa> found() {
  std::vector<Isa> all;
#if defined(__x86_64__) || defined(__i386__)
  if (avx2_kernels() != nullptr && __builtin_cpu_supports("avx2") &&
      __builtin_cpu_supports("f16c")) {
    all.push_back(Isa::avx2);
  }
  if (avx512_kernels() != nullptr && __builtin_cpu_supports("avx512f") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd")) {
    all.push_back(Isa::avx512);
  }
#endif
  return all;
}

}  // namespace

std::string_view to_string(Isa isa) {
  switch (isa) {
    case Isa::none:
      return "none";
    case Isa::avx2:
      return "avx2";
    case Isa::avx512:
      return "avx512";
    case Isa::fastest:
      return "fastest";
  }
  return "";
}

const std::vector<Isa>& isas() {
  static const std::vector<Isa> all = found();
  return all;
}

const Kernels* kernels_of(Isa isa) {
  if (isa == Isa::none) return nullptr;
  if (isa == Isa::fastest) return isas().empty() ? nullptr : kernels_of(isas().back());
  if (std::find(isas().begin(), isas().end(), isa) == isas().end()) {
    throw std::logic_error("this machine does not run " + std::string(to_string(isa)));
  }
  return isa == Isa::avx512 ? avx512_kernels() : avx2_kernels();
}

}  // namespace mmaspec::aligned
