#include "hardware/replay/device/cuda/instructions.h"

#include <array>
#include <charconv>
#include <unordered_map>

namespace mmaspec::replay::cuda {
namespace {

struct TypeInfo {
  Type type;
  const char* name;
  int bits;
};

constexpr std::array<TypeInfo, 13> types = {{{Type::f64, "f64", 64},
                                             {Type::tf32, "tf32", 32},
                                             {Type::bf16, "bf16", 16},
                                             {Type::f16, "f16", 16},
                                             {Type::e4m3, "e4m3", 8},
                                             {Type::e5m2, "e5m2", 8},
                                             {Type::e3m2, "e3m2", 6},
                                             {Type::e2m3, "e2m3", 6},
                                             {Type::e2m1, "e2m1", 4},
                                             {Type::s8, "s8", 8},
                                             {Type::u8, "u8", 8},
                                             {Type::s4, "s4", 4},
                                             {Type::u4, "u4", 4}}};

constexpr std::array<Type, 2> fp8_types = {Type::e4m3, Type::e5m2};
constexpr std::array<Type, 5> narrow_types = {Type::e4m3, Type::e5m2, Type::e3m2, Type::e2m3,
                                              Type::e2m1};

constexpr std::array<Type, 2> integers_of_8 = {Type::s8, Type::u8};
constexpr std::array<Type, 2> integers_of_4 = {Type::s4, Type::u4};

const TypeInfo& info(Type type) { return types[static_cast<std::size_t>(type)]; }
bool is_fp8(Type type) { return type == Type::e4m3 || type == Type::e5m2; }

/// In registers of mma.sync each element of the f8f6f4 kinds has a byte: FP6 in its low bits, FP4
/// in bits 2 to 5.
Packing in_byte_container(Type type) {
  Packing packing = Packing::dense(8);
  packing.bits = info(type).bits;
  packing.shift = type == Type::e2m1 ? 2 : 0;
  return packing;
}

/// In shared memory 16 elements of the f8f6f4 kinds have 16 bytes, with the elements packed at
/// their start (b4x16_p64 and b6x16_p32 in PTX).
Packing in_padded_group(Type type) {
  const int bits = info(type).bits;
  return {bits, bits, 0, 16, 128};
}

class Table {
 public:
  Table() {
    add_mma_sync();
    add_integer_mma_sync();
    add_block_scaled_mma_sync();
    add_wgmma();
    add_tcgen05();
    add_block_scaled_tcgen05();
    for (std::size_t i = 0; i < all.size(); ++i) by_name.emplace(all[i].name, static_cast<int>(i));
  }

  std::vector<Instruction> all;
  std::unordered_map<std::string, int> by_name;

 private:
  static std::string shape(int m, int n, int k) {
    return "m" + std::to_string(m) + "n" + std::to_string(n) + "k" + std::to_string(k);
  }

  static Instruction instruction(Family family, const std::string& name, int k, Type a, Type b,
                                 int c_bits, int d_bits, const std::string& needs) {
    Instruction out;
    out.name = name;
    out.family = family;
    out.a = a;
    out.b = b;
    out.half_result = d_bits == 16;
    out.layout.k = k;
    out.layout.a = Packing::dense(info(a).bits == 6 ? 8 : info(a).bits);
    out.layout.b = Packing::dense(info(b).bits == 6 ? 8 : info(b).bits);
    out.layout.c_bits = c_bits;
    out.layout.d_bits = d_bits;
    out.needs = needs;
    return out;
  }

  static int accumulator_bits(const std::string& type) {
    return type == "f64" ? 64 : type == "f16" ? 16 : 32;
  }

  /// `d` and `c` as the mnemonic spells them.
  Instruction& add_mma(int m, int n, int k, const std::string& d, Type a, Type b,
                       const std::string& c, const std::string& needs) {
    const std::string name =
        "mma." + shape(m, n, k) + "." + d + "." + info(a).name + "." + info(b).name + "." + c;
    all.push_back(instruction(Family::mma_sync, name, k, a, b, accumulator_bits(c),
                              accumulator_bits(d), needs));
    return all.back();
  }

  void add_mma_sync() {
    add_mma(8, 8, 4, "f32", Type::f16, Type::f16, "f32", "sm_70");
    add_mma(8, 8, 4, "f32", Type::f16, Type::f16, "f16", "sm_70");
    add_mma(8, 8, 4, "f16", Type::f16, Type::f16, "f16", "sm_70");
    add_mma(8, 8, 4, "f64", Type::f64, Type::f64, "f64", "sm_80");
    for (const int k : {4, 8, 16}) add_mma(16, 8, k, "f64", Type::f64, Type::f64, "f64", "sm_90");
    for (const int k : {4, 8}) add_mma(16, 8, k, "f32", Type::tf32, Type::tf32, "f32", "sm_80");
    for (const int k : {8, 16}) {
      const std::string needs = k == 8 ? "sm_75" : "sm_80";
      add_mma(16, 8, k, "f32", Type::f16, Type::f16, "f32", needs);
      add_mma(16, 8, k, "f16", Type::f16, Type::f16, "f16", needs);
      add_mma(16, 8, k, "f32", Type::bf16, Type::bf16, "f32", "sm_80");
    }
    for (const std::string result : {"f32", "f16"}) {
      for (const Type a : fp8_types) {
        for (const Type b : fp8_types) {
          add_mma(16, 8, 16, result, a, b, result, "sm_89 and CUDA 12.8");
        }
      }
      for (const Type a : narrow_types) {
        for (const Type b : narrow_types) {
          const bool plain = is_fp8(a) && is_fp8(b);
          Instruction& added = add_mma(16, 8, 32, result, a, b, result,
                                       !plain            ? "sm_120a and CUDA 12.8"
                                       : result == "f32" ? "sm_89 and CUDA 12.4"
                                                         : "sm_89 and CUDA 12.8");
          added.layout.a = in_byte_container(a);
          added.layout.b = in_byte_container(b);
        }
      }
    }
  }

  /// Instructions whose sums wrap around, and ones whose sums saturate.
  void add_integer_mma_sync() {
    const auto add = [&](int m, int k, const std::array<Type, 2>& pair, const std::string& needs) {
      for (const std::string d : {"s32", "satfinite.s32"}) {
        for (const Type a : pair) {
          for (const Type b : pair) add_mma(m, 8, k, d, a, b, "s32", needs);
        }
      }
    };
    add(8, 16, integers_of_8, "sm_75");
    for (const int k : {16, 32}) add(16, k, integers_of_8, "sm_80");
    add(8, 32, integers_of_4, "sm_75");
    for (const int k : {32, 64}) add(16, k, integers_of_4, "sm_80");
  }

  static void add_scales(Instruction& to, int block, bool ue4m3) {
    to.scale_block = block;
    to.scale_is_ue4m3 = ue4m3;
    to.layout.scales = to.layout.k / block;
    to.layout.scale_copies = 4 / to.layout.scales;
  }

  static std::string block_shape(int m, int k, int block) {
    return "block_scale." + shape(m, 8, k) + ".block" + std::to_string(block) + ".f32.";
  }

  void add_block_scaled_mma_sync() {
    const auto add = [&](int k, Type a, Type b, int block, bool ue4m3, const std::string& needs) {
      const std::string name = "mma." + block_shape(16, k, block) + info(a).name + "." +
                               info(b).name + ".f32." + (ue4m3 ? "ue4m3" : "ue8m0");
      Instruction added = instruction(Family::mma_sync, name, k, a, b, 32, 32, needs);
      if (k == 32) {
        added.layout.a = in_byte_container(a);
        added.layout.b = in_byte_container(b);
      }
      add_scales(added, block, ue4m3);
      all.push_back(added);
    };
    for (const Type a : narrow_types) {
      for (const Type b : narrow_types) add(32, a, b, 32, false, "sm_120a and CUDA 12.8");
    }
    add(64, Type::e2m1, Type::e2m1, 32, false, "sm_120a and CUDA 12.8");
    add(64, Type::e2m1, Type::e2m1, 16, true, "sm_120a and CUDA 12.8");
    add(64, Type::e2m1, Type::e2m1, 16, false, "sm_120a and CUDA 13.1");
    // MMA-Sim lists it; every assembler up to CUDA 13.5 rejects it.
    add(64, Type::e2m1, Type::e2m1, 32, true, "an assembler that accepts it; none is known");
  }

  void add_wgmma() {
    const auto add = [&](int k, const std::string& d, Type a, Type b) {
      const std::string name =
          "wgmma." + shape(64, 8, k) + "." + d + "." + info(a).name + "." + info(b).name;
      const int bits = accumulator_bits(d);
      all.push_back(instruction(Family::wgmma, name, k, a, b, bits, bits, "sm_90a"));
    };
    add(8, "f32", Type::tf32, Type::tf32);
    add(16, "f32", Type::f16, Type::f16);
    add(16, "f16", Type::f16, Type::f16);
    add(16, "f32", Type::bf16, Type::bf16);
    for (const std::string d : {"f32", "f16"}) {
      for (const Type a : fp8_types) {
        for (const Type b : fp8_types) add(32, d, a, b);
      }
    }
    for (const std::string d : {"s32", "satfinite.s32"}) {
      for (const Type a : integers_of_8) {
        for (const Type b : integers_of_8) add(32, d, a, b);
      }
    }
  }

  static constexpr const char* tcgen05_needs = "sm_100a or sm_103a, and CUDA 12.8";

  void add_tcgen05() {
    const auto add = [&](Kind kind, int k, const std::string& d, Type a, Type b) {
      for (const int m : {64, 128}) {
        const std::string name = "tcgen05.mma." + shape(m, m == 64 ? 8 : 16, k) + "." + d + "." +
                                 info(a).name + "." + info(b).name;
        const int bits = accumulator_bits(d);
        Instruction added = instruction(Family::tcgen05, name, k, a, b, bits, bits, tcgen05_needs);
        added.kind = kind;
        if (kind == Kind::f8f6f4) {
          added.layout.a = in_padded_group(a);
          added.layout.b = in_padded_group(b);
        }
        all.push_back(added);
      }
    };
    add(Kind::tf32, 8, "f32", Type::tf32, Type::tf32);
    add(Kind::f16, 16, "f32", Type::f16, Type::f16);
    add(Kind::f16, 16, "f16", Type::f16, Type::f16);
    add(Kind::f16, 16, "f32", Type::bf16, Type::bf16);
    for (const std::string d : {"f32", "f16"}) {
      for (const Type a : narrow_types) {
        for (const Type b : narrow_types) add(Kind::f8f6f4, 32, d, a, b);
      }
    }
  }

  void add_block_scaled_tcgen05() {
    const auto add = [&](Kind kind, int k, Type a, Type b, int block, bool ue4m3) {
      const std::string name = "tcgen05.mma." + block_shape(128, k, block) + info(a).name + "." +
                               info(b).name + (ue4m3 ? ".ue4m3" : ".ue8m0");
      Instruction added = instruction(Family::tcgen05, name, k, a, b, 32, 32, tcgen05_needs);
      added.kind = kind;
      if (kind == Kind::mxf8f6f4) {
        added.layout.a = in_padded_group(a);
        added.layout.b = in_padded_group(b);
      }
      add_scales(added, block, ue4m3);
      all.push_back(added);
    };
    for (const Type a : narrow_types) {
      for (const Type b : narrow_types) add(Kind::mxf8f6f4, 32, a, b, 32, false);
    }
    add(Kind::mxf4, 64, Type::e2m1, Type::e2m1, 32, false);
    add(Kind::mxf4nvf4, 64, Type::e2m1, Type::e2m1, 16, false);
    add(Kind::mxf4nvf4, 64, Type::e2m1, Type::e2m1, 16, true);
  }
};

const Table& table() {
  static const Table the_table;
  return the_table;
}

/// The mnemonic with its n replaced by the smallest allowed n. Names of mma.sync, and other names
/// of a different form, are unchanged.
std::string with_least_n(std::string_view mnemonic) {
  const bool wgmma = mnemonic.substr(0, 6) == "wgmma.";
  const bool tcgen05 = mnemonic.substr(0, 12) == "tcgen05.mma.";
  std::string name(mnemonic);
  if (!wgmma && !tcgen05) return name;
  const bool scaled = mnemonic.find(".block_scale.") != std::string_view::npos;
  const std::size_t m = mnemonic.find(scaled ? ".block_scale.m" : ".m", wgmma ? 5 : 11);
  if (m == std::string_view::npos) return name;
  const std::size_t n = mnemonic.find('n', m + (scaled ? 13 : 2));
  const std::size_t k = mnemonic.find('k', n);
  if (n == std::string_view::npos || k == std::string_view::npos) return name;
  int value = 0;
  const char* const end = mnemonic.data() + k;
  const auto read = std::from_chars(mnemonic.data() + n + 1, end, value);
  const int least = tcgen05 && !scaled && mnemonic.substr(m, 5) == ".m128" ? 16 : 8;
  if (read.ec != std::errc{} || read.ptr != end) return name;
  if (value < least || value > 256 || value % least != 0) return name;
  return name.replace(n + 1, k - n - 1, std::to_string(least));
}

}  // namespace

const std::vector<Instruction>& instructions() { return table().all; }

int find_instruction(std::string_view instr) {
  const std::size_t slash = instr.find('/');
  if (slash == std::string_view::npos) return -1;
  const std::string_view mnemonic = instr.substr(slash + 1, instr.find('@') - slash - 1);
  if (mnemonic.substr(0, 7) == "v_mfma_") return -2;
  const auto found = table().by_name.find(with_least_n(mnemonic));
  return found == table().by_name.end() ? -1 : found->second;
}

}  // namespace mmaspec::replay::cuda
