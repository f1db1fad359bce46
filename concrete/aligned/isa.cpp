#include "concrete/aligned/isa.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include <algorithm>
#include <stdexcept>
#include <string>

namespace mmaspec::aligned {
namespace {

#if defined(__x86_64__) || defined(__i386__)
/// Not every compiler's __builtin_cpu_supports() supports this name.
bool has_f16c() {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
}
#endif

std::vector<Isa> found() {
  std::vector<Isa> all;
#if defined(__x86_64__) || defined(__i386__)
  if (avx2_kernels() != nullptr && __builtin_cpu_supports("avx2") && has_f16c()) {
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
