#pragma once
/// What a user names on the command line, resolved; and pairs of such for questions about two.

#include <stdexcept>
#include <string>

#include "concrete/dot/model.h"
#include "spec/catalog/instruction.h"

namespace mmaspec {

/// The instruction, run K / k times as a kernel chains it: each result is the next one's c. The
/// same design with a longer K where that is such a chain, or a design of the type Chained. Throws
/// std::invalid_argument unless k divides K and c's format is d's.
Instruction chained(const Instruction& instruction, int k);

/// The instruction for matrices of K = k: chained to the least multiple of its K that holds k.
Instruction for_matrices(const Instruction& instruction, std::size_t k);

/// The instruction with +0 * +0 for the products from the `k`th on: a design of the type Padded.
/// Not for instructions with block scale factors.
Instruction shortened(const Instruction& instruction, int k);

/// The instruction for any K: chained as often as K needs, and with +0 * +0 for the products of the
/// last run that are left. Throws std::invalid_argument where chained() does but for a multiple,
/// and where zeros are needed and there are block scale factors.
Instruction of_length(const Instruction& instruction, int k);

/// What of_length() did, a clause: how often the instruction runs, and which products are +0 * +0.
/// Empty where K is the instruction's own.
std::string length_note(const Instruction& instruction, int k);

/// "+0 * +0 for products 1003 to 1007", counted from 0, of a design of the type Padded; else empty.
std::string zero_products(const Instruction& instruction);

/// How inputs of two instructions of different formats correspond.
enum class Match { values, bits };

struct PairOptions {
  bool pad = false;  ///< the longer one's other inputs are zero, instead of chaining the shorter
  int chain = 0;     ///< chain both to this K; 0: to the longer one's
  Match match = Match::values;
};

/// Two instructions brought to one K.
struct Pair {
  Instruction first;
  Instruction second;
  std::string note;  ///< what was done to bring them together; empty: nothing
};

/// Throws std::invalid_argument with one line if they cannot be compared.
Pair pair_up(const Instruction& first, const Instruction& second, const PairOptions& options);

/// Operands in the formats `y` for those in the formats `x`, in the current graph.
struct CounterpartOperands {
  DotOperands operands;
  Bool comparable;  ///< `y` holds all of them
};
CounterpartOperands counterpart(const DotFormats& x, const DotOperands& operands,
                                const DotFormats& y, Match match);

/// Both in the current graph on common inputs, which are patterns of the first one's formats.
struct JointGraph {
  Int d_first;
  Int d_second;
  Bool comparable;  ///< the second one's formats hold all inputs
};
JointGraph build_joint(const Pair& pair, Match match);

/// An operand that the other one's formats do not hold.
class NoCounterpart : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// The second one's operands for the first one's, as build_joint() relates them. Throws
/// NoCounterpart.
DotValues counterpart(const Pair& pair, Match match, const DotValues& values);

}  // namespace mmaspec
