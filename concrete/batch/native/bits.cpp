#include "concrete/batch/native/steps.h"

namespace mmaspec::batch {

void NativeSteps::shift(const DraftStep& step) {
  const Type type = step.choice.to;
  for (unsigned p = 0; p < parts_of(type); ++p) {
    const Ymm x = values_.in(step.in[0], p);
    const Ymm to = values_.temporary();
    shifted(step.choice.code, type, to, x, values_.operand(step.in[1], p));
    values_.define(step.out, p, to);
    values_.release();
  }
}

/// The instructions return 0, or the sign, for amounts of at least the width. If a step shifts left
/// by such an amount, x is 0.
void NativeSteps::shifted(Code code, Type type, const Ymm& to, const Ymm& x,
                          const Xbyak::Operand& y) {
  const bool is_i32 = type == Type::i32;
  if (code == Code::shift_left) return is_i32 ? code_.vpsllvd(to, x, y) : code_.vpsllvq(to, x, y);
  if (code == Code::shift_right_u) {
    return is_i32 ? code_.vpsrlvd(to, x, y) : code_.vpsrlvq(to, x, y);
  }
  if (is_i32) return code_.vpsravd(to, x, y);
  const Ymm sign = values_.temporary();
  code_.vpxor(sign, sign, sign);
  code_.vpcmpgtq(sign, sign, x);
  code_.vpxor(to, x, sign);
  code_.vpsrlvq(to, to, y);
  code_.vpxor(to, to, sign);
  values_.drop(sign);
}

void NativeSteps::shift_i16(const DraftStep& step) {
  const Code code = step.choice.code;
  const Parts x = widened(read(step.in[0]), Type::i16, is_signed(code));
  const Parts by = widened(read(step.in[1]), Type::i16, false);
  values_.release();
  for (unsigned p = 0; p < 2; ++p) {
    shifted(code, Type::i32, x[p], x[p], by[p]);
    if (code == Code::shift_left) code_.vpand(x[p], x[p], constants_(32, field_of(16)));
  }
  if (is_signed(code)) {
    code_.vpackssdw(x[0], x[0], x[1]);
  } else {
    code_.vpackusdw(x[0], x[0], x[1]);
  }
  define(step.out, {x[0]});
}

void NativeSteps::shift_by(const DraftStep& step) {
  const Type type = step.choice.to;
  const auto by = static_cast<unsigned>(step.m);
  for (unsigned p = 0; p < parts_of(type); ++p) {
    const Ymm x = values_.in(step.in[0], p);
    const Ymm to = values_.temporary();
    step.choice.code == Code::shift_left_by ? left_by(type, to, x, by)
                                            : right_by_s(type, to, x, by);
    values_.define(step.out, p, to);
    values_.release();
  }
}

void NativeSteps::bits(const DraftStep& step) {
  const Type from = step.choice.from;
  const Type to = step.choice.to;
  const auto low = static_cast<unsigned>(step.m);
  const std::uint64_t field = step.m2 & field_of(width_of(to));
  const bool has_others = (field_of(width_of(from) - low) & ~field) != 0;
  const unsigned count = parts_of(from);
  Parts x = temporaries(count);
  for (unsigned p = 0; p < count; ++p) {
    right_by(from, x[p], values_.in(step.in[0], p), low);
    values_.release();
  }
  Type type = from;
  if (from == Type::i64 && to != Type::i64) {
    x = narrowed(x, Type::i64);
    type = Type::i32;
  }
  // Before packing to words, which would saturate larger numbers.
  if (has_others) {
    for (unsigned p = 0; p < parts_of(type); ++p) {
      code_.vpand(x[p], x[p], constants_(width_of(type), field));
    }
  }
  if (type == Type::i32 && to == Type::i16) {
    code_.vpackusdw(x[0], x[0], x[1]);
    x = {x[0]};
  }
  define(step.out, x);
}

void NativeSteps::test_bit(const DraftStep& step) {
  Type type = step.choice.from;
  auto bit = static_cast<unsigned>(step.m);
  Parts x = read(step.in[0]);
  if (type == Type::i64) {
    const Parts halves = temporaries(2);
    for (std::size_t p = 0; p < 2; ++p) {
      code_.vshufps(halves[p], x[2 * p], x[2 * p + 1], bit < 32 ? 0x88 : 0xdd);
    }
    x = halves;
    bit %= 32;
    type = Type::i32;
  }
  const Parts found = temporaries(parts_of(type));
  for (unsigned p = 0; p < parts_of(type); ++p) {
    left_by(type, found[p], x[p], width_of(type) - 1 - bit);
    right_by_s(type, found[p], found[p], width_of(type) - 1);
  }
  define(step.out, {boolean_of(found, type)});
}

/// As the kernels' length_of.
void NativeSteps::bit_length(const DraftStep& step) {
  const Type from = step.choice.from;
  const Parts lengths = temporaries(2);
  if (from == Type::i64) {
    const Parts all = temporaries(4);
    for (unsigned p = 0; p < 4; ++p) {
      const Ymm& x = all[p];
      const Ymm is_short = values_.temporary();
      const Ymm zero = values_.temporary();
      const Ymm input = values_.in(step.in[0], p);
      code_.vpxor(zero, zero, zero);
      code_.vpsrlq(x, input, 32);
      code_.vpcmpeqq(is_short, x, zero);
      code_.vpblendvb(x, x, input, is_short);
      code_.vpor(x, x, constants_(64, 0x4330000000000000U));
      code_.vsubpd(x, x, constants_(64, 0x4330000000000000U));
      code_.vpsrlq(x, x, 52);
      code_.vpcmpeqq(zero, zero, x);
      code_.vpsubq(x, x, constants_(64, 1022));
      code_.vpandn(x, zero, x);
      code_.vpandn(is_short, is_short, constants_(64, 32));
      code_.vpaddq(x, x, is_short);
      values_.drop(is_short);
      values_.drop(zero);
      values_.release();
    }
    for (std::size_t p = 0; p < 2; ++p) {
      code_.vshufps(lengths[p], all[2 * p], all[2 * p + 1], 0x88);
    }
  } else {
    const Parts x = from == Type::i16 ? widened(read(step.in[0]), from, false) : read(step.in[0]);
    for (unsigned p = 0; p < 2; ++p) {
      const Ymm& length = lengths[p];
      const Ymm zero = values_.temporary();
      const Ymm half = values_.temporary();
      code_.vpxor(zero, zero, zero);
      code_.vpsrld(half, x[p], 1);
      code_.vpsrld(length, half, 1);
      code_.vpandn(length, length, half);
      code_.vcvtdq2ps(length, length);
      code_.vpsrld(length, length, 23);
      code_.vpsubd(length, length, constants_(32, 126));
      code_.vpmaxsd(length, length, zero);
      code_.vpcmpeqd(zero, zero, x[p]);
      code_.vpaddd(length, length, zero);
      code_.vpaddd(length, length, constants_(32, 1));
      values_.drop(zero);
      values_.drop(half);
    }
  }
  code_.vpackssdw(lengths[0], lengths[0], lengths[1]);
  define(step.out, {lengths[0]});
}

void NativeSteps::left_by(Type type, const Ymm& to, const Ymm& x, unsigned by) {
  if (type == Type::i64) return code_.vpsllq(to, x, static_cast<std::uint8_t>(by));
  if (type == Type::i32) return code_.vpslld(to, x, static_cast<std::uint8_t>(by));
  code_.vpsllw(to, x, static_cast<std::uint8_t>(by));
}

void NativeSteps::right_by(Type type, const Ymm& to, const Ymm& x, unsigned by) {
  if (by == 0) return code_.vmovdqa(to, x);
  if (type == Type::i64) return code_.vpsrlq(to, x, static_cast<std::uint8_t>(by));
  if (type == Type::i32) return code_.vpsrld(to, x, static_cast<std::uint8_t>(by));
  code_.vpsrlw(to, x, static_cast<std::uint8_t>(by));
}

void NativeSteps::right_by_s(Type type, const Ymm& to, const Ymm& x, unsigned by) {
  if (type == Type::i32) return code_.vpsrad(to, x, static_cast<std::uint8_t>(by));
  if (type == Type::i16) return code_.vpsraw(to, x, static_cast<std::uint8_t>(by));
  const Ymm sign = values_.temporary();
  code_.vpxor(sign, sign, sign);
  code_.vpcmpgtq(sign, sign, x);
  code_.vpxor(to, x, sign);
  code_.vpsrlq(to, to, static_cast<std::uint8_t>(by));
  code_.vpxor(to, to, sign);
  values_.drop(sign);
}

}  // namespace mmaspec::batch
