#include "queries/error_bounds/decoded_operands.h"

#include <algorithm>
#include <array>
#include <optional>

#include "spec/formats/unpack.h"
#include "spec/parts/terms.h"

namespace mmaspec {
namespace {

/// A method to read an operand.
struct Reading {
  Int (*pattern)(const Format&, Int);
  Unpacked (*number)(const Format&, Int);
};

Int as_it_is(const Format&, Int pattern) { return pattern; }

/// Methods that use others precede them.
constexpr auto kReadings = std::to_array<Reading>({
    {flush_subnormal, unpack_normalized},
    {flush_subnormal, unpack},
    {subnormal_as_zero, unpack_normalized},
    {subnormal_as_zero, unpack},
    {as_it_is, unpack_normalized},
    {as_it_is, unpack},
});

struct ReadOperand {
  Unpacked number;
  bool may_be_zero_instead;
  Integer least;  ///< lower bound of a nonzero significand
};

/// Finds how a result reads its operands.
class Readings {
 public:
  Readings(NodeId result, LossLemmas& lemmas)
      : cone_(lemmas.graph().cone({result})), lemmas_(lemmas) {}

  bool is_made_of(Int x) const {
    return !x.is_constant() && std::binary_search(cone_.begin(), cone_.end(), x.id());
  }

  /// nullopt: the lemmas do not confirm it.
  std::optional<ReadOperand> read(const Format& format, Int pattern, const Reading& by) {
    const Unpacked plain = unpack(format, pattern);
    const Unpacked number = by.number(format, by.pattern(format, pattern));
    ReadOperand result{number, false, 0};
    const Bool finite = plain.is_finite();
    const BinaryRational as_read = scaled_number(format, number);
    const BinaryRational exact = scaled_number(format, plain);
    const auto differs = [&](const View& view) {
      return view.of(finite) && is_off_by_more(view.of(as_read), view.of(exact), 0, 0);
    };
    if (!lemmas_.is_unsat("an operand is read as it is", differs, {})) {
      result.may_be_zero_instead = lemmas_.is_unsat(
          "an operand is read as it is, or as zero",
          [&](const View& view) { return differs(view) && view.of(number.significand) != 0; }, {});
      if (!result.may_be_zero_instead) return std::nullopt;
    }
    if (by.number == unpack_normalized) {
      const Integer least = power_of_two(static_cast<unsigned>(format.fraction_bits));
      const bool proved =
          lemmas_.is_unsat("an operand is normalised",
                           [&](const View& view) {
                             const Int significand = view.of(number.significand);
                             return view.of(finite) && significand != 0 && significand < least;
                           },
                           {});
      if (proved) result.least = least;
    }
    return result;
  }

 private:
  std::vector<NodeId> cone_;
  LossLemmas& lemmas_;
};

class OperandsRead {
 public:
  OperandsRead(const DotFormats& formats, NodeId result, LossLemmas& lemmas)
      : formats_(formats), in_(dot_inputs(formats)), result_(result), lemmas_(lemmas) {}

  void add_to(ExactNumbers& numbers, const Magnitude& size) {
    for (std::size_t k = 0; k < in_.a.size(); ++k) add_product(numbers, size, k);
    const DecodedOperand c = number_as_read(*formats_.c, in_.c, result_, lemmas_);
    numbers.add({c.value, {in_.c.id()}, size, c.may_be_zero_instead ? size.value : Rational(0)});
  }

 private:
  void add_product(ExactNumbers& numbers, const Magnitude& size, std::size_t k) {
    const auto product = [&](const Unpacked& a, const Unpacked& b) {
      UnpackedOperands x = unpacked_;
      x.a[k] = a;
      x.b[k] = b;
      return scaled_product(formats_, x, k);
    };
    const auto number_of = [&](const Term& t, const Rational& error) {
      return ExactNumber{{negate_if(t.sign, t.significand), t.exponent, -t.fraction_bits},
                         {in_.a[k].id(), in_.b[k].id()},
                         size,
                         error};
    };
    for (const Reading& by : kReadings) {
      const auto of = [&](const Format& format, Int x) {
        return by.number(format, by.pattern(format, x));
      };
      const Term t = product(of(*formats_.a, in_.a[k]), of(*formats_.b, in_.b[k]));
      if (!readings_.is_made_of(t.significand)) continue;
      const auto a = readings_.read(*formats_.a, in_.a[k], by);
      const auto b = a ? readings_.read(*formats_.b, in_.b[k], by) : std::nullopt;
      if (!b) continue;
      const Integer least = a->least * b->least;
      if (formats_.scale == nullptr && least > 0) {
        lemmas_.keep(t.significand == 0 || t.significand >= least);
      }
      const bool may_be_zero_instead = a->may_be_zero_instead || b->may_be_zero_instead;
      numbers.add(number_of(t, may_be_zero_instead ? size.value : Rational(0)));
      return;
    }
    numbers.add(number_of(product(unpacked_.a[k], unpacked_.b[k]), 0));
  }

  const DotFormats& formats_;
  const DotOperands in_;
  const UnpackedOperands unpacked_ = unpack(formats_, in_);
  const NodeId result_;
  LossLemmas& lemmas_;
  Readings readings_{result_, lemmas_};
};

}  // namespace

DecodedOperand number_as_read(const Format& format, Int pattern, NodeId result,
                              LossLemmas& lemmas) {
  Readings readings(result, lemmas);
  for (const Reading& by : kReadings) {
    const Unpacked number = by.number(format, by.pattern(format, pattern));
    if (!readings.is_made_of(number.significand)) continue;
    const auto known = readings.read(format, pattern, by);
    if (known) return {scaled_number(format, number), known->may_be_zero_instead};
  }
  return {scaled_number(format, pattern), false};
}

void add_operands_as_read(ExactNumbers& numbers, const DotFormats& formats, const Magnitude& size,
                          NodeId result, LossLemmas& lemmas) {
  OperandsRead(formats, result, lemmas).add_to(numbers, size);
}

}  // namespace mmaspec
