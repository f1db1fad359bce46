#pragma once
/// Random bitvector terms.

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "encoder/bitvector.h"

namespace mmaspec::rtl {

/// Random terms over variables of a few bits in all, with words of 1 to 200 bits.
class RandomTerms {
 public:
  explicit RandomTerms(unsigned seed) : random_(seed) {
    for (unsigned bits = 2 + below(9); bits > 0;) {
      const unsigned width = 1 + below(std::min(bits, 5U));
      const std::string name = "v" + std::to_string(words_.size());
      words_.push_back(terms.variable(name, width));
      variables.emplace_back(name, width);
      bits -= width;
    }
    for (int i = 0; i < 60; ++i) add();
  }

  TermId assertion() { return terms.bool_and({boolean(), terms.bool_or(boolean(), boolean())}); }

  BvTerms terms;
  std::vector<std::pair<std::string, unsigned>> variables;

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  TermId word() { return words_[below(static_cast<unsigned>(words_.size()))]; }
  /// A word of some width, made so.
  TermId word(unsigned width) {
    const TermId x = word();
    const unsigned from = terms.width(x);
    if (from == width) return x;
    if (from > width) {
      const unsigned low = below(from - width + 1);
      return terms.extract(x, low + width - 1, low);
    }
    return below(2) == 0 ? terms.zero_extend(x, width) : terms.sign_extend(x, width);
  }
  TermId boolean() {
    const TermId x = word();
    const TermId y = word(terms.width(x));
    switch (below(5)) {
      case 0:
        return terms.eq(x, y);
      case 1:
        return terms.ult(x, y);
      case 2:
        return terms.slt(x, y);
      case 3:
        return terms.bool_not(terms.bool_xor(terms.ult(x, y), terms.slt(y, x)));
      default:
        return terms.from_bit(terms.extract(x, 0, 0));
    }
  }
  void add() {
    const unsigned width = below(4) == 0 ? 1 + below(200) : 1 + below(70);
    const TermId x = word(width);
    const TermId y = word(width);
    switch (below(8)) {
      case 0:
        words_.push_back(terms.add(x, y));
        break;
      case 1:
        words_.push_back(terms.mul(x, y));
        break;
      case 2:
        words_.push_back(terms.bv_not(x));
        break;
      case 3:
        words_.push_back(terms.bv_xor(x, y));
        break;
      case 4:
        words_.push_back(terms.ite(boolean(), x, y));
        break;
      case 5:
        if (width < 100) words_.push_back(terms.concat(x, y));
        break;
      case 6:
        words_.push_back(terms.add(x, terms.constant(Integer(random_()) << below(60), width)));
        break;
      default:
        words_.push_back(terms.to_bit(boolean()));
        break;
    }
  }

  std::mt19937_64 random_;
  std::vector<TermId> words_;
};

}  // namespace mmaspec::rtl
