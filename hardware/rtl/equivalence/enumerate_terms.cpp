#include "hardware/rtl/equivalence/enumerate_terms.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <vector>

namespace mmaspec::rtl {
namespace {

/// Values of the variables that are evaluated together differ in their lowest bits.
constexpr unsigned kLaneBits = 8;
constexpr std::size_t kLanes = std::size_t{1} << kLaneBits;

constexpr unsigned kMostVariableBits = 40;  // for all variables; `work` is the lower limit

using LaneWord = std::uint64_t;
__extension__ using UInt128 = unsigned __int128;
constexpr unsigned kLaneWordBits = 64;

std::size_t lane_words(unsigned width) {
  return std::max(1U, (width + kLaneWordBits - 1) / kLaneWordBits);
}

/// A program for the terms of one cone. A value of w bits has lane_words(w) words, lowest first,
/// each of kLanes lanes; bits beyond the width are 0.
class TermProgram {
 public:
  TermProgram(const BvTerms& terms, TermId assertion)
      : terms_(terms), cone_(terms.cone({assertion})) {
    for (const TermId id : cone_) {
      places_[id] = values_words_;
      values_words_ += lane_words(terms_[id].width);
      if (terms_[id].op != BvOp::variable) continue;
      first_bit_[id] = bits_;
      bits_ += terms_[id].width;
    }
  }

  unsigned bits() const { return bits_; }
  std::size_t words() const { return values_words_; }

  std::optional<Answer> run(const Deadline& deadline) {
    values_.assign(values_words_ * kLanes, 0);
    find_dependences();
    const std::uint64_t blocks = std::uint64_t{1} << (std::max(bits_, kLaneBits) - kLaneBits);
    const std::size_t lanes = std::size_t{1} << std::min(bits_, kLaneBits);
    Answer answer;
    answer.solver = "enumeration";
    for (std::uint64_t block = 0; block < blocks; ++block) {
      if (block % 64 == 0 && deadline.passed()) return std::nullopt;
      // Terms keep their values if their variables have the same values as in the previous block.
      const std::uint64_t changed = block == 0 ? ~std::uint64_t{0} : block ^ (block - 1);
      for (std::size_t i = 0; i < cone_.size(); ++i) {
        if (block == 0 || (dependences_[i] & changed) != 0) evaluate(cone_[i], block);
      }
      const LaneWord* result = at(cone_.back());
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        if (result[lane] == 0) continue;
        answer.verdict = Verdict::satisfiable;
        for (const auto& [id, bit] : first_bit_) answer.model[terms_[id].name] = value(id, lane);
        return answer;
      }
    }
    answer.verdict = Verdict::unsatisfiable;
    return answer;
  }

 private:
  LaneWord* at(TermId id) { return values_.data() + places_.at(id) * kLanes; }

  Integer value(TermId id, std::size_t lane) {
    Integer x = 0;
    for (std::size_t w = lane_words(terms_[id].width); w-- > 0;) {
      x = (x << kLaneWordBits) | Integer(at(id)[w * kLanes + lane]);
    }
    return x;
  }

  /// For each term, the bits of the block's number on which its variables depend.
  void find_dependences() {
    std::map<TermId, std::uint64_t> of;
    for (const TermId id : cone_) {
      const BvTerm& t = terms_[id];
      std::uint64_t all = 0;
      for (const TermId a : t.args) all |= of.at(a);
      if (t.op == BvOp::variable) {
        for (unsigned i = 0; i < t.width; ++i) {
          const unsigned bit = first_bit_.at(id) + i;
          if (bit >= kLaneBits) all |= std::uint64_t{1} << (bit - kLaneBits);
        }
      }
      of[id] = all;
      dependences_.push_back(all);
    }
  }

  void evaluate(TermId id, std::uint64_t block) {
    const BvTerm& t = terms_[id];
    LaneWord* const out = at(id);
    const std::size_t words = lane_words(t.width);
    const auto arg = [&](std::size_t i) -> const LaneWord* { return at(t.args[i]); };
    const auto width_of_arg = [&](std::size_t i) { return terms_.width(t.args[i]); };
    const auto each = [&](auto&& of) {
      for (std::size_t j = 0; j < words * kLanes; ++j) out[j] = of(j);
    };
    switch (t.op) {
      case BvOp::bool_constant:
      case BvOp::constant: {
        for (std::size_t w = 0; w < words; ++w) {
          const Integer part = (t.value >> static_cast<unsigned>(w * kLaneWordBits)) &
                               (power_of_two(kLaneWordBits) - 1);
          std::fill_n(out + w * kLanes, kLanes, part.convert_to<LaneWord>());
        }
        return;
      }
      case BvOp::variable: {
        const unsigned first = first_bit_.at(id);
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
          // If there are more lanes than values, some values are repeated.
          const std::uint64_t index = (block << kLaneBits) | lane;
          out[lane] = (index >> first) & (~LaneWord{0} >> (kLaneWordBits - t.width));
        }
        return;
      }
      case BvOp::bool_not: {
        const LaneWord* x = arg(0);
        each([&](std::size_t j) { return x[j] ^ 1; });
        return;
      }
      case BvOp::bool_and: {
        each([&](std::size_t) { return LaneWord{1}; });
        for (std::size_t i = 0; i < t.args.size(); ++i) {
          const LaneWord* x = arg(i);
          for (std::size_t j = 0; j < kLanes; ++j) out[j] &= x[j];
        }
        return;
      }
      case BvOp::bool_or:
      case BvOp::bv_or: {
        const LaneWord* x = arg(0);
        const LaneWord* y = arg(1);
        each([&](std::size_t j) { return x[j] | y[j]; });
        return;
      }
      case BvOp::bool_xor:
      case BvOp::bv_xor: {
        const LaneWord* x = arg(0);
        const LaneWord* y = arg(1);
        each([&](std::size_t j) { return x[j] ^ y[j]; });
        return;
      }
      case BvOp::bv_and: {
        const LaneWord* x = arg(0);
        const LaneWord* y = arg(1);
        each([&](std::size_t j) { return x[j] & y[j]; });
        return;
      }
      case BvOp::bv_not: {
        const LaneWord* x = arg(0);
        each([&](std::size_t j) { return ~x[j]; });
        return cut(out, t.width);
      }
      case BvOp::eq:
        return equal(out, arg(0), arg(1), lane_words(width_of_arg(0)));
      case BvOp::ult:
        return less(out, arg(0), arg(1), width_of_arg(0), false);
      case BvOp::slt:
        return less(out, arg(0), arg(1), width_of_arg(0), true);
      case BvOp::ite: {
        const LaneWord* c = arg(0);
        const LaneWord* x = arg(1);
        const LaneWord* y = arg(2);
        for (std::size_t w = 0; w < words; ++w) {
          for (std::size_t lane = 0; lane < kLanes; ++lane) {
            const std::size_t j = w * kLanes + lane;
            const LaneWord mask = LaneWord{0} - c[lane];
            out[j] = (x[j] & mask) | (y[j] & ~mask);
          }
        }
        return;
      }
      case BvOp::add:
        add(out, arg(0), arg(1), words);
        return cut(out, t.width);
      case BvOp::mul:
        multiply(out, arg(0), arg(1), words);
        return cut(out, t.width);
      case BvOp::concat:
        copy(out, words, arg(1), lane_words(width_of_arg(1)));
        return put_above(out, words, arg(0), lane_words(width_of_arg(0)), width_of_arg(1));
      case BvOp::extract:
        extract(out, words, arg(0), lane_words(width_of_arg(0)), t.low);
        return cut(out, t.width);
      case BvOp::zero_extend:
        return copy(out, words, arg(0), lane_words(width_of_arg(0)));
      case BvOp::sign_extend:
        return sign_extend(out, t.width, arg(0), width_of_arg(0));
    }
    throw std::logic_error("no such operation");
  }

  /// Clears the bits beyond the width.
  static void cut(LaneWord* out, unsigned width) {
    const unsigned rest = width % kLaneWordBits;
    if (rest == 0) return;
    LaneWord* const last = out + (lane_words(width) - 1) * kLanes;
    const LaneWord mask = (LaneWord{1} << rest) - 1;
    for (std::size_t lane = 0; lane < kLanes; ++lane) last[lane] &= mask;
  }

  static void copy(LaneWord* out, std::size_t words, const LaneWord* x, std::size_t x_words) {
    for (std::size_t w = 0; w < words; ++w) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        out[w * kLanes + lane] = w < x_words ? x[w * kLanes + lane] : 0;
      }
    }
  }

  /// Adds x's bits to `out`, whose bits from `low` are 0.
  static void put_above(LaneWord* out, std::size_t words, const LaneWord* x, std::size_t x_words,
                        unsigned low) {
    const std::size_t skipped = low / kLaneWordBits;
    const unsigned shift = low % kLaneWordBits;
    for (std::size_t w = 0; w < x_words; ++w) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const LaneWord value = x[w * kLanes + lane];
        out[(skipped + w) * kLanes + lane] |= value << shift;
        if (shift != 0 && skipped + w + 1 < words) {
          out[(skipped + w + 1) * kLanes + lane] |= value >> (kLaneWordBits - shift);
        }
      }
    }
  }

  static void extract(LaneWord* out, std::size_t words, const LaneWord* x, std::size_t x_words,
                      unsigned low) {
    const std::size_t skipped = low / kLaneWordBits;
    const unsigned shift = low % kLaneWordBits;
    for (std::size_t w = 0; w < words; ++w) {
      const std::size_t from = skipped + w;
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        LaneWord value = from < x_words ? x[from * kLanes + lane] >> shift : 0;
        if (shift != 0 && from + 1 < x_words) {
          value |= x[(from + 1) * kLanes + lane] << (kLaneWordBits - shift);
        }
        out[w * kLanes + lane] = value;
      }
    }
  }

  static void sign_extend(LaneWord* out, unsigned width, const LaneWord* x, unsigned x_width) {
    const std::size_t words = lane_words(width);
    const std::size_t x_words = lane_words(x_width);
    copy(out, words, x, x_words);
    const unsigned sign = (x_width - 1) % kLaneWordBits;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const LaneWord top = x[(x_words - 1) * kLanes + lane];
      if ((top >> sign & 1) == 0) continue;
      out[(x_words - 1) * kLanes + lane] = top | ~((LaneWord{2} << sign) - 1);
      for (std::size_t w = x_words; w < words; ++w) out[w * kLanes + lane] = ~LaneWord{0};
    }
    cut(out, width);
  }

  static void equal(LaneWord* out, const LaneWord* x, const LaneWord* y, std::size_t words) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) out[lane] = x[lane] == y[lane] ? 1 : 0;
    for (std::size_t j = kLanes; j < words * kLanes; ++j) {
      out[j % kLanes] &= x[j] == y[j] ? 1 : 0;
    }
  }

  static void less(LaneWord* out, const LaneWord* x, const LaneWord* y, unsigned width,
                   bool is_signed) {
    const std::size_t words = lane_words(width);
    const LaneWord flip = is_signed ? LaneWord{1} << ((width - 1) % kLaneWordBits) : 0;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      LaneWord result = 0;
      for (std::size_t w = 0; w < words; ++w) {  // the highest word is compared last
        const LaneWord of_word = w + 1 == words ? flip : 0;
        const LaneWord p = x[w * kLanes + lane] ^ of_word;
        const LaneWord q = y[w * kLanes + lane] ^ of_word;
        result = p == q ? result : (p < q ? 1 : 0);
      }
      out[lane] = result;
    }
  }

  static void add(LaneWord* out, const LaneWord* x, const LaneWord* y, std::size_t words) {
    if (words == 1) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) out[lane] = x[lane] + y[lane];
      return;
    }
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      LaneWord carry = 0;
      for (std::size_t w = 0; w < words; ++w) {
        const std::size_t j = w * kLanes + lane;
        const LaneWord sum = x[j] + y[j];
        out[j] = sum + carry;
        carry = (sum < x[j] ? 1 : 0) | (out[j] < sum ? 1 : 0);
      }
    }
  }

  static void multiply(LaneWord* out, const LaneWord* x, const LaneWord* y, std::size_t words) {
    if (words == 1) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) out[lane] = x[lane] * y[lane];
      return;
    }
    std::vector<LaneWord> product(words);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      std::fill(product.begin(), product.end(), 0);
      for (std::size_t i = 0; i < words; ++i) {
        LaneWord carry = 0;
        for (std::size_t k = 0; i + k < words; ++k) {
          const UInt128 p = static_cast<UInt128>(x[i * kLanes + lane]) * y[k * kLanes + lane] +
                            product[i + k] + carry;
          product[i + k] = static_cast<LaneWord>(p);
          carry = static_cast<LaneWord>(p >> kLaneWordBits);
        }
      }
      for (std::size_t w = 0; w < words; ++w) out[w * kLanes + lane] = product[w];
    }
  }

  const BvTerms& terms_;
  const std::vector<TermId> cone_;  ///< the assertion is last
  std::map<TermId, std::size_t> places_;
  std::map<TermId, unsigned> first_bit_;  ///< of a variable, in the counter
  std::size_t values_words_ = 0;
  unsigned bits_ = 0;
  std::vector<LaneWord> values_;
  std::vector<std::uint64_t> dependences_;
};

}  // namespace

std::optional<Answer> enumerate_terms(const BvTerms& terms, TermId assertion, std::size_t work,
                                      const Deadline& deadline) {
  TermProgram program(terms, assertion);
  const unsigned bits = std::max(program.bits(), kLaneBits);
  if (bits > kMostVariableBits || program.words() > (work >> bits)) return std::nullopt;
  return program.run(deadline);
}

}  // namespace mmaspec::rtl
