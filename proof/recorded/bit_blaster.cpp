#include "proof/recorded/bit_blaster.h"

#include <stdexcept>

#include "proof/sat/circuit.h"

namespace mmaspec {
namespace {

/// Least significant bit first; one literal for a Boolean.
using Word = std::vector<CnfLiteral>;

class Blaster {
 public:
  explicit Blaster(const Query& query) : terms_(*query.terms), words_(terms_.size()) {
    for (const TermId id : terms_.cone(query.assertions)) words_[id] = word_of(terms_[id]);
    for (const TermId a : query.assertions) circuit_.assert_true(words_[a][0]);
  }

  Cnf cnf() { return std::move(circuit_.cnf()); }

 private:
  static CnfLiteral literal(bool value) { return value ? Circuit::kTrue : Circuit::kFalse; }

  template <typename Gate>
  static Word each(const Word& x, const Word& y, const Gate& gate) {
    Word out;
    for (std::size_t i = 0; i < x.size(); ++i) out.push_back(gate(x[i], y[i]));
    return out;
  }

  Word variable(const BvTerm& t) {
    Word out;
    std::string bits = t.name;
    for (std::uint32_t i = 0; i < t.width; ++i) {
      out.push_back(circuit_.input());
      bits += " " + std::to_string(out.back());
    }
    circuit_.cnf().comments.push_back(std::move(bits));
    return out;
  }

  Word sum(const Word& x, const Word& y) {
    Word out;
    CnfLiteral carry = Circuit::kFalse;
    for (std::size_t i = 0; i < x.size(); ++i) {
      out.push_back(circuit_.parity(circuit_.parity(x[i], y[i]), carry));
      if (i + 1 < x.size()) carry = circuit_.majority(x[i], y[i], carry);
    }
    return out;
  }

  /// Adds, for each set bit i of x, y shifted left by i.
  Word product(const Word& x, const Word& y) {
    const std::size_t w = x.size();
    Word out(w, Circuit::kFalse);
    for (std::size_t i = 0; i < w; ++i) {
      if (x[i] == Circuit::kFalse) continue;
      Word row(w, Circuit::kFalse);
      for (std::size_t j = 0; i + j < w; ++j) row[i + j] = circuit_.conjunction(x[i], y[j]);
      out = sum(out, row);
    }
    return out;
  }

  CnfLiteral less(const Word& x, const Word& y) {
    CnfLiteral lower = Circuit::kFalse;  // for the lower bits
    for (std::size_t i = 0; i < x.size(); ++i) lower = circuit_.majority(-x[i], y[i], lower);
    return lower;
  }

  CnfLiteral equal(const Word& x, const Word& y) {
    return circuit_.conjunction(
        each(x, y, [&](CnfLiteral p, CnfLiteral q) { return -circuit_.parity(p, q); }));
  }

  Word word_of(const BvTerm& t) {
    const auto arg = [&](std::size_t i) -> const Word& { return words_[t.args[i]]; };
    const auto bit = [&](std::size_t i) { return words_[t.args[i]][0]; };
    switch (t.op) {
      case BvOp::bool_constant:
        return {literal(t.value != 0)};
      case BvOp::constant: {
        Word out;
        for (std::uint32_t i = 0; i < t.width; ++i) {
          out.push_back(literal(boost::multiprecision::bit_test(t.value, i)));
        }
        return out;
      }
      case BvOp::variable:
        return variable(t);
      case BvOp::bool_not:
        return {-bit(0)};
      case BvOp::bool_and: {
        Word all;
        for (const TermId a : t.args) all.push_back(words_[a][0]);
        return {circuit_.conjunction(std::move(all))};
      }
      case BvOp::bool_or:
        return {circuit_.disjunction(bit(0), bit(1))};
      case BvOp::bool_xor:
        return {circuit_.parity(bit(0), bit(1))};
      case BvOp::eq:
        return {equal(arg(0), arg(1))};
      case BvOp::ult:
        return {less(arg(0), arg(1))};
      case BvOp::slt: {
        Word x = arg(0);
        Word y = arg(1);
        std::swap(x.back(), y.back());  // a set sign bit means less
        return {less(x, y)};
      }
      case BvOp::ite:
        return each(arg(1), arg(2),
                    [&](CnfLiteral p, CnfLiteral q) { return circuit_.choice(bit(0), p, q); });
      case BvOp::bv_not: {
        Word out = arg(0);
        for (CnfLiteral& x : out) x = -x;
        return out;
      }
      case BvOp::bv_and:
        return each(arg(0), arg(1),
                    [&](CnfLiteral p, CnfLiteral q) { return circuit_.conjunction(p, q); });
      case BvOp::bv_or:
        return each(arg(0), arg(1),
                    [&](CnfLiteral p, CnfLiteral q) { return circuit_.disjunction(p, q); });
      case BvOp::bv_xor:
        return each(arg(0), arg(1),
                    [&](CnfLiteral p, CnfLiteral q) { return circuit_.parity(p, q); });
      case BvOp::add:
        return sum(arg(0), arg(1));
      case BvOp::mul:
        return product(arg(0), arg(1));
      case BvOp::concat: {
        Word out = arg(1);
        out.insert(out.end(), arg(0).begin(), arg(0).end());
        return out;
      }
      case BvOp::extract: {
        const auto first = arg(0).begin() + t.low;
        return {first, first + t.width};
      }
      case BvOp::zero_extend:
      case BvOp::sign_extend: {
        Word out = arg(0);
        const CnfLiteral above = t.op == BvOp::zero_extend ? Circuit::kFalse : out.back();
        out.resize(t.width, above);
        return out;
      }
    }
    throw std::logic_error("no such operation");
  }

  const BvTerms& terms_;
  Circuit circuit_;
  std::vector<Word> words_;
};

}  // namespace

Cnf bit_blast(const Query& query) { return Blaster(query).cnf(); }

}  // namespace mmaspec
