// Conversion instructions: NVIDIA's cvt and AMD's V_CVT_*, one element each.

#include "spec/conversions/conversions.h"

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>
#include <tuple>

#include "spec/catalog/open_design.h"
#include "spec/catalog/parameter_sets.h"
#include "spec/conversions/conversion_design.h"

namespace mmaspec {
namespace {

/// What an instruction takes in addition to its number, as keys in parentheses after its name.
enum Keys : unsigned {
  kNone = 0,
  kScaleDivides = 1,     ///< scale=E: the number is divided by 2^E
  kScaleMultiplies = 2,  ///< scale=E: the number is multiplied by 2^E
  kRandom = 4,           ///< random=R: the random bits that this number gets
  kFp16Ovfl = 8,         ///< fp16_ovfl=1: MODE.FP16_OVFL
};

struct ConversionRow {
  std::string architecture;
  std::string mnemonic;
  const Format* from;
  const Format* to;
  Conversion conversion;
  unsigned keys;
  Evidence evidence;
  std::string source;
};

using ConversionRows = std::vector<ConversionRow>;

const std::string kPtxCvt = "NVIDIA PTX ISA 9.1, cvt";

/// True if recorded results of an H100 (tests/data/hardware/conversions) agree with the
/// instruction: drawn numbers or all patterns of 16 and 8 bits, and for those of f32 all patterns.
bool is_recorded(std::string_view architecture, const std::string& mnemonic) {
  static const std::set<std::string> recorded{
      "cvt.rn.f16.f32",
      "cvt.rz.f16.f32",
      "cvt.rn.bf16.f32",
      "cvt.rz.bf16.f32",
      "cvt.rn.relu.f16.f32",
      "cvt.rz.relu.f16.f32",
      "cvt.rn.relu.bf16.f32",
      "cvt.rz.relu.bf16.f32",
      "cvt.rn.satfinite.f16.f32",
      "cvt.rn.satfinite.bf16.f32",
      "cvt.rna.tf32.f32",
      "cvt.rn.tf32.f32",
      "cvt.rz.tf32.f32",
      "cvt.rn.relu.tf32.f32",
      "cvt.rz.relu.tf32.f32",
      "cvt.rna.satfinite.tf32.f32",
      "cvt.rn.satfinite.e4m3x2.f32",
      "cvt.rn.satfinite.e5m2x2.f32",
      "cvt.rn.satfinite.relu.e4m3x2.f32",
      "cvt.rn.satfinite.relu.e5m2x2.f32",
      "cvt.rn.satfinite.e4m3x2.f16x2",
      "cvt.rn.satfinite.e5m2x2.f16x2",
      "cvt.rn.satfinite.relu.e4m3x2.f16x2",
      "cvt.rn.satfinite.relu.e5m2x2.f16x2",
      "cvt.rn.f16x2.e4m3x2",
      "cvt.rn.f16x2.e5m2x2",
      "cvt.rn.relu.f16x2.e4m3x2",
      "cvt.rn.relu.f16x2.e5m2x2",
      "cvt.f32.f16",
      "cvt.f32.bf16",
      "cvt.rn.bf16.f16",
      "cvt.rn.f16.bf16",
  };
  return architecture == "hopper" && recorded.count(mnemonic) != 0;
}

/// The instruction on this and all later architectures of NVIDIA.
void add_cvt(ConversionRows& rows, std::string_view since, const std::string& mnemonic,
             const Format& from, const Format& to, const Conversion& conversion,
             const std::string& header) {
  static const std::vector<std::string_view> all{"volta",  "turing",    "ampere",       "ada",
                                                 "hopper", "blackwell", "rtx-blackwell"};
  const std::string source =
      kPtxCvt + (header.empty() ? "" : "; CUDA 13.5, host code of " + header);
  for (auto at = std::find(all.begin(), all.end(), since); at != all.end(); ++at) {
    const bool recorded = is_recorded(*at, mnemonic);
    rows.push_back({std::string(*at), mnemonic, &from, &to, conversion, kNone,
                    recorded ? Evidence::hardware : Evidence::documented,
                    recorded ? "results of an H100; " + source : source});
  }
}

Conversion with_relu(Conversion conversion) {
  conversion.relu = true;
  return conversion;
}

Conversion saturating(Rounding round) { return {round, Overflow::saturate, true, true}; }

constexpr std::array<std::pair<const char*, Rounding>, 4> kRoundings{
    {{"rn", Rounding::nearest_even},
     {"rz", Rounding::toward_zero},
     {"rm", Rounding::down},
     {"rp", Rounding::up}}};

/// Conversions between the formats of IEEE 754's kind: f64, f32, f16 and bf16.
void add_wide_formats(ConversionRows& rows) {
  using namespace formats;
  const Conversion exact{Rounding::nearest_even, Overflow::directed};
  add_cvt(rows, "volta", "cvt.f32.f16", f16, f32, exact, "cuda_fp16.hpp");
  add_cvt(rows, "volta", "cvt.f64.f32", f32, f64, exact, "");
  add_cvt(rows, "volta", "cvt.f64.f16", f16, f64, exact, "");
  add_cvt(rows, "ampere", "cvt.f32.bf16", bf16, f32, exact, "");
  add_cvt(rows, "hopper", "cvt.f64.bf16", bf16, f64, exact, "");
  // .ftz is about subnormal numbers of f32 alone. None is a number of f16.
  Conversion flushed = exact;
  flushed.flush_result = true;
  add_cvt(rows, "volta", "cvt.ftz.f32.f16", f16, f32, flushed, "");
  add_cvt(rows, "hopper", "cvt.ftz.f32.bf16", bf16, f32, flushed, "");
  for (const auto& [name, round] : kRoundings) {
    const std::string start = std::string("cvt.") + name;
    const Conversion rounded{round, Overflow::directed};
    Conversion of_flushed = rounded;
    of_flushed.flush_operand = true;
    const bool has_header = round == Rounding::nearest_even || round == Rounding::toward_zero;
    add_cvt(rows, "volta", start + ".f16.f32", f32, f16, rounded,
            has_header ? "cuda_fp16.hpp" : "");
    add_cvt(rows, "volta", start + ".ftz.f16.f32", f32, f16, of_flushed, "");
    add_cvt(rows, "volta", start + ".f32.f64", f64, f32, rounded, "");
    add_cvt(rows, "volta", start + ".f16.f64", f64, f16, rounded, "");
    add_cvt(rows, "hopper", start + ".bf16.f64", f64, bf16, rounded, "");
    add_cvt(rows, "hopper", start + ".bf16.f16", f16, bf16, rounded, "");
    add_cvt(rows, "hopper", start + ".f16.bf16", bf16, f16, rounded, "");
  }
}

/// Stochastic rounding: `random` holds the bits of one number.
void add_stochastic(ConversionRows& rows) {
  using namespace formats;
  const std::string start = "cvt.rs.";
  const auto add = [&](const std::string& mnemonic, const Format& to, const Conversion& conversion,
                       Evidence evidence, const std::string& source) {
    rows.push_back(
        {"blackwell", mnemonic, &f32, &to, conversion, kRandom, evidence, kPtxCvt + source});
  };
  for (const auto& [name, to, bits] :
       {std::tuple{"f16x2.f32", &f16, 13}, {"bf16x2.f32", &bf16, 16}}) {
    for (const bool saturates : {false, true}) {
      const Conversion conversion{
          .overflow = saturates ? Overflow::saturate : Overflow::to_infinity,
          .infinity_is_largest = saturates,
          .random_bits = bits};
      const std::string end = std::string(saturates ? "satfinite." : "") + name;
      // The text does not say how numbers beyond the largest are rounded without .satfinite.
      const Evidence evidence = saturates ? Evidence::documented : Evidence::model;
      const std::string source =
          saturates ? ""
                    : "; numbers beyond the largest: FlashInfer, "
                      "include/flashinfer/mamba/conversion.cuh; TIRx-harness, numsim";
      add(start + end, *to, conversion, evidence, source);
      add(start + "relu." + end, *to, with_relu(conversion), evidence, source);
    }
  }
  for (const Format* to : {&e4m3, &e5m2, &e2m3, &e3m2, &e2m1}) {
    const Conversion conversion{.overflow = Overflow::saturate,
                                .infinity_is_largest = true,
                                .nan_is_largest = true,
                                .random_bits = 16};
    const std::string end = "satfinite." + std::string(to->name) + "x4.f32";
    const std::string source =
        "; 16 random bits per number, added at the top of the bits that are cut: measured on a "
        "B200 for e4m3x4, e5m2x4 and e2m1x4 by vkuzo/quant_cast_bench "
        "(experiments/nvidia_rs_bit_probe) and by mlc-ai/TIRx-harness (numsim)";
    add(start + end, *to, conversion, Evidence::model, source);
    add(start + "relu." + end, *to, with_relu(conversion), Evidence::model, source);
  }
}

void add_nvidia_conversions(ConversionRows& rows) {
  using namespace formats;
  const Conversion nearest{Rounding::nearest_even, Overflow::directed};
  const Conversion toward_zero{Rounding::toward_zero, Overflow::directed};
  const Conversion away{Rounding::nearest_away, Overflow::directed};
  add_wide_formats(rows);
  add_cvt(rows, "ampere", "cvt.rn.bf16.f32", f32, bf16, nearest, "cuda_bf16.hpp");
  add_cvt(rows, "ampere", "cvt.rz.bf16.f32", f32, bf16, toward_zero, "cuda_bf16.hpp");
  for (const auto& [name, round] :
       {std::pair{"rn", Rounding::nearest_even}, {"rz", Rounding::toward_zero}}) {
    const std::string start = std::string("cvt.") + name;
    const Conversion positive = with_relu({round, Overflow::directed});
    const Conversion both = with_relu(saturating(round));
    for (const auto& [end, to] : {std::pair{".f16.f32", &f16}, {".bf16.f32", &bf16}}) {
      add_cvt(rows, "ampere", start + ".satfinite" + end, f32, *to, saturating(round), "");
      add_cvt(rows, "ampere", start + ".relu" + end, f32, *to, positive, "");
      add_cvt(rows, "ampere", start + ".relu.satfinite" + end, f32, *to, both, "");
    }
    add_cvt(rows, "blackwell", start + ".satfinite.tf32.f32", f32, tf32, saturating(round), "");
    add_cvt(rows, "hopper", start + ".relu.tf32.f32", f32, tf32, positive, "");
    add_cvt(rows, "blackwell", start + ".satfinite.relu.tf32.f32", f32, tf32, both, "");
  }
  add_cvt(rows, "ampere", "cvt.rna.tf32.f32", f32, tf32, away, "");
  add_cvt(rows, "ampere", "cvt.rna.satfinite.tf32.f32", f32, tf32,
          saturating(Rounding::nearest_away), "");
  add_cvt(rows, "hopper", "cvt.rn.tf32.f32", f32, tf32, nearest, "");
  add_cvt(rows, "hopper", "cvt.rz.tf32.f32", f32, tf32, toward_zero, "");
  const Conversion packed = saturating(Rounding::nearest_even);
  for (const Format* small : {&e4m3, &e5m2, &e2m1, &e2m3, &e3m2}) {
    const std::string name = std::string(small->name) + "x2";
    const bool is_fp8 = small->storage_bits == 8;
    const std::string_view since = is_fp8 ? "ada" : "blackwell";
    const std::string header = is_fp8           ? "cuda_fp8.hpp"
                               : small == &e2m1 ? "cuda_fp4.hpp"
                                                : "cuda_fp6.hpp";
    const std::string plain = "cvt.rn.satfinite." + name;
    const std::string relu = "cvt.rn.satfinite.relu." + name;
    add_cvt(rows, since, plain + ".f32", f32, *small, packed, header);
    add_cvt(rows, since, relu + ".f32", f32, *small, with_relu(packed), "");
    add_cvt(rows, since, plain + ".f16x2", f16, *small, packed, is_fp8 ? header : "");
    add_cvt(rows, since, relu + ".f16x2", f16, *small, with_relu(packed), "");
    add_cvt(rows, "blackwell", plain + ".bf16x2", bf16, *small, packed, "");
    add_cvt(rows, "blackwell", relu + ".bf16x2", bf16, *small, with_relu(packed), "");
    add_cvt(rows, since, "cvt.rn.f16x2." + name, *small, f16, nearest, header);
    add_cvt(rows, since, "cvt.rn.relu.f16x2." + name, *small, f16, with_relu(nearest), "");
  }
  for (const auto& [name, round] : {std::pair{"rz", Rounding::toward_zero}, {"rp", Rounding::up}}) {
    const std::string start = std::string("cvt.") + name;
    for (const auto& [source, from] : {std::pair{"f32", &f32}, {"bf16x2", &bf16}}) {
      add_cvt(rows, "blackwell", start + ".ue8m0x2." + source, *from, ue8m0,
              {round, Overflow::to_infinity}, "cuda_fp8.hpp");
      add_cvt(rows, "blackwell", start + ".satfinite.ue8m0x2." + source, *from, ue8m0,
              {round, Overflow::saturate, true}, "cuda_fp8.hpp");
    }
  }
  add_cvt(rows, "blackwell", "cvt.rn.bf16x2.ue8m0x2", ue8m0, bf16, nearest, "cuda_fp8.hpp");
  add_stochastic(rows);
}

const std::string kRocjitsu =
    "rocjitsu (ROCm/rocm-systems, emulation/rocjitsu), lib/util/include/util/data_types.h";

void add_emulated(ConversionRows& rows, const std::string& architecture,
                  const std::string& mnemonic, const Format& from, const Format& to,
                  const Conversion& conversion, unsigned keys) {
  const bool scaled = (keys & (kScaleDivides | kScaleMultiplies)) != 0;
  const std::string scale =
      "; the scale is a power of two, of which bits 30 to 23 are read (LLVM "
      "issue 158117)";
  rows.push_back({architecture, mnemonic, &from, &to, conversion, keys, Evidence::emulator,
                  kRocjitsu + (scaled ? scale : "")});
}

/// AMD's stochastic rounding to formats of 8 bits and fewer.
constexpr Conversion kStochastic{.random_bits = 24, .tiny_is_zero = true};

void add_fp8_of_amd(ConversionRows& rows, const std::string& architecture, const Format& fp8,
                    const Format& bf8) {
  using formats::f32;
  for (const auto& [name, format] : {std::pair{"fp8", &fp8}, {"bf8", &bf8}}) {
    const std::string text = name;
    add_emulated(rows, architecture, "v_cvt_pk_" + text + "_f32", f32, *format, {}, kFp16Ovfl);
    add_emulated(rows, architecture, "v_cvt_sr_" + text + "_f32", f32, *format, kStochastic,
                 kRandom | kFp16Ovfl);
    add_emulated(rows, architecture, "v_cvt_f32_" + text, *format, f32, {}, kNone);
    add_emulated(rows, architecture, "v_cvt_pk_f32_" + text, *format, f32, {}, kNone);
  }
}

/// V_CVT_SCALEF32_*: narrow results are divided by the scale factor, wide ones multiplied by it.
void add_scaled(ConversionRows& rows) {
  using namespace formats;
  struct Narrow {
    std::string name;
    const Format* format;
  };
  const std::vector<Narrow> narrow{
      {"fp8", &e4m3}, {"bf8", &e5m2}, {"fp4", &e2m1}, {"fp6", &e2m3}, {"bf6", &e3m2}};
  const std::vector<Narrow> wide{{"f32", &f32}, {"f16", &f16}, {"bf16", &bf16}};
  const std::string start = "v_cvt_scalef32_";
  for (const auto& [small, small_format] : narrow) {
    const bool has_nan = small_format->has_nan();
    const bool is_fp6 = small_format->storage_bits == 6;
    const unsigned keys = kScaleDivides | (has_nan ? kFp16Ovfl : kNone);
    Conversion nearest;
    Conversion stochastic = kStochastic;
    if (!has_nan) nearest.overflow = stochastic.overflow = Overflow::saturate;
    const std::string packed = is_fp6 ? "pk32_" : "pk_";
    for (const auto& [large, large_format] : wide) {
      // Two operands of 16 numbers each hold 32 numbers of f32.
      const bool two_operands = is_fp6 && large_format == &f32;
      add_emulated(rows, "cdna4", start + (two_operands ? "2xpk16_" : packed) + small + "_" + large,
                   *large_format, *small_format, nearest, keys);
      add_emulated(rows, "cdna4", start + "sr_" + (has_nan ? "" : packed) + small + "_" + large,
                   *large_format, *small_format, stochastic, keys | kRandom);
      add_emulated(rows, "cdna4", start + packed + large + "_" + small, *small_format,
                   *large_format, {}, kScaleMultiplies);
      if (has_nan && large_format != &bf16) {
        add_emulated(rows, "cdna4", start + large + "_" + small, *small_format, *large_format, {},
                     kScaleMultiplies);
      }
    }
  }
}

void add_amd(ConversionRows& rows) {
  using namespace formats;
  add_fp8_of_amd(rows, "cdna3", e4m3fnuz, e5m2fnuz);
  add_fp8_of_amd(rows, "cdna4", e4m3, e5m2);
  add_fp8_of_amd(rows, "rdna4", e4m3, e5m2);
  for (const char* architecture : {"cdna3", "cdna4", "rdna4"}) {
    add_emulated(rows, architecture, "v_cvt_f16_f32", f32, f16, {}, kFp16Ovfl);
    add_emulated(rows, architecture, "v_cvt_pkrtz_f16_f32", f32, f16,
                 {Rounding::toward_zero, Overflow::directed}, kNone);
    add_emulated(rows, architecture, "v_cvt_f32_f16", f16, f32, {}, kNone);
  }
  add_emulated(rows, "cdna4", "v_cvt_pk_f16_f32", f32, f16, {}, kFp16Ovfl);
  add_emulated(rows, "cdna4", "v_cvt_pk_bf16_f32", f32, bf16, {}, kFp16Ovfl);
  add_emulated(rows, "cdna4", "v_cvt_f32_bf16", bf16, f32, {}, kNone);
  add_emulated(rows, "cdna4", "v_cvt_sr_f16_f32", f32, f16, {.random_bits = 13},
               kRandom | kFp16Ovfl);
  rows.push_back({"cdna4",
                  "v_cvt_sr_bf16_f32",
                  &f32,
                  &bf16,
                  {.random_bits = 16},
                  kRandom | kFp16Ovfl,
                  Evidence::emulator,
                  kRocjitsu + ", except for subnormal operands, of which it makes normal numbers"});
  add_scaled(rows);
}

const ConversionRows& conversion_rows() {
  static const ConversionRows rows = [] {
    ConversionRows all;
    add_nvidia_conversions(all);
    add_amd(all);
    return all;
  }();
  return rows;
}

std::string keys_text(unsigned keys) {
  std::string text;
  const auto add = [&](const char* key) { text += (text.empty() ? "" : ",") + std::string(key); };
  if ((keys & (kScaleDivides | kScaleMultiplies)) != 0) add("scale=E");
  if ((keys & kRandom) != 0) add("random=R");
  if ((keys & kFp16Ovfl) != 0) add("fp16_ovfl=0|1");
  return text;
}

/// The row's conversion with the values of its keys.
Conversion with_keys(const ConversionRow& row, ParameterReader& reader) {
  Conversion conversion = row.conversion;
  if ((row.keys & (kScaleDivides | kScaleMultiplies)) != 0) {
    const int scale = reader.integer("scale", -127, 127);
    conversion.exponent = (row.keys & kScaleDivides) != 0 ? -scale : scale;
  }
  if ((row.keys & kRandom) != 0) {
    conversion.random = reader.integer("random", 0, (1 << conversion.random_bits) - 1);
  }
  if ((row.keys & kFp16Ovfl) != 0 && reader.integer("fp16_ovfl", 0, 1, 0) == 1) {
    conversion.overflow = Overflow::saturate;
    // Infinities stay where the result has 16 bits.
    conversion.infinity_is_largest = row.to->storage_bits == 8;
  }
  return conversion;
}

Instruction made(const ConversionRow& row, const std::string& mnemonic,
                 const Conversion& conversion) {
  const DotFormats formats = conversion_formats(*row.from, *row.to);
  Algorithm algorithm = conversion_design(conversion, formats);
  std::vector<Provenance> provenance = all_from(algorithm, row.evidence, row.source);
  return {row.architecture,      mnemonic, "", formats, std::move(algorithm),
          std::move(provenance), false};
}

/// `design:conversion(c=..,d=..,...)`, without the prefix and the last parenthesis.
Instruction open_conversion(const std::string& name, std::string_view pairs) {
  try {
    ParameterReader reader(parse_pairs(pairs));
    const DotFormats formats =
        conversion_formats(reader.format("c", formats::f32), reader.format("d", formats::bf16));
    Conversion conversion;
    read_parameters(reader, [&](ParameterVisitor& visit) { describe(conversion, formats, visit); });
    reader.require_all_read();
    return {"design", name, "", formats, conversion_design(conversion, formats), {}, false};
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument("design:conversion: " + std::string(error.what()));
  }
}

/// The conversion of this name; nullopt: there is none.
std::optional<Instruction> find_conversion(const std::string& architecture,
                                           const std::string& mnemonic) {
  const std::size_t open = mnemonic.find('(');
  const std::string plain = mnemonic.substr(0, open);
  const auto& rows = conversion_rows();
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const ConversionRow& r) {
    return r.architecture == architecture && r.mnemonic == plain;
  });
  if (row == rows.end()) return std::nullopt;
  const std::string name = architecture + "/" + plain;
  const std::string keys = keys_text(row->keys);
  if (open != std::string::npos && !mnemonic.ends_with(')')) {
    throw std::invalid_argument(name + ": expected (key=value,...) after the name");
  }
  try {
    ParameterReader reader(
        open == std::string::npos
            ? std::map<std::string, std::string>()
            : parse_pairs(std::string_view(mnemonic).substr(open + 1, mnemonic.size() - open - 2)));
    const Conversion conversion = with_keys(*row, reader);
    reader.require_all_read();
    return made(*row, mnemonic, conversion);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(name + ": " + error.what() +
                                (keys.empty() ? "" : " (the name takes (" + keys + "))"));
  }
}

}  // namespace

std::vector<ListedConversion> conversion_names() {
  std::vector<ListedConversion> all;
  for (const ConversionRow& row : conversion_rows()) {
    all.push_back({row.architecture, row.mnemonic, keys_text(row.keys), row.from, row.to});
  }
  return all;
}

std::vector<Instruction> listed_conversions() {
  std::vector<Instruction> all;
  for (const ConversionRow& row : conversion_rows()) {
    std::string keys;
    if ((row.keys & (kScaleDivides | kScaleMultiplies)) != 0) keys = "scale=1";
    if ((row.keys & kRandom) != 0) {
      keys += (keys.empty() ? "random=" : ",random=") +
              std::to_string(1 << (row.conversion.random_bits - 1));
    }
    if (!keys.empty()) keys = "(" + keys + ")";
    all.push_back(find_with_conversions(row.architecture + "/" + row.mnemonic + keys));
  }
  return all;
}

OpenAlgorithmHelp conversion_help() {
  std::vector<ParameterHelp> all{{"c", "a floating-point format", "f32", "format of the operand"},
                                 {"d", "a floating-point format", "bf16", "format of the result"}};
  Conversion conversion;
  const DotFormats formats = conversion_formats(formats::f32, formats::bf16);
  for (ParameterHelp& help : document_parameters(
           [&](ParameterVisitor& visit) { describe(conversion, formats, visit); })) {
    all.push_back(std::move(help));
  }
  return {std::string(ConversionDesign::kName), std::string(ConversionDesign::kReference),
          std::move(all)};
}

Instruction find_with_conversions(std::string_view given) {
  static const std::string kOpen = "design:" + std::string(ConversionDesign::kName) + "(";
  const std::string name = canonical_name(given);
  if (name.starts_with(kOpen) && name.ends_with(')')) {
    return open_conversion(name.substr(7), std::string_view(name).substr(
                                               kOpen.size(), name.size() - kOpen.size() - 1));
  }
  const std::size_t slash = name.find('/');
  if (slash != std::string::npos && name.substr(0, slash).find(':') == std::string::npos) {
    if (const auto architecture = architecture_named(name.substr(0, slash))) {
      if (auto found = find_conversion(*architecture, name.substr(slash + 1))) {
        found->asked = name;
        return *found;
      }
    }
  }
  return find_instruction(given);
}

}  // namespace mmaspec
