#pragma once
/// The compiled form of a graph: steps over registers. A register holds one value for each lane.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace mmaspec::batch {

/// Number of lanes of a block, and of every register.
inline constexpr std::size_t kLanes = 256;

/// The type of a register's lanes. Integers are modulo 2^width, two's complement or unsigned
/// depending on their node's range. Operations for which that matters have separate codes.
enum class Type : std::uint8_t {
  boolean,  ///< a byte: 0, or all ones
  i16,
  i32,
  i64,
  wide,  ///< Step::words 64-bit words, one plane of kLanes words each, the least significant first
};

/// The operation of a step. x, y, z, w: its inputs; m: the immediate. "_s" and "_u": the integers
/// are signed or unsigned.
enum class Code : std::uint8_t {
  load,              ///< row `m` of the inputs
  store_s,           ///< x, sign-extended, into row `m` of the results
  store_u,           ///< the same, zero-extended; a Boolean as 0 or 1
  convert_s,         ///< x in another type, including wide
  convert_u,         ///< the same
  linear,            ///< m + the first `positive` inputs - the next `negative` inputs
  multiply,          ///< x * y modulo 2^width
  multiply_s,        ///< x * y in the type of twice the width; i64 gives two words
  multiply_u,        ///< the same
  multiply_by,       ///< x * m
  absolute,          ///< |x|
  negate_if,         ///< -y if x else y
  negate_unless,     ///< y if x else -y
  select,            ///< y if x else z
  minimum_s,         ///< the minimum of `positive` inputs
  minimum_u,         ///< the same
  maximum_s,         ///< the maximum
  maximum_u,         ///< the same
  shift_left,        ///< x * 2^y modulo 2^width; 0 if y >= width
  shift_left_by,     ///< x * 2^m
  shift_right_s,     ///< floor(x / 2^y), y less than the width
  shift_right_u,     ///< the same
  shift_right_by_s,  ///< floor(x / 2^m), m less than the width
  bits,              ///< (x >> m) & m2, in a type of at most the same width
  test_bit,          ///< bit m of x as a Boolean
  bit_length,        ///< bit length of x as unsigned, as i16
  less_s,            ///< x < y
  less_u,            ///< the same
  equal,             ///< x = y
  equal_to,          ///< x = m
  conjunction,       ///< all of the first `positive` inputs, and none of the next `negative` ones
  parity,            ///< x xor y xor m (m: 0 or all ones)
  check,             ///< reports claim `m` as violated if x is true in any lane
};

struct Step;

/// The memory that a step uses besides its registers' offsets.
struct Frame {
  std::byte* registers;                ///< aligned to 64 bytes
  const std::uint64_t* const* inputs;  ///< rows, starting at this block's first lane
  std::uint64_t* const* results;
  std::size_t lanes;          ///< lanes of this block, 1 .. kLanes; the others repeat the first
  std::uint64_t* violations;  ///< bit 0 of word i is set if claim i is violated
  const bool* uniform;        ///< for each input: all lanes have its first value; nullptr: none has
                              ///< a single value
};

using Kernel = void (*)(const Step&, const Frame&);

/// The largest number of inputs of a step. Longer sums, extrema and conjunctions are chains of
/// steps.
inline constexpr unsigned kArity = 4;

struct Step {
  Kernel run;
  std::uint32_t out;         ///< byte offsets of registers; the output never overlaps `in`
  std::uint32_t in[kArity];  // NOLINT(modernize-avoid-c-arrays): read by kernels
  std::uint32_t words;       ///< of wide registers
  std::uint32_t words_in;    ///< convert: number of words of x, if wide
  std::uint64_t m;
  std::uint64_t m2;
};

/// Selects the kernel of a step.
struct Choice {
  Code code;
  Type from;  ///< type of x; for select, negate_if, negate_unless: of y
  Type to;
  unsigned positive = 0;
  unsigned negative = 0;
  std::uint32_t words = 1;  ///< number of words of wide inputs and outputs
};

/// The kernels of one instruction set; nullptr if there is no kernel for the choice.
Kernel portable_kernel(const Choice& choice);
Kernel avx2_kernel(const Choice& choice);
Kernel avx512_kernel(const Choice& choice);

/// A register with a constant that is the same in all lanes.
struct ConstantRegister {
  std::uint32_t at;
  Type type;
  std::vector<std::uint64_t> words;  ///< two's complement; one word unless wide
};

class LateNative;

struct Program {
  std::uint64_t number;  ///< distinct from that of every other program in this process
  std::vector<Step> steps;
  std::size_t held_steps = 0;  ///< number of leading steps that depend only on held inputs
  std::vector<ConstantRegister> constants;
  std::vector<std::string> claims;  ///< the messages of violations
  std::size_t bytes = 0;            ///< size of all registers, constants included
  std::size_t inputs = 0;           ///< number of rows that the program reads: 0 .. inputs-1
  std::size_t roots = 0;
  std::shared_ptr<LateNative> native = nullptr;  ///< set if machine code is wanted: see native.h
};

/// The size of a register in bytes.
inline std::uint32_t size_of(Type type, std::uint32_t words) {
  const std::uint32_t lane = type == Type::boolean ? 1
                             : type == Type::i16   ? 2
                             : type == Type::i32   ? 4
                             : type == Type::i64   ? 8
                                                   : 8 * words;
  return lane * static_cast<std::uint32_t>(kLanes);
}

}  // namespace mmaspec::batch
