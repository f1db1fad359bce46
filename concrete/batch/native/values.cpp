#include "concrete/batch/native/values.h"

#include <algorithm>
#include <stdexcept>

namespace mmaspec::batch {
namespace {

constexpr std::size_t kNever = ~std::size_t{0};
/// Holds the address of spilled values; native.cpp loads it.
const Xbyak::Reg64& spill_base() {
  static const Xbyak::Reg64 base(Xbyak::Operand::R10);
  return base;
}

}  // namespace

NativeValues::NativeValues(Assembler& code, const Draft& draft, std::size_t first, std::size_t last)
    : code_(code), draft_(draft), uses_(draft.registers.size()) {
  for (int i = 0; i < static_cast<int>(slots_.size()); ++i)
    registers_[static_cast<std::size_t>(i)] = Ymm(i);
  for (Register r = 0; r < draft.registers.size(); ++r) {
    first_part_.push_back(register_of_.size());
    const bool is_constant = !draft.registers[r].value.empty();
    const unsigned parts = is_constant ? 1 : parts_of(draft.registers[r].type);
    register_of_.insert(register_of_.end(), parts, r);
  }
  places_.resize(register_of_.size());
  for (std::size_t i = first; i < last; ++i) {
    for (const Register r : draft.steps[i].in) uses_[r].push_back(i);
  }
  for (auto& uses : uses_)
    std::reverse(uses.begin(), uses.end());  // the next use is the last
                                             // element
}

void NativeValues::set_home(Register value, const Xbyak::Reg64& base, std::uint32_t at) {
  const bool is_constant = !draft_.registers[value].value.empty();
  const unsigned parts = is_constant ? 1 : parts_of(draft_.registers[value].type);
  for (unsigned p = 0; p < parts; ++p) {
    places_[index(value, p)].home = Xbyak::util::ptr[base + (at + p * kVectorBytes)];
  }
}

std::size_t NativeValues::next_use(std::size_t place) const {
  const auto& uses = uses_[register_of_[place]];
  return uses.empty() ? kNever : uses.back();
}

void NativeValues::spill(int ymm) {
  Slot& slot = slots_[static_cast<std::size_t>(ymm)];
  const auto value = static_cast<std::size_t>(slot.value);
  Place& place = places_[value];
  if (!place.home && next_use(value) != kNever) {
    if (free_.empty()) {
      free_.push_back(spilled_);
      spilled_ += kVectorBytes;
    }
    place.spilled_at = free_.back();
    free_.pop_back();
    place.is_spilled = true;
    place.home = Xbyak::util::ptr[spill_base() + place.spilled_at];
    code_.vmovdqa(*place.home, Ymm(ymm));
  }
  place.ymm = -1;
  slot = {};
}

/// A free register, or the one whose value is needed last.
int NativeValues::take() {
  int best = -1;
  std::size_t latest = 0;
  for (int i = 0; i < static_cast<int>(slots_.size()); ++i) {
    const Slot& slot = slots_[static_cast<std::size_t>(i)];
    if (slot.is_pinned || slot.is_temporary) continue;
    if (slot.value < 0) return i;
    const std::size_t next = next_use(static_cast<std::size_t>(slot.value));
    if (best < 0 || next > latest) {
      best = i;
      latest = next;
    }
  }
  if (best < 0) throw std::logic_error("a step of machine code needs more than 16 registers");
  spill(best);
  return best;
}

Ymm NativeValues::in(Register value, unsigned part) {
  const bool is_constant = !draft_.registers[value].value.empty();
  const std::size_t i = index(value, is_constant ? 0 : part);
  if (places_[i].ymm < 0) {
    if (!places_[i].home) throw std::logic_error("a step of machine code has no input");
    const int ymm = take();
    code_.vmovdqa(Ymm(ymm), *places_[i].home);
    places_[i].ymm = ymm;
    slots_[static_cast<std::size_t>(ymm)].value = static_cast<int>(i);
  }
  slots_[static_cast<std::size_t>(places_[i].ymm)].is_pinned = true;
  return Ymm(places_[i].ymm);
}

const Xbyak::Operand& NativeValues::operand(Register value, unsigned part) {
  const bool is_constant = !draft_.registers[value].value.empty();
  const std::size_t i = index(value, is_constant ? 0 : part);
  if (places_[i].ymm < 0 && places_[i].home) return *places_[i].home;
  return registers_[static_cast<std::size_t>(in(value, part).getIdx())];
}

Ymm NativeValues::temporary() {
  const int ymm = take();
  slots_[static_cast<std::size_t>(ymm)].is_temporary = true;
  return Ymm(ymm);
}

void NativeValues::drop(const Ymm& temporary) {
  slots_[static_cast<std::size_t>(temporary.getIdx())] = {};
}

void NativeValues::define(Register value, unsigned part, const Ymm& temporary) {
  const std::size_t i = index(value, part);
  slots_[static_cast<std::size_t>(temporary.getIdx())] = {static_cast<int>(i), false, false};
  places_[i].ymm = temporary.getIdx();
  if (places_[i].home) code_.vmovdqa(*places_[i].home, temporary);
}

void NativeValues::release() {
  for (Slot& slot : slots_) slot.is_pinned = false;
}

void NativeValues::end_step(std::size_t step) {
  release();
  const auto forget = [&](Register r) {
    auto& uses = uses_[r];
    while (!uses.empty() && uses.back() <= step) uses.pop_back();
    if (!uses.empty()) return;
    const bool is_constant = !draft_.registers[r].value.empty();
    const unsigned parts = is_constant ? 1 : parts_of(draft_.registers[r].type);
    for (unsigned p = 0; p < parts; ++p) {
      Place& place = places_[index(r, p)];
      if (place.ymm >= 0) slots_[static_cast<std::size_t>(place.ymm)] = {};
      if (place.is_spilled) free_.push_back(place.spilled_at);
      place = {};
    }
  };
  for (const Register r : draft_.steps[step].in) forget(r);
  if (!draft_.steps[step].keeps) forget(draft_.steps[step].out);
  for (Slot& slot : slots_) {
    if (slot.is_temporary) slot = {};
  }
}

}  // namespace mmaspec::batch
