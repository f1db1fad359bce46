#include "concrete/batch/native/steps.h"

namespace mmaspec::batch {

void NativeSteps::linear(const DraftStep& step) {
  const Type type = step.choice.to;
  const unsigned positive = step.choice.positive;
  const std::uint64_t constant = step.m & field_of(width_of(type));
  for (unsigned p = 0; p < parts_of(type); ++p) {
    const Ymm to = values_.temporary();
    Ymm sum = to;
    bool constant_is_in = constant == 0;
    if (positive > 0) {
      sum = values_.in(step.in[0], p);
    } else if (constant == 0) {
      code_.vpxor(to, to, to);
    } else {
      code_.vmovdqa(to, constants_(width_of(type), constant));
      constant_is_in = true;
    }
    for (unsigned i = positive > 0 ? 1 : 0; i < step.in.size(); ++i) {
      const Xbyak::Operand& x = values_.operand(step.in[i], p);
      i < positive ? add(type, to, sum, x) : subtract(type, to, sum, x);
      sum = to;
    }
    if (!constant_is_in) {
      add(type, to, sum, constants_(width_of(type), constant));
    } else if (sum.getIdx() != to.getIdx()) {
      code_.vmovdqa(to, sum);
    }
    values_.define(step.out, p, to);
    values_.release();
  }
}

void NativeSteps::multiply(const DraftStep& step) {
  const Type type = step.choice.to;
  const bool by_constant = step.choice.code == Code::multiply_by;
  for (unsigned p = 0; p < parts_of(type); ++p) {
    const Ymm x = values_.in(step.in[0], p);
    const Ymm to = values_.temporary();
    const Ymm y = by_constant ? values_.temporary() : values_.in(step.in[1], p);
    if (by_constant) code_.vmovdqa(y, constants_(width_of(type), step.m));
    if (type == Type::i16) {
      code_.vpmullw(to, x, y);
    } else if (type == Type::i32) {
      code_.vpmulld(to, x, y);
    } else {
      multiply_i64(to, x, y);
    }
    if (by_constant) values_.drop(y);
    values_.define(step.out, p, to);
    values_.release();
  }
}

void NativeSteps::multiply_i64(const Ymm& to, const Ymm& x, const Ymm& y) {
  const Ymm high = values_.temporary();
  code_.vpsrlq(high, x, 32);
  code_.vpmuludq(high, high, y);
  code_.vpsrlq(to, y, 32);
  code_.vpmuludq(to, to, x);
  code_.vpaddq(to, to, high);
  code_.vpsllq(to, to, 32);
  code_.vpmuludq(high, x, y);
  code_.vpaddq(to, to, high);
  values_.drop(high);
}

void NativeSteps::multiply_long(const DraftStep& step) {
  const bool by_sign = is_signed(step.choice.code);
  if (step.choice.from == Type::i16) {
    const Ymm x = values_.in(step.in[0], 0);
    const Xbyak::Operand& y = values_.operand(step.in[1], 0);
    const Parts t = temporaries(3);
    code_.vpmullw(t[0], x, y);
    by_sign ? code_.vpmulhw(t[1], x, y) : code_.vpmulhuw(t[1], x, y);
    code_.vpunpckhwd(t[2], t[0], t[1]);
    code_.vpunpcklwd(t[0], t[0], t[1]);
    return define(step.out, {t[0], t[2]});
  }
  for (unsigned p = 0; p < 2; ++p) {
    const Ymm x = values_.in(step.in[0], p);
    const Ymm y = values_.in(step.in[1], p);
    const Parts t = temporaries(3);
    const auto times = [&](const Ymm& to) {
      by_sign ? code_.vpmuldq(to, to, t[2]) : code_.vpmuludq(to, to, t[2]);
    };
    code_.vpunpckldq(t[0], x, x);
    code_.vpunpckldq(t[2], y, y);
    times(t[0]);
    code_.vpunpckhdq(t[1], x, x);
    code_.vpunpckhdq(t[2], y, y);
    times(t[1]);
    values_.drop(t[2]);
    values_.define(step.out, 2 * p, t[0]);
    values_.define(step.out, 2 * p + 1, t[1]);
    values_.release();
  }
}

void NativeSteps::absolute(const DraftStep& step) {
  const Type type = step.choice.to;
  for (unsigned p = 0; p < parts_of(type); ++p) {
    const Ymm x = values_.in(step.in[0], p);
    const Ymm to = values_.temporary();
    if (type == Type::i16) {
      code_.vpabsw(to, x);
    } else if (type == Type::i32) {
      code_.vpabsd(to, x);
    } else {
      const Ymm sign = values_.temporary();
      code_.vpxor(sign, sign, sign);
      code_.vpcmpgtq(sign, sign, x);
      code_.vpxor(to, x, sign);
      code_.vpsubq(to, to, sign);
      values_.drop(sign);
    }
    values_.define(step.out, p, to);
    values_.release();
  }
}

void NativeSteps::negate(const DraftStep& step) {
  const Type type = step.choice.to;
  const Parts negated = masks(step.in[0], step.choice.code == Code::negate_unless, type);
  for (unsigned p = 0; p < parts_of(type); ++p) {
    const Ymm to = values_.temporary();
    code_.vpxor(to, negated[p], values_.operand(step.in[1], p));
    subtract(type, to, to, negated[p]);
    values_.drop(negated[p]);
    values_.define(step.out, p, to);
    values_.release();
  }
}

void NativeSteps::select(const DraftStep& step) {
  const Type type = step.choice.to;
  const bool as_it_is = parts_of(type) == 1;
  const Parts condition =
      as_it_is ? Parts{values_.in(step.in[0], 0)} : masks(step.in[0], false, type);
  for (unsigned p = 0; p < parts_of(type); ++p) {
    const Ymm no = values_.in(step.in[2], p);
    const Ymm to = values_.temporary();
    code_.vpblendvb(to, no, values_.operand(step.in[1], p), condition[p]);
    if (!as_it_is) values_.drop(condition[p]);
    values_.define(step.out, p, to);
    values_.release();
  }
}

void NativeSteps::extremum(const DraftStep& step) {
  const Type type = step.choice.to;
  for (unsigned p = 0; p < parts_of(type); ++p) {
    const Ymm to = values_.temporary();
    Ymm best = values_.in(step.in[0], p);
    for (std::size_t i = 1; i < step.in.size(); ++i) {
      better(step.choice.code, type, to, best, values_.operand(step.in[i], p));
      best = to;
    }
    values_.define(step.out, p, to);
    values_.release();
  }
}

void NativeSteps::better(Code code, Type type, const Ymm& to, const Ymm& x,
                         const Xbyak::Operand& y) {
  const bool largest = code == Code::maximum_s || code == Code::maximum_u;
  const bool by_sign = is_signed(code);
  if (type == Type::i16) {
    if (largest) return by_sign ? code_.vpmaxsw(to, x, y) : code_.vpmaxuw(to, x, y);
    return by_sign ? code_.vpminsw(to, x, y) : code_.vpminuw(to, x, y);
  }
  if (type == Type::i32) {
    if (largest) return by_sign ? code_.vpmaxsd(to, x, y) : code_.vpmaxud(to, x, y);
    return by_sign ? code_.vpminsd(to, x, y) : code_.vpminud(to, x, y);
  }
  const Ymm takes_y = values_.temporary();
  const Ymm other = values_.temporary();
  const Xbyak::Address flip = constants_(64, std::uint64_t{by_sign ? 0U : 1U} << 63);
  code_.vmovdqa(other, flip);
  code_.vpxor(takes_y, x, other);
  code_.vpxor(other, other, y);
  largest ? code_.vpcmpgtq(takes_y, other, takes_y) : code_.vpcmpgtq(takes_y, takes_y, other);
  code_.vpblendvb(to, x, y, takes_y);
  values_.drop(takes_y);
  values_.drop(other);
}

}  // namespace mmaspec::batch
