#pragma once
/// Where the values of a program are while machine code is made for it: in one of the processor's
/// 16 vector registers, in memory, or in both.

#include <xbyak/xbyak.h>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "concrete/batch/kernels/draft.h"

namespace mmaspec::batch {

using Assembler = Xbyak::CodeGenerator;
using Xbyak::Ymm;

/// Lanes that machine code works on at a time: as many 16-bit ones as a vector register has.
inline constexpr std::size_t kNativeLanes = 16;
inline constexpr std::uint32_t kVectorBytes = 32;

/// Vector registers that a value takes. Booleans are 16-bit masks. Lanes of 64 bits are in the
/// order of memory, narrower ones in that which AVX2's packing within halves of a register makes of
/// it, and its unpacking undoes: no lane ever moves from one half to the other.
inline unsigned parts_of(Type type) { return type == Type::i32 ? 2U : type == Type::i64 ? 4U : 1U; }

/// Values during the making of one function.
class NativeValues {
 public:
  /// `draft`'s steps from `first` to `last`, not included, are to be made.
  NativeValues(Assembler& code, const Draft& draft, std::size_t first, std::size_t last);

  /// That the value is in memory, at the byte `at` behind this address register; that of a step
  /// still to come is written there.
  void set_home(Register value, const Xbyak::Reg64& base, std::uint32_t at);

  /// Part `part` of a value, in a register until release().
  Ymm in(Register value, unsigned part);
  /// The same, or where it is in memory.
  const Xbyak::Operand& operand(Register value, unsigned part);
  /// A register to work with, until drop() or define() or the end of the step.
  Ymm temporary();
  void drop(const Ymm& temporary);
  /// A temporary becomes a value's part.
  void define(Register value, unsigned part, const Ymm& temporary);
  /// Registers of inputs may be used for others again.
  void release();
  /// Forgets temporaries, and values that no later step uses.
  void end_step(std::size_t step);

  /// Bytes of memory that were used for values that did not fit into registers.
  std::uint32_t spilled_bytes() const { return spilled_; }

 private:
  struct Place {
    int ymm = -1;
    std::optional<Xbyak::Address> home;
    bool is_spilled = false;  ///< the home is one of free_'s
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
  std::vector<std::uint32_t> free_;  ///< spilled values' memory
  std::uint32_t spilled_ = 0;
};

}  // namespace mmaspec::batch
