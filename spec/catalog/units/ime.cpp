// RISC-V's Integrated Matrix Extension, a draft: a family of instructions with parameters.
#include "spec/catalog/ime.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <regex>
#include <stdexcept>

#include "spec/algorithms/vector/integer_dot_add.h"
#include "spec/plans/instructions/rounded_groups.h"

namespace mmaspec {
namespace {

const std::string kImeDraft =
    "RISC-V Integrated Matrix Extension, a draft (riscv/integrated-matrix-extension 102f354f, "
    "src/unpriv/integrated-matrix.adoc), ";

/// How a partial sum of products joins the accumulator: the draft's parameter rnd.
enum class PartialSum {
  exact,    ///< xct: it is added exactly, with one rounding
  rounded,  ///< frm: it is first rounded by the rounding mode of the accumulation
  to_odd,   ///< rto: it is first rounded to odd
};

/// The choices that a name gives, besides its formats.
struct Choices {
  int group;  ///< products of one partial sum
  PartialSum partial;
  Rounding frm;
};

/// Guard bits with which the alignment of all products is exact.
int exact_guard_bits(const DotFormats& f) {
  const auto lowest = [](const Format& x) { return x.least_exponent() - x.fraction_bits; };
  const int span = f.a->largest_exponent() + f.b->largest_exponent() - lowest(*f.a) - lowest(*f.b);
  return std::max(0, span - f.d->fraction_bits);
}

/// Where an algorithm of other units computes the same, it is that one.
Algorithm ime_algorithm(const DotFormats& f, const Choices& choices) {
  const auto& [group, partial, frm] = choices;
  const ResultFormat result = with_ieee_overflow(*f.d, frm);
  const Rounding rounding = partial == PartialSum::to_odd ? Rounding::to_odd : frm;
  if (f.scale != nullptr) {
    const bool is_exact = partial == PartialSum::exact;
    return Composed{std::make_shared<ScaledGroups>(
        group, is_exact ? std::nullopt : std::optional(rounding), frm)};
  }
  if (partial == PartialSum::exact) return ExactDotAdd{group, result};
  if (partial == PartialSum::rounded) {
    constexpr int kMostGuardBits = 64;  // of `design:`
    if (group == 1) return GroupPairwiseSum{1, false, result};
    if (exact_guard_bits(f) <= kMostGuardBits) {
      return BulkNormalizedDotAdd{group, exact_guard_bits(f), BulkResult::to_odd, result};
    }
  }
  return Composed{std::make_shared<RoundedGroups>(group, rounding, frm)};
}

std::vector<Provenance> ime_sources(const Algorithm& algorithm, const DotFormats& f,
                                    PartialSum partial) {
  if (are_integers(f)) {
    return all_from(algorithm, Evidence::documented, kImeDraft + "integer accumulation");
  }
  if (f.scale != nullptr && f.a->is_integer()) {
    return all_from(algorithm, Evidence::documented,
                    kImeDraft + "integer accumulation (microscaled forms) and int_scaled_gemm()");
  }
  std::vector<Provenance> all =
      all_from(algorithm, Evidence::documented,
               kImeDraft + (f.scale != nullptr
                                ? "microscaling support and fp_scaled_gemm() with psm=0"
                                : "accumulation and rounding model and fp_gemm() with psm=0"));
  for (Provenance& p : all) {
    if (partial == PartialSum::to_odd && p.parameter == "partial_round") {
      p = {p.parameter, Evidence::open,
           kImeDraft +
               "rnd=rto: it does not say what a partial sum beyond the largest number becomes. "
               "Taken: the largest number, as RISC-V's vfncvt.rod gives (riscv-v-spec, issue 834); "
               "the draft of Zvdota says infinity"};
    }
  }
  return all;
}

/// The widening factor of a mnemonic's letters: inputs have 1/W of the bits of the accumulator.
int widening(const std::string& letters) {
  return letters.empty() ? 1 : letters == "w" ? 2 : letters == "q" ? 4 : 8;
}

const Format* input_format(const std::string& name, const std::vector<const Format*>& of,
                           const std::string& kind) {
  const Format* format = find_format(name);
  const bool is_one = std::any_of(
      of.begin(), of.end(), [&](const Format* f) { return format != nullptr && *f == *format; });
  if (!is_one) throw std::invalid_argument("'" + name + "' is not " + kind + " format of inputs");
  return format;
}

/// The formats of `D.A.B`, whose widths the instruction relates.
DotFormats formats_with(const std::string& d, const std::string& a, const std::string& b, int w,
                        bool integers) {
  using namespace formats;
  const std::vector<const Format*> inputs =
      integers ? std::vector<const Format*>{&s4, &u4, &s8, &u8, &s16, &s32}
               : std::vector<const Format*>{&e2m1, &e4m3, &e5m2, &f16, &bf16, &f32, &f64};
  const std::string kind = integers ? "an integer" : "a floating-point";
  const Format* result = find_format(d);
  const DotFormats f{input_format(a, inputs, kind), input_format(b, inputs, kind), result, result,
                     0};
  for (const Format* input : {f.a, f.b}) {
    if (input->storage_bits * w != result->storage_bits) {
      throw std::invalid_argument("inputs of " + std::string(input->name) + " are not 1/" +
                                  std::to_string(w) + " of the bits of " + d);
    }
  }
  const bool narrow = w == 1 && result->storage_bits == 16 && !integers;
  if (narrow && *f.a == *f.b && !(*f.a == *result)) {
    throw std::invalid_argument("inputs of " + a + " with results of " + d + " are reserved");
  }
  return f;
}

/// What a name says.
struct Named {
  DotFormats formats;
  std::optional<Choices> choices;  ///< nullopt: integers
};

/// `v[w|q|8w]mmacc.D.A.B.lambdaL`: all results are reduced modulo 2^SEW, in any order and grouping.
std::optional<Named> read_integers(const std::string& mnemonic) {
  static const std::regex family("v(w|q|8w)?mmacc.*");
  static const std::regex spelling(
      "v(w|q|8w)?mmacc\\.(s8|s16|s32)\\.([su][0-9]+)\\.([su][0-9]+)"
      "\\.lambda(1|2|4|8|16|32|64)");
  if (!std::regex_match(mnemonic, family)) return std::nullopt;
  std::smatch match;
  if (!std::regex_match(mnemonic, match, spelling)) {
    throw std::invalid_argument("expected v[w|q|8w]mmacc.D.A.B.lambdaL, with D s8, s16 or s32");
  }
  const int w = widening(match[1]);
  Named named{formats_with(match[2], match[3], match[4], w, true), std::nullopt};
  named.formats.k = std::stoi(match[5]) * w;
  return named;
}

/// A rounding mode of a name that need not give one.
Rounding frm_of(const std::ssub_match& mode) {
  if (!mode.matched || mode == "rne") return Rounding::nearest_even;
  if (mode == "rtz") return Rounding::toward_zero;
  return mode == "rup" ? Rounding::up : Rounding::nearest_away;
}

/// Adds the scale factors of a name's `mx32` or `mx16`.
void scale_blocks(DotFormats& f, const std::string& mx, int lambda) {
  if (f.d->storage_bits * lambda < 16) {
    throw std::invalid_argument("scale factors need SEW * lambda of at least 16");
  }
  f.scale = &formats::ue8m0;
  f.scale_block = std::min(mx == "mx16" ? 16 : 32, f.k);
}

/// `vf[w|q|8w]immacc.mx32|mx16.D.A.B.lambdaL[.rne|rtz|rup|rmm]`: signed integers with scale
/// factors.
std::optional<Named> read_scaled_integers(const std::string& mnemonic) {
  static const std::regex family("vf(w|q|8w)immacc.*");
  static const std::regex spelling(
      "vf(w|q|8w)immacc\\.(mx32|mx16)\\.(f16|bf16|f32|f64)\\.(s4|s8)\\.\\4"
      "\\.lambda(1|2|4|8|16|32|64)(?:\\.(rne|rtz|rup|rmm))?");
  if (!std::regex_match(mnemonic, family)) return std::nullopt;
  std::smatch match;
  if (!std::regex_match(mnemonic, match, spelling)) {
    throw std::invalid_argument(
        "expected vf[w|q|8w]immacc.mx32|mx16.D.A.A.lambdaL[.rne|rtz|rup|rmm], with A s4 or s8");
  }
  const int w = widening(match[1]);
  Named named{formats_with(match[3], match[4], match[4], w, true), std::nullopt};
  DotFormats& f = named.formats;
  f.k = std::stoi(match[5]) * w;
  scale_blocks(f, match[2], std::stoi(match[5]));
  named.choices = {f.scale_block, PartialSum::rounded, frm_of(match[6])};
  return named;
}

/// `vf[w|q|8w]mmacc[.mx32|mx16].D.A.B.lambdaL.gG.xct|frm|rto[.rne|rtz|rup|rmm]`.
std::optional<Named> read_floats(const std::string& mnemonic) {
  static const std::regex family("vf(w|q|8w)?mmacc.*");
  static const std::regex spelling(
      "vf(w|q|8w)?mmacc(?:\\.(mx32|mx16))?\\.(f16|bf16|f32|f64)\\.([a-z0-9]+)\\.([a-z0-9]+)"
      "\\.lambda(1|2|4|8|16|32|64)\\.g(1|2|4|8|16|32|64)\\.(xct|frm|rto)(?:\\.(rne|rtz|rup|rmm))?");
  if (!std::regex_match(mnemonic, family)) return std::nullopt;
  std::smatch match;
  if (!std::regex_match(mnemonic, match, spelling)) {
    throw std::invalid_argument(
        "expected vf[w|q|8w]mmacc[.mx32|mx16].D.A.B.lambdaL.gG.xct|frm|rto[.rne|rtz|rup|rmm]");
  }
  const int w = widening(match[1]);
  const int lambda = std::stoi(match[6]);
  const int group = std::stoi(match[7]);
  if (group > lambda) {
    throw std::invalid_argument("g=" + std::to_string(group) +
                                " exceeds lambda=" + std::to_string(lambda));
  }
  Named named{formats_with(match[3], match[4], match[5], w, false), std::nullopt};
  DotFormats& f = named.formats;
  f.k = lambda * w;
  int products = group * w;
  if (match[2].matched) {
    if (f.a->storage_bits > 8 || w == 1) {
      throw std::invalid_argument("only widening instructions of 4-bit and 8-bit inputs have " +
                                  match[2].str());
    }
    scale_blocks(f, match[2], lambda);
    products = std::min(products, f.scale_block);  // groups do not cross blocks
  }
  const PartialSum partial = match[8] == "xct"   ? PartialSum::exact
                             : match[8] == "frm" ? PartialSum::rounded
                                                 : PartialSum::to_odd;
  named.choices = {products, partial, frm_of(match[9])};
  return named;
}

std::optional<Named> read_ime(const std::string& mnemonic) {
  try {
    if (auto integers = read_integers(mnemonic)) return integers;
    if (auto scaled = read_scaled_integers(mnemonic)) return scaled;
    return read_floats(mnemonic);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument("riscv/" + mnemonic + ": " + error.what());
  }
}

// The catalogue

/// The widening factor.
int widening(const DotFormats& f) { return f.d->storage_bits / f.a->storage_bits; }

/// The choices that the draft names for two kinds of implementations, with the rounding mode rne.
/// Systolic arrays: each sub-dot-product is rounded, and added.
Choices of_systolic_array(const DotFormats& f) {
  return {widening(f), PartialSum::rounded, Rounding::nearest_even};
}
/// Outer products: all products of an instruction are summed exactly, and added with one rounding.
Choices of_outer_product(const DotFormats& f) {
  return {f.scale == nullptr ? f.k : f.scale_block, PartialSum::exact, Rounding::nearest_even};
}

Algorithm make_systolic(const DotFormats& f, std::string_view) {
  return ime_algorithm(f, of_systolic_array(f));
}
Algorithm make_outer(const DotFormats& f, std::string_view) {
  return ime_algorithm(f, of_outer_product(f));
}
Algorithm make_ime_integers(const DotFormats& f, std::string_view) {
  return IntegerDotAdd{IntegerOverflow::wrap, f.k};
}

template <Algorithm (*Make)(const DotFormats&, std::string_view)>
std::vector<Provenance> ime_sources_of(const DotFormats& f, std::string_view variant) {
  return ime_sources(Make(f, variant), f, PartialSum::exact);
}

const ParameterSet kImeSystolic = {"ime-systolic", make_systolic, ime_sources_of<make_systolic>,
                                   no_variants, false};
const ParameterSet kImeOuter = {"ime-outer", make_outer, ime_sources_of<make_outer>, no_variants,
                                false};
const ParameterSet kImeIntegers = {"ime-integer", make_ime_integers,
                                   ime_sources_of<make_ime_integers>, no_variants, false};

/// Rows for vectors of 256 bits, as in the draft's tables, and the largest lambda that these allow;
/// the object owns their mnemonics.
class ImeRows {
 public:
  ImeRows() {
    for (const char* types :
         {"vfmmacc.f16.f16.f16", "vfmmacc.f32.f32.f32", "vfwmmacc.f16.e4m3.e4m3",
          "vfwmmacc.f16.e5m2.e5m2", "vfwmmacc.f32.f16.f16", "vfqmmacc.f16.e2m1.e2m1",
          "vfqmmacc.f32.e4m3.e4m3", "vfqmmacc.f32.e5m2.e5m2", "vf8wmmacc.f32.e2m1.e2m1"}) {
      add_systolic(types);
      add_outer(types);
    }
    add_systolic("vfmmacc.bf16.bf16.bf16");
    add_outer("vfwmmacc.f32.bf16.bf16");
    add_systolic("vfmmacc.f64.f64.f64");
    for (const char* a : {"s8", "u8"}) {
      for (const char* b : {"s8", "u8"}) add_integers("vqmmacc.s32", a, b);
    }
    for (const char* a : {"s4", "u4"}) {
      for (const char* b : {"s4", "u4"}) add_integers("v8wmmacc.s32", a, b);
    }
    add_integers("vmmacc.s8", "s8", "s8");
    add_integers("vmmacc.s16", "s16", "s16");
    add_integers("vmmacc.s32", "s32", "s32");
    add_integers("vwmmacc.s16", "s8", "s8");
    add_integers("vwmmacc.s32", "s16", "s16");
  }

  std::vector<CatalogueRow> all;

 private:
  static int largest_lambda(const std::string& types) {
    const std::string d = types.substr(types.find('.') + 1);
    const int bits = find_format(d.substr(0, d.find('.')))->storage_bits;
    constexpr int kVectorBits = 256;
    int lambda = 1;
    while (kVectorBits >= bits * 4 * lambda * lambda) lambda *= 2;
    return lambda;
  }
  void add(const std::string& mnemonic, const ParameterSet& parameters) {
    mnemonics_.push_back(mnemonic);
    all.push_back({"riscv", mnemonics_.back(), &parameters});
  }
  void add_systolic(const std::string& types) {
    add(types + ".lambda" + std::to_string(largest_lambda(types)) + ".g1.frm", kImeSystolic);
  }
  void add_outer(const std::string& types) {
    const std::string lambda = std::to_string(largest_lambda(types));
    add(types + ".lambda" + lambda + ".g" + lambda + ".xct", kImeOuter);
  }
  void add_integers(const std::string& d, const std::string& a, const std::string& b) {
    const std::string types = d + "." + a + "." + b;
    add(types + ".lambda" + std::to_string(largest_lambda(types)), kImeIntegers);
  }

  std::deque<std::string> mnemonics_;
};

}  // namespace

bool is_ime(std::string_view mnemonic) {
  const std::size_t point = mnemonic.find('.');
  return mnemonic.starts_with('v') && mnemonic.substr(0, point).ends_with("mmacc");
}

DotFormats ime_formats(std::string_view mnemonic) {
  const auto named = read_ime(std::string(mnemonic));
  if (!named) throw std::invalid_argument("riscv/" + std::string(mnemonic) + ": unknown");
  return named->formats;
}

std::optional<Instruction> ime_instruction(const std::string& mnemonic) {
  const auto named = read_ime(mnemonic);
  if (!named) return std::nullopt;
  const DotFormats& f = named->formats;
  const Algorithm algorithm =
      named->choices ? ime_algorithm(f, *named->choices) : make_ime_integers(f, "");
  const PartialSum partial = named->choices ? named->choices->partial : PartialSum::exact;
  return Instruction{"riscv", mnemonic, "", f, algorithm, ime_sources(algorithm, f, partial),
                     false};
}

const std::vector<CatalogueRow>& ime_rows() {
  static const ImeRows rows;
  return rows.all;
}

}  // namespace mmaspec
