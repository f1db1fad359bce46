#pragma once

#include <cstdint>

#include "hardware/replay/device/cuda/instructions.h"

/// The instruction descriptor of tcgen05.mma: PTX ISA, "Instruction descriptor" for `.kind::tf32,
/// ::f16, ::f8f6f4` and for `::mxf8f6f4`, `::mxf4`, `::mxf4nvf4`. CUTLASS has the same fields in
/// cute/arch/mma_sm100_desc.hpp.
namespace mmaspec::replay::cuda {

/// m: the rows of D, from the mnemonic. n: the columns, the smallest allowed n.
struct Tile {
  int m, n;
};
inline Tile tile(const Instruction& instruction) {
  const bool m64 = instruction.name.find("m64n") != std::string::npos;
  return {m64 ? 64 : 128, instruction.name.find("n16k") != std::string::npos ? 16 : 8};
}

/// The code of an operand's type in its kind.
constexpr std::uint32_t type_code(Kind kind, Type type) {
  switch (type) {
    case Type::f16:
      return 0;
    case Type::bf16:
      return 1;
    case Type::tf32:
      return 2;
    case Type::e4m3:
      return 0;
    case Type::e5m2:
      return 1;
    case Type::e2m3:
      return 3;
    case Type::e3m2:
      return 4;
    case Type::e2m1:
      return kind == Kind::mxf4 || kind == Kind::mxf4nvf4 ? 1 : 5;
    case Type::s8:
    case Type::u8:
    case Type::s4:
    case Type::u4:
    case Type::f64:
      break;
  }
  return 0;
}

/// Dense, no negation, both operands K-major, no saturation, scale factors at byte 0.
inline std::uint32_t instruction_descriptor(const Instruction& instruction) {
  const Tile size = tile(instruction);
  std::uint32_t bits = type_code(instruction.kind, instruction.a) << 7 |
                       type_code(instruction.kind, instruction.b) << 10 |
                       static_cast<std::uint32_t>(size.n >> 3) << 17 |
                       static_cast<std::uint32_t>(size.m >> 4) << 24;
  if (instruction.scale_block > 0) {
    bits |= (instruction.scale_is_ue4m3 ? 0u : 1u) << 23;
  } else {
    bits |= (instruction.half_result ? 0u : 1u) << 4;
  }
  return bits;
}

/// `matrix_descriptor` with the version that tcgen05 requires in bits 46 to 48.
constexpr std::uint64_t tcgen05_version = std::uint64_t{1} << 46;

}  // namespace mmaspec::replay::cuda
