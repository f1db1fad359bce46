#include "concrete/batch/native/steps.h"

namespace mmaspec::batch {

Ymm NativeSteps::as_signed(Type type, Register value, unsigned part) {
  const Ymm x = values_.temporary();
  code_.vmovdqa(x, constants_(width_of(type), std::uint64_t{1} << (width_of(type) - 1)));
  code_.vpxor(x, x, values_.operand(value, part));
  return x;
}

void NativeSteps::compare(const DraftStep& step) {
  const Type type = step.choice.from;
  const Code code = step.choice.code;
  Parts found;
  for (unsigned p = 0; p < parts_of(type); ++p) {
    const Ymm to = found.emplace_back(values_.temporary());
    if (code == Code::equal) {
      equal(type, to, values_.in(step.in[0], p), values_.operand(step.in[1], p));
    } else if (code == Code::equal_to) {
      equal(type, to, values_.in(step.in[0], p), constants_(width_of(type), step.m));
    } else if (code == Code::less_s) {
      greater(type, to, values_.in(step.in[1], p), values_.operand(step.in[0], p));
    } else {
      const Ymm x = as_signed(type, step.in[0], p);
      const Ymm y = as_signed(type, step.in[1], p);
      greater(type, to, y, x);
      drop({x, y});
    }
    values_.release();
  }
  define(step.out, {boolean_of(found, type)});
}

void NativeSteps::conjunction(const DraftStep& step) {
  const unsigned positive = step.choice.positive;
  const auto& in = step.in;
  const Ymm to = values_.temporary();
  if (positive == 0) {  // none of them
    Ymm any = values_.in(in[0], 0);
    for (std::size_t i = 1; i < in.size(); ++i) {
      code_.vpor(to, any, values_.operand(in[i], 0));
      any = to;
    }
    code_.vpxor(to, any, constants_(64, kOnes));
    return define(step.out, {to});
  }
  if (positive == 1 && in.size() == 1) {
    code_.vmovdqa(to, values_.in(in[0], 0));
  } else if (positive == 1) {
    code_.vpandn(to, values_.in(in[1], 0), values_.operand(in[0], 0));
  } else {
    code_.vpand(to, values_.in(in[0], 0), values_.operand(in[1], 0));
  }
  for (std::size_t i = 2; i < in.size(); ++i) {
    if (i < positive) {
      code_.vpand(to, to, values_.operand(in[i], 0));
    } else {
      code_.vpandn(to, values_.in(in[i], 0), to);
    }
  }
  define(step.out, {to});
}

void NativeSteps::parity(const DraftStep& step) {
  const Ymm x = values_.in(step.in[0], 0);
  const Ymm to = values_.temporary();
  code_.vpxor(to, x, values_.operand(step.in[1], 0));
  if (step.m != 0) code_.vpxor(to, to, constants_(64, kOnes));
  define(step.out, {to});
}

void NativeSteps::add(Type type, const Ymm& to, const Ymm& x, const Xbyak::Operand& y) {
  if (type == Type::i64) return code_.vpaddq(to, x, y);
  if (type == Type::i32) return code_.vpaddd(to, x, y);
  code_.vpaddw(to, x, y);
}

void NativeSteps::subtract(Type type, const Ymm& to, const Ymm& x, const Xbyak::Operand& y) {
  if (type == Type::i64) return code_.vpsubq(to, x, y);
  if (type == Type::i32) return code_.vpsubd(to, x, y);
  code_.vpsubw(to, x, y);
}

void NativeSteps::equal(Type type, const Ymm& to, const Ymm& x, const Xbyak::Operand& y) {
  if (type == Type::i64) return code_.vpcmpeqq(to, x, y);
  if (type == Type::i32) return code_.vpcmpeqd(to, x, y);
  code_.vpcmpeqw(to, x, y);
}

void NativeSteps::greater(Type type, const Ymm& to, const Ymm& x, const Xbyak::Operand& y) {
  if (type == Type::i64) return code_.vpcmpgtq(to, x, y);
  if (type == Type::i32) return code_.vpcmpgtd(to, x, y);
  code_.vpcmpgtw(to, x, y);
}

}  // namespace mmaspec::batch
