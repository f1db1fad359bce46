#pragma once
/// Register allocation for machine code: each value is in one of the 16 vector registers, in
/// memory, or in both.

#include <xbyak/xbyak.h>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "concrete/batch/kernels/draft.h"

namespace mmaspec::batch {

using Assembler = Xbyak::CodeGenerator;
using Xbyak::Ymm;

/// Number of lanes that machine code processes at a time: as many 16-bit lanes as a vector register
/// has.
inline constexpr std::size_t kNativeLanes = 16;
inline constexpr std::uint32_t kVectorBytes = 32;

/// Number of vector registers that a value takes. Booleans are 16-bit masks. Lanes of 64 bits have
/// memory order. Narrower lanes have the order that AVX2's pack instructions produce, which work
/// within 128-bit halves, and its unpack instructions undo. No lane ever moves between the halves.
inline unsigned parts_of(Type type) { return type == Type::i32 ? 2U : type == Type::i64 ? 4U : 1U; }

/// The locations of values while one function is generated.
class NativeValues {
 public:
  /// The function covers the steps first .. last-1 of `draft`.
  NativeValues(Assembler& code, const Draft& draft, std::size_t first, std::size_t last);

  /// Sets the memory location of a value, `at` bytes after this address register. The value of a
  /// later step is written there.
  void set_home(Register value, const Xbyak::Reg64& base, std::uint32_t at);

  /// Part `part` of a value, in a register that stays reserved until release().
  Ymm in(Register value, unsigned part);
  /// The same, or its memory location.
  const Xbyak::Operand& operand(Register value, unsigned part);
  /// A temporary register, reserved until drop(), define() or the end of the step.
  Ymm temporary();
  void drop(const Ymm& temporary);
  /// Makes a temporary the part of a value.
  void define(Register value, unsigned part, const Ymm& temporary);
  /// Ends the reservation of input registers.
  void release();
  /// Releases temporaries, and values that later steps do not use.
  void end_step(std::size_t step);

  /// Bytes of memory used for values that did not fit into registers.
  std::uint32_t spilled_bytes() const { return spilled_; }

 private:
  struct Place {
    int ymm = -1;
    std::optional<Xbyak::Address> home;
    bool is_spilled = false;  ///< the home is an entry of free_
    std::uint32_t spilled_at = 0;
  };
  struct Slot {
    int value = -1;  ///< index into places_
    bool is_pinned = false;
    bool is_temporary = false;
  };

  std::size_t index(Register value, unsigned part) const { return first_part_[value] + part; }
  std::size_t next_use(std::size_t place) const;
  int take();
  void spill(int ymm);

  Assembler& code_;
  const Draft& draft_;
  std::vector<std::size_t> first_part_;         ///< by register
  std::vector<Register> register_of_;           ///< by place
  std::vector<std::vector<std::size_t>> uses_;  ///< by register: steps, in order
  std::vector<Place> places_;
  std::array<Slot, 16> slots_;
  std::array<Ymm, 16> registers_;    ///< by number
  std::vector<std::uint32_t> free_;  ///< memory of spilled values that is free
  std::uint32_t spilled_ = 0;
};

}  // namespace mmaspec::batch
