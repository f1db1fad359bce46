#pragma once
/// Bitvector terms: the output of the encoder and the input of solvers. The operations have the
/// names and meanings of SMT-LIB 2's QF_BV.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "spec/lang/integer.h"
#include "util/intern_table.h"

namespace mmaspec {

using TermId = std::uint32_t;

enum class BvOp : std::uint8_t {
  bool_constant,
  constant,
  variable,
  bool_not,
  bool_and,
  bool_or,
  bool_xor,
  eq,
  ult,
  slt,
  ite,
  bv_not,
  bv_and,
  bv_or,
  bv_xor,
  add,
  mul,
  concat,
  extract,
  zero_extend,
  sign_extend,
};

/// The operation's name in SMT-LIB 2; empty for constants and variables.
std::string_view smtlib_name(BvOp op);

struct BvTerm {
  BvOp op;
  std::uint32_t width;       ///< bits; 0 for a Boolean
  std::vector<TermId> args;  ///< two of the same sort for binary operations; any number for
                             ///< bool_and
  Integer value = 0;         ///< constants
  std::uint32_t low = 0;     ///< extract: the lowest bit taken
  std::string name = {};     ///< variable
};

/// Bitvector terms, hash-consed and simplified on construction. The id of an argument is less than
/// that of the term.
class BvTerms {
 public:
  const BvTerm& operator[](TermId id) const { return terms_[id]; }
  std::size_t size() const { return terms_.size(); }

  TermId boolean(bool value);
  TermId constant(const Integer& value, unsigned width);  ///< value modulo 2^width
  TermId variable(const std::string& name, unsigned width);

  TermId bool_not(TermId x);
  TermId bool_and(std::vector<TermId> x);
  TermId bool_or(TermId x, TermId y);
  TermId bool_xor(TermId x, TermId y);

  TermId eq(TermId x, TermId y);
  TermId ult(TermId x, TermId y);
  TermId slt(TermId x, TermId y);
  TermId ite(TermId condition, TermId yes, TermId no);

  TermId bv_not(TermId x);
  TermId bv_xor(TermId x, TermId y);
  TermId add(TermId x, TermId y);
  TermId mul(TermId x, TermId y);
  TermId concat(TermId high, TermId low);
  TermId extract(TermId x, unsigned high, unsigned low);
  TermId zero_extend(TermId x, unsigned width);  ///< to a total of `width` bits
  TermId sign_extend(TermId x, unsigned width);

  unsigned width(TermId x) const { return terms_[x].width; }
  /// x * 2^n modulo 2^width(x).
  TermId shift_left(TermId x, unsigned n);
  /// Converts a Boolean to one bit, and back.
  TermId to_bit(TermId condition);
  TermId from_bit(TermId bit);

  /// All terms on which `roots` depend, ascending.
  std::vector<TermId> cone(const std::vector<TermId>& roots) const;

 private:
  TermId make(BvTerm term);
  bool is_constant(TermId x) const {
    return terms_[x].op == BvOp::constant || terms_[x].op == BvOp::bool_constant;
  }
  bool is_value(TermId x, const Integer& value) const {
    return is_constant(x) && terms_[x].value == value;
  }

  std::vector<BvTerm> terms_;
  InternTable unique_;
};

}  // namespace mmaspec
