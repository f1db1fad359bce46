#pragma once
/// The compiled form of a graph: steps over registers, a register holding one value a lane.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace mmaspec::batch {

/// Lanes of a block, and of every register.
inline constexpr std::size_t kLanes = 256;

/// What a register holds in each lane. Integers are modulo 2^width, two's complement or unsigned as
/// their node's range has it: whatever depends on that is another code.
enum class Type : std::uint8_t {
  boolean,  ///< a byte: 0, or all ones
  i16,
  i32,
  i64,
  wide,  ///< Step::words 64-bit words, one plane of kLanes each, the least significant first
};

/// What a step does. x, y, z, w: its inputs; m: the immediate. "s" and "u": the integers are signed
/// or unsigned.
enum class Code : std::uint8_t {
  load,              ///< row `m` of the inputs
  store_s,           ///< x, extended by its sign, into row `m` of the results
  store_u,           ///< likewise by zeros; a Boolean as 0 or 1
  convert_s,         ///< x in another type; wide too
  convert_u,         ///< likewise
  linear,            ///< m + the first `positive` inputs - the next `negative` ones
  multiply,          ///< x * y
  multiply_s,        ///< x * y in the type of twice the width; i64: into two words
  multiply_u,        ///< likewise
  multiply_by,       ///< x * m
  absolute,          ///< |x|
  negate_if,         ///< -y if x else y
  negate_unless,     ///< y if x else -y
  select,            ///< y if x else z
  minimum_s,         ///< the least of `positive` inputs
  minimum_u,         ///< likewise
  maximum_s,         ///< the largest
  maximum_u,         ///< likewise
  shift_left,        ///< x * 2^y; y is taken modulo the width: beyond it x is 0
  shift_left_by,     ///< x * 2^m
  shift_right_s,     ///< floor(x / 2^y), y less than the width
  shift_right_u,     ///< likewise
  shift_right_by_s,  ///< floor(x / 2^m), m less than the width
  bits,              ///< (x >> m) & m2, into a type as narrow or narrower
  test_bit,          ///< bit m of x as a Boolean
  bit_length,        ///< of x as unsigned, into i16
  less_s,            ///< x < y
  less_u,            ///< likewise
  equal,             ///< x = y
  equal_to,          ///< x = m
  conjunction,       ///< the first `positive` inputs, and none of the next `negative` ones
  parity,            ///< x xor y xor m (m: 0 or all ones)
  check,             ///< reports claim `m` as violated if x is true in any lane
};

struct Step;

/// What a step works on besides its registers.
struct Frame {
  std::byte* registers;                ///< aligned to 64
  const std::uint64_t* const* inputs;  ///< rows, from this block's first lane on
  std::uint64_t* const* results;
  std::size_t lanes;          ///< of this block, 1 .. kLanes; the others repeat the first
  std::uint64_t* violations;  ///< bit 0 of word i: claim i
  const bool* uniform;        ///< by input: all lanes have its first value; nullptr: none is so
};

using Kernel = void (*)(const Step&, const Frame&);

/// Most inputs that a step takes; longer sums, extrema and conjunctions are chains of steps.
inline constexpr unsigned kArity = 4;

struct Step {
  Kernel run;
  std::uint32_t out;         ///< byte offsets of registers; never one of `in`
  std::uint32_t in[kArity];  // NOLINT(modernize-avoid-c-arrays): read by kernels
  std::uint32_t words;       ///< of wide registers
  std::uint32_t words_in;    ///< convert: those of x, if wide
  std::uint64_t m;
  std::uint64_t m2;
};

/// Which kernel a step needs.
struct Choice {
  Code code;
  Type from;  ///< of x; select, negate_if, negate_unless: of y
  Type to;
  unsigned positive = 0;
  unsigned negative = 0;
  std::uint32_t words = 1;  ///< of wide inputs and output
};

/// The kernels of one instruction set; nullptr if there is none for the choice.
Kernel portable_kernel(const Choice& choice);
Kernel avx2_kernel(const Choice& choice);
Kernel avx512_kernel(const Choice& choice);

/// A register that holds the same number in all lanes, throughout.
struct ConstantRegister {
  std::uint32_t at;
  Type type;
  std::vector<std::uint64_t> words;  ///< two's complement; one word unless wide
};

class LateNative;

struct Program {
  std::uint64_t number;  ///< unlike that of every other program of this process
  std::vector<Step> steps;
  std::size_t held_steps = 0;  ///< the first ones, which depend on held inputs alone
  std::vector<ConstantRegister> constants;
  std::vector<std::string> claims;  ///< what a violation says
  std::size_t bytes = 0;            ///< of registers, constants included
  std::size_t inputs = 0;           ///< rows that the program reads: 0 .. inputs-1
  std::size_t roots = 0;
  std::shared_ptr<LateNative> native = nullptr;  ///< where machine code is wanted: see native.h
};

/// Bytes of a register.
inline std::uint32_t size_of(Type type, std::uint32_t words) {
  const std::uint32_t lane = type == Type::boolean ? 1
                             : type == Type::i16   ? 2
                             : type == Type::i32   ? 4
                             : type == Type::i64   ? 8
                                                   : 8 * words;
  return lane * static_cast<std::uint32_t>(kLanes);
}

}  // namespace mmaspec::batch
