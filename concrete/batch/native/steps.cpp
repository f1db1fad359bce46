#include "concrete/batch/native/steps.h"

namespace mmaspec::batch {

const Xbyak::Reg64& NativeConstants::base() {
  static const Xbyak::Reg64 base(Xbyak::Operand::RDI);
  return base;
}

std::uint32_t NativeConstants::at(unsigned width, std::uint64_t value) {
  std::uint64_t word = value & field_of(width);
  for (unsigned w = width; w < 64; w *= 2) word |= word << w;
  const auto [it, is_new] = at_.try_emplace(word, static_cast<std::uint32_t>(8 * words_.size()));
  if (is_new) words_.insert(words_.end(), kVectorBytes / 8, word);
  return it->second;
}

bool has_native(const DraftStep& step) {
  return step.choice.from != Type::wide && step.choice.to != Type::wide;
}

void NativeSteps::emit(const DraftStep& step) {
  switch (step.choice.code) {
    case Code::load:
      return load(step);
    case Code::store_s:
    case Code::store_u:
      return store(step);
    case Code::convert_s:
    case Code::convert_u:
      return convert(step);
    case Code::linear:
      return linear(step);
    case Code::multiply:
    case Code::multiply_by:
      return multiply(step);
    case Code::multiply_s:
    case Code::multiply_u:
      return multiply_long(step);
    case Code::absolute:
      return absolute(step);
    case Code::negate_if:
    case Code::negate_unless:
      return negate(step);
    case Code::select:
      return select(step);
    case Code::minimum_s:
    case Code::minimum_u:
    case Code::maximum_s:
    case Code::maximum_u:
      return extremum(step);
    case Code::shift_left:
    case Code::shift_right_s:
    case Code::shift_right_u:
      return step.choice.to == Type::i16 ? shift_i16(step) : shift(step);
    case Code::shift_left_by:
    case Code::shift_right_by_s:
      return shift_by(step);
    case Code::bits:
      return bits(step);
    case Code::test_bit:
      return test_bit(step);
    case Code::bit_length:
      return bit_length(step);
    case Code::less_s:
    case Code::less_u:
    case Code::equal:
    case Code::equal_to:
      return compare(step);
    case Code::conjunction:
      return conjunction(step);
    case Code::parity:
      return parity(step);
    case Code::check:
      return check(step);
  }
}

// Input and output. The addresses are those of native.cpp: rows of inputs in r8, of results in r9,
// violations in r11; rcx is the first lane's offset in a row.

void NativeSteps::load(const DraftStep& step) {
  const auto row = static_cast<std::size_t>(16 * step.m);
  code_.mov(code_.rax, Xbyak::util::ptr[code_.r8 + (row + 8)]);
  code_.and_(code_.rax, code_.rcx);
  code_.add(code_.rax, Xbyak::util::ptr[code_.r8 + row]);
  // Prefetch the inputs of the next 16 lanes: two cache lines.
  for (const std::size_t line : {std::size_t{0}, std::size_t{64}}) {
    code_.prefetcht0(Xbyak::util::ptr[code_.rax + std::size_t{4} * kVectorBytes + line]);
  }
  Parts words = temporaries(4);
  const auto memory = [&](std::size_t p) { return Xbyak::util::ptr[code_.rax + p * kVectorBytes]; };
  const Type type = step.choice.to;
  if (type == Type::i64) {
    for (unsigned p = 0; p < 4; ++p) code_.vmovdqu(words[p], memory(p));
    return define(step.out, words);
  }
  for (const unsigned p : {0U, 2U}) {
    code_.vmovdqu(words[p], memory(p));
    code_.vshufps(words[p], words[p], memory(p + 1), 0x88);
  }
  if (type == Type::i32) return define(step.out, {words[0], words[2]});
  code_.vpackusdw(words[0], words[0], words[2]);  // an input is less than 2^16
  define(step.out, {words[0]});
}

void NativeSteps::store(const DraftStep& step) {
  code_.mov(code_.rax, Xbyak::util::ptr[code_.r9 + std::size_t{8} * step.m]);
  Type type = step.choice.from;
  Parts x = read(step.in[0]);
  bool owned = false;
  if (type == Type::boolean) {
    const Ymm bit = values_.temporary();
    code_.vpsrlw(bit, x[0], 15);
    x = {bit};
    owned = true;
    type = Type::i16;
  }
  for (; type != Type::i64; type = type == Type::i16 ? Type::i32 : Type::i64) {
    const Parts wide = widened(x, type, is_signed(step.choice.code));
    if (owned) drop(x);
    x = wide;
    owned = true;
  }
  for (std::size_t p = 0; p < 4; ++p) {
    code_.vmovdqu(Xbyak::util::ptr[code_.rax + code_.rcx + p * kVectorBytes], x[p]);
  }
}

void NativeSteps::check(const DraftStep& step) {
  const Ymm x = values_.in(step.in[0], 0);
  code_.vptest(x, x);
  code_.setnz(code_.al);
  code_.or_(Xbyak::util::byte[code_.r11 + std::size_t{8} * step.m], code_.al);
}

void NativeSteps::convert(const DraftStep& step) {
  const Type to = step.choice.to;
  Type type = step.choice.from;
  Parts x = read(step.in[0]);
  bool owned = false;
  const bool widens = width_of(to) > width_of(type);
  while (type != to) {
    const Parts next = widens ? widened(x, type, is_signed(step.choice.code)) : narrowed(x, type);
    if (owned) drop(x);
    x = next;
    owned = true;
    type = widens ? (type == Type::i16 ? Type::i32 : Type::i64)
                  : (type == Type::i64 ? Type::i32 : Type::i16);
  }
  define(step.out, x);
}

// Operations on whole values.

NativeSteps::Parts NativeSteps::read(Register value) {
  Parts parts;
  for (unsigned p = 0; p < parts_of(draft_.registers[value].type); ++p) {
    parts.push_back(values_.in(value, p));
  }
  return parts;
}

NativeSteps::Parts NativeSteps::temporaries(std::size_t count) {
  Parts parts;
  for (std::size_t i = 0; i < count; ++i) parts.push_back(values_.temporary());
  return parts;
}

void NativeSteps::drop(const Parts& parts) {
  for (const Ymm& x : parts) values_.drop(x);
}

void NativeSteps::define(Register value, const Parts& parts) {
  for (unsigned p = 0; p < parts.size(); ++p) values_.define(value, p, parts[p]);
}

NativeSteps::Parts NativeSteps::widened(const Parts& x, Type from, bool is_signed) {
  Parts wide;
  for (const Ymm& part : x) {
    const Ymm low = values_.temporary();
    const Ymm high = values_.temporary();
    if (is_signed && from == Type::i16) {
      code_.vpunpcklwd(low, part, part);
      code_.vpunpckhwd(high, part, part);
      code_.vpsrad(low, low, 16);
      code_.vpsrad(high, high, 16);
    } else if (from == Type::i16) {
      code_.vpunpcklwd(low, part, constants_(64, 0));
      code_.vpunpckhwd(high, part, constants_(64, 0));
    } else if (is_signed) {
      const Ymm sign = values_.temporary();
      code_.vpsrad(sign, part, 31);
      code_.vpunpckldq(low, part, sign);
      code_.vpunpckhdq(high, part, sign);
      values_.drop(sign);
    } else {
      code_.vpunpckldq(low, part, constants_(64, 0));
      code_.vpunpckhdq(high, part, constants_(64, 0));
    }
    wide.push_back(low);
    wide.push_back(high);
  }
  return wide;
}

NativeSteps::Parts NativeSteps::narrowed(const Parts& x, Type from) {
  Parts narrow;
  for (std::size_t p = 0; p < x.size(); p += 2) {
    const Ymm to = values_.temporary();
    if (from == Type::i64) {
      code_.vshufps(to, x[p], x[p + 1], 0x88);
    } else {
      const Ymm high = values_.temporary();
      code_.vpand(to, x[p], constants_(32, field_of(16)));
      code_.vpand(high, x[p + 1], constants_(32, field_of(16)));
      code_.vpackusdw(to, to, high);
      values_.drop(high);
    }
    narrow.push_back(to);
  }
  return narrow;
}

NativeSteps::Parts NativeSteps::masks(Register boolean, bool negated, Type type) {
  Ymm x = values_.in(boolean, 0);
  if (negated || parts_of(type) == 1) {
    const Ymm own = values_.temporary();
    if (negated) {
      code_.vpxor(own, x, constants_(64, kOnes));
    } else {
      code_.vmovdqa(own, x);
    }
    if (parts_of(type) == 1) return {own};
    x = own;
  }
  // Interleaving a mask with itself doubles its width.
  Parts all = temporaries(2);
  code_.vpunpcklwd(all[0], x, x);
  code_.vpunpckhwd(all[1], x, x);
  if (negated) values_.drop(x);
  if (parts_of(type) == 2) return all;
  Parts wide;
  for (const Ymm& half : all) {
    const Parts both = temporaries(2);
    code_.vpunpckldq(both[0], half, half);
    code_.vpunpckhdq(both[1], half, half);
    values_.drop(half);
    wide.insert(wide.end(), both.begin(), both.end());
  }
  return wide;
}

Ymm NativeSteps::boolean_of(Parts masks, Type type) {
  if (type == Type::i64) {
    for (std::size_t p = 0; p < 2; ++p) {
      code_.vshufps(masks[p], masks[2 * p], masks[2 * p + 1], 0x88);
    }
  }
  if (masks.size() > 1) code_.vpackssdw(masks[0], masks[0], masks[1]);
  return masks[0];
}

}  // namespace mmaspec::batch
