#include "queries/statement/pairing.h"

#include <array>
#include <stdexcept>

#include "concrete/dot/model.h"
#include "spec/algorithms/chain_step.h"
#include "spec/conversions/conversion_design.h"
#include "spec/formats/convert.h"
#include "spec/formats/text.h"
#include "util/counted.h"

namespace mmaspec {
namespace {

/// Describes the products k to whole - 1, counted from 0.
std::string zeros_text(int k, int whole) {
  const std::string first = std::to_string(k);
  return "+0 * +0 for " + (whole - k == 1
                               ? "product " + first
                               : "products " + first + " to " + std::to_string(whole - 1));
}

void require_same_layout(const DotFormats& x, const DotFormats& y, Match match) {
  const auto check = [&](const char* operand, const Format& fx, const Format& fy) {
    if (match == Match::bits && fx.storage_bits != fy.storage_bits) {
      throw std::invalid_argument(std::string("--match bits: ") + operand + " has " +
                                  std::to_string(fx.storage_bits) + " bits in one and " +
                                  std::to_string(fy.storage_bits) + " in the other");
    }
  };
  if (are_integers(x) != are_integers(y)) {
    throw std::invalid_argument(
        "one unit computes with integers and the other with floating-point numbers");
  }
  if (accumulate_in_fixed_point(x) != accumulate_in_fixed_point(y)) {
    throw std::invalid_argument(
        "one unit accumulates in fixed point and the other in floating point");
  }
  const auto points = [](const DotFormats& f) {
    return std::array{f.a->point, f.b->point, f.c->point, f.d->point};
  };
  if (points(x) != points(y)) {
    throw std::invalid_argument(
        "the units' fixed-point formats have different numbers of fraction bits, so that equal "
        "counts are different numbers");
  }
  check("a", *x.a, *y.a);
  check("b", *x.b, *y.b);
  check("c", *x.c, *y.c);
  if ((x.scale == nullptr) != (y.scale == nullptr)) {
    throw std::invalid_argument("one unit has block scale factors and the other does not");
  }
  if (x.scale != nullptr) {
    if (x.scale_block != y.scale_block) {
      throw std::invalid_argument("the units' scale factors apply to blocks of " +
                                  std::to_string(x.scale_block) + " and " +
                                  std::to_string(y.scale_block) + " products");
    }
    check("scale", *x.scale, *y.scale);
  }
}

/// Throws for conversions, whose K is 0.
void require_products(const Instruction& instruction) {
  if (!is_conversion(instruction.formats)) return;
  throw std::invalid_argument(instruction.label() +
                              " converts a number: it has no products that could be chained");
}

struct Counterparts {
  const Match match;
  std::vector<Bool> held;

  Int operator()(const Format& from, Int pattern, const Format& to) {
    if (from == to || match == Match::bits) return pattern;
    const Converted c = convert(from, pattern, to);
    held.push_back(c.exact);
    return c.pattern;
  }

  std::vector<Int> operator()(const Format& from, const std::vector<Int>& patterns,
                              const Format& to) {
    std::vector<Int> all;
    for (Int p : patterns) all.push_back((*this)(from, p, to));
    return all;
  }
};

/// True if chaining the design is equivalent to the same design with a longer K. That holds if each
/// step already takes the previous result as c and depends only on its own operands.
bool continues_itself(const Algorithm& algorithm) {
  const auto* pairwise = algorithm.as<GroupPairwiseSum>();
  if (pairwise != nullptr)
    return !pairwise->flush_inputs;  // flush_inputs flushes c before each
                                     // chain
  const auto* fma = algorithm.as<SequentialFma>();
  if (fma != nullptr) return fma->chains == 1;  // several chains end with an addition of c
  return algorithm.as<FusedDotAdd>() != nullptr || algorithm.as<PairDotAdd>() != nullptr ||
         algorithm.as<RoundDownDotAdd>() != nullptr || algorithm.as<ExactDotAdd>() != nullptr ||
         algorithm.as<IntegerDotAdd>() != nullptr;
}

}  // namespace

Instruction chained(const Instruction& instruction, int k) {
  if (k == instruction.formats.k) return instruction;
  if (k <= 0 || k % instruction.formats.k != 0) {
    throw std::invalid_argument("K = " + std::to_string(k) + " is not a multiple of the " +
                                counted(instruction.formats.k, "product") + " of " +
                                instruction.label());
  }
  if (!(*instruction.formats.c == *instruction.formats.d)) {
    throw std::invalid_argument(instruction.label() + " cannot be chained: its result is " +
                                std::string(instruction.formats.d->name) + " and its c " +
                                std::string(instruction.formats.c->name));
  }
  Instruction result = instruction;
  result.formats.k = k;
  if (!continues_itself(instruction.algorithm)) {
    result.algorithm =
        Chained{std::make_shared<Algorithm>(instruction.algorithm), instruction.formats};
  }
  return result;
}

Instruction for_matrices(const Instruction& instruction, std::size_t k) {
  require_products(instruction);
  const auto own = static_cast<std::size_t>(instruction.formats.k);
  const std::size_t steps = std::max<std::size_t>(1, (k + own - 1) / own);
  constexpr std::size_t kMost = std::size_t{1} << 30;
  if (steps > kMost / own) throw std::invalid_argument("K = " + std::to_string(k) + " is too long");
  return chained(instruction, static_cast<int>(steps * own));
}

Instruction shortened(const Instruction& instruction, int k) {
  if (k == instruction.formats.k) return instruction;
  Instruction result = instruction;
  result.formats.k = k;
  result.algorithm =
      Padded{std::make_shared<Algorithm>(instruction.algorithm), instruction.formats};
  return result;
}

Instruction of_length(const Instruction& instruction, int k) {
  require_products(instruction);
  const int own = instruction.formats.k;
  if (k <= 0 || k % own == 0) return chained(instruction, k);
  if (instruction.formats.scale != nullptr) {
    throw std::invalid_argument(instruction.label() +
                                " has block scale factors: K = " + std::to_string(k) +
                                " must be a multiple of its " + std::to_string(own) + " products");
  }
  return shortened(chained(instruction, (k + own - 1) / own * own), k);
}

std::string length_note(const Instruction& instruction, int k) {
  require_products(instruction);
  const int own = instruction.formats.k;
  if (k == own) return "";
  const int runs = (k + own - 1) / own;
  const std::string zeros = k == runs * own ? "" : zeros_text(k, runs * own);
  if (runs == 1) return instruction.label() + " has " + zeros;
  return instruction.label() + " is executed " + counted(runs, "time") +
         ", with each result as the next c" + (zeros.empty() ? "" : ", and has " + zeros);
}

std::string zero_products(const Instruction& instruction) {
  if (instruction.algorithm.as<Padded>() == nullptr) return "";
  return zeros_text(instruction.formats.k,
                    unpadded(instruction.algorithm, instruction.formats).formats.k);
}

Pair pair_up(const Instruction& first, const Instruction& second, const PairOptions& options) {
  require_same_layout(first.formats, second.formats, options.match);
  if (is_conversion(first.formats) != is_conversion(second.formats)) {
    throw std::invalid_argument(
        "one converts a number and the other computes dot products: they cannot be compared");
  }
  Pair pair{first, second, ""};
  const int k1 = first.formats.k;
  const int k2 = second.formats.k;
  const auto note = [&](const std::string& text) {
    pair.note += (pair.note.empty() ? "" : "; ") + text;
  };
  if (options.chain > 0) {
    pair.first = of_length(first, options.chain);
    pair.second = of_length(second, options.chain);
    for (const Instruction* i : {&first, &second}) {
      if (i->formats.k != options.chain) note(length_note(*i, options.chain));
    }
  } else if (k1 != k2) {
    const bool first_longer = k1 > k2;
    const Instruction& longer = first_longer ? first : second;
    const Instruction& shorter = first_longer ? second : first;
    if (longer.formats.k % shorter.formats.k != 0) {
      throw std::invalid_argument(
          "their K are " + std::to_string(k1) + " and " + std::to_string(k2) +
          ", and neither divides the other; --chain K chains both to the same K");
    }
    if (options.pad && longer.formats.scale != nullptr) {
      throw std::invalid_argument(
          "--pad is not supported for instructions with block scale factors");
    }
    if (options.pad) {
      (first_longer ? pair.first : pair.second) = shortened(longer, shorter.formats.k);
      note(length_note(longer, shorter.formats.k));
    } else {
      (first_longer ? pair.second : pair.first) = chained(shorter, longer.formats.k);
      note(length_note(shorter, longer.formats.k));
    }
  }
  return pair;
}

CounterpartOperands counterpart(const DotFormats& x, const DotOperands& operands,
                                const DotFormats& y, Match match) {
  Counterparts to_second{match, {}};
  DotOperands second{
      to_second(*x.a, operands.a, *y.a), to_second(*x.b, operands.b, *y.b),
      to_second(*x.c, operands.c, *y.c),
      x.scale == nullptr ? operands.scale_a : to_second(*x.scale, operands.scale_a, *y.scale),
      x.scale == nullptr ? operands.scale_b : to_second(*x.scale, operands.scale_b, *y.scale)};
  return {std::move(second), all_of(to_second.held)};
}

Miter build_miter(const Pair& pair, Match match) {
  const DotFormats& x = pair.first.formats;
  const DotFormats& y = pair.second.formats;
  const DotOperands first = dot_inputs(x);
  const CounterpartOperands second = counterpart(x, first, y, match);
  const Int d_first = pair.first.algorithm.build(x, first);
  return {d_first, pair.second.algorithm.build(y, second.operands), second.comparable};
}

namespace {

Integer counterpart_pattern(const Format& from, const Integer& pattern, const Format& to) {
  if (from == to) return pattern;
  const Decoded x = decode(from, pattern);
  if (x.is_nan) return parse_pattern_of(to, "nan");
  try {
    return parse_pattern_of(to, to_hex_float(from, pattern));
  } catch (const std::invalid_argument& error) {
    throw NoCounterpart(error.what());
  }
}

}  // namespace

DotValues counterpart(const Pair& pair, Match match, const DotValues& values) {
  if (match == Match::bits) return values;
  const DotFormats& x = pair.first.formats;
  const DotFormats& y = pair.second.formats;
  DotValues result = values;
  for (Integer& p : result.a) p = counterpart_pattern(*x.a, p, *y.a);
  for (Integer& p : result.b) p = counterpart_pattern(*x.b, p, *y.b);
  result.c = counterpart_pattern(*x.c, values.c, *y.c);
  if (x.scale != nullptr) {
    for (Integer& p : result.scale_a) p = counterpart_pattern(*x.scale, p, *y.scale);
    for (Integer& p : result.scale_b) p = counterpart_pattern(*x.scale, p, *y.scale);
  }
  return result;
}

}  // namespace mmaspec
