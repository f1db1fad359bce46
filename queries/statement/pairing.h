#pragma once
/// Adapts instructions to a given K, and pairs two instructions for questions about both.

#include <stdexcept>
#include <string>

#include "concrete/dot/model.h"
#include "spec/catalog/instruction.h"

namespace mmaspec {

/// The instruction executed K / k times in chained accumulation: each result is the next step's c.
/// The result is the same design with a longer K if the design allows that, else a design of the
/// type Chained. Throws std::invalid_argument unless k divides K and c's format equals d's.
Instruction chained(const Instruction& instruction, int k);

/// The instruction for matrices with K = k: chained to the smallest multiple of its own K that is
/// at least k.
Instruction for_matrices(const Instruction& instruction, std::size_t k);

/// The instruction with +0 * +0 for all products from index `k` on: a design of the type Padded.
/// Not applicable to instructions with block scale factors.
Instruction shortened(const Instruction& instruction, int k);

/// The instruction for any K: chained as often as K requires, with +0 * +0 for the unused products
/// of the last step. Throws std::invalid_argument if chained() does for the next multiple, or if
/// zero products are needed and the instruction has block scale factors.
Instruction of_length(const Instruction& instruction, int k);

/// A clause that describes what of_length() did: how often the instruction executes, and which
/// products are +0 * +0. Empty if K is the instruction's own.
std::string length_note(const Instruction& instruction, int k);

/// For a design of the type Padded: "+0 * +0 for products 1003 to 1007", counted from 0. Else
/// empty.
std::string zero_products(const Instruction& instruction);

/// How inputs of two instructions correspond if their formats differ.
enum class Match { values, bits };

struct PairOptions {
  bool pad = false;  ///< set the other inputs of the longer instruction to zero instead of chaining
                     ///< the shorter
  int chain = 0;     ///< chain both to this K; 0: to the longer one's K
  Match match = Match::values;
};

/// Two instructions adapted to the same K.
struct Pair {
  Instruction first;
  Instruction second;
  std::string note;  ///< what was changed to make K equal; empty: nothing
};

/// Throws std::invalid_argument with a one-line message if they cannot be compared.
Pair pair_up(const Instruction& first, const Instruction& second, const PairOptions& options);

/// The operands in the formats `y` that correspond to operands in the formats `x`, in the current
/// graph.
struct CounterpartOperands {
  DotOperands operands;
  Bool comparable;  ///< true if `y` can represent all of them
};
CounterpartOperands counterpart(const DotFormats& x, const DotOperands& operands,
                                const DotFormats& y, Match match);

/// Both instructions in the current graph on common inputs, which are patterns of the first one's
/// formats.
struct Miter {
  Int d_first;
  Int d_second;
  Bool comparable;  ///< true if the second one's formats can represent all inputs
};
Miter build_miter(const Pair& pair, Match match);

/// Thrown if an operand is not representable in the other instruction's formats.
class NoCounterpart : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// The second instruction's operands for the first one's, related as build_miter() does. Throws
/// NoCounterpart.
DotValues counterpart(const Pair& pair, Match match, const DotValues& values);

}  // namespace mmaspec
