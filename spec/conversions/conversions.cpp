// Conversion instructions: NVIDIA's cvt and AMD's V_CVT_*, one element each.

#include "spec/conversions/conversions.h"

#include <algorithm>
#include <stdexcept>

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
  kRandom = 4,           ///< random=R: the high 24 bits of the seed
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

using Rows = std::vector<ConversionRow>;

const std::string kPtx = "NVIDIA PTX ISA 9.0, cvt";

/// The instruction on this and all later architectures of NVIDIA.
void add_cvt(Rows& rows, std::string_view since, const std::string& mnemonic, const Format& from,
             const Format& to, const Conversion& conversion, const std::string& header) {
  static const std::vector<std::string_view> all{"volta",  "turing",    "ampere",       "ada",
                                                 "hopper", "blackwell", "rtx-blackwell"};
  const std::string source = kPtx + (header.empty() ? "" : "; CUDA 13.5, host code of " + header);
  for (auto at = std::find(all.begin(), all.end(), since); at != all.end(); ++at) {
    rows.push_back(
        {std::string(*at), mnemonic, &from, &to, conversion, kNone, Evidence::documented, source});
  }
}

Conversion with_relu(Conversion conversion) {
  conversion.relu = true;
  return conversion;
}

Conversion saturating(Rounding round) { return {round, Overflow::saturate, true, true}; }

void add_nvidia(Rows& rows) {
  using namespace formats;
  const Conversion nearest{Rounding::nearest_even, Overflow::directed};
  const Conversion toward_zero{Rounding::toward_zero, Overflow::directed};
  const Conversion away{Rounding::nearest_away, Overflow::directed};
  add_cvt(rows, "volta", "cvt.rn.f16.f32", f32, f16, nearest, "cuda_fp16.hpp");
  add_cvt(rows, "volta", "cvt.rz.f16.f32", f32, f16, toward_zero, "cuda_fp16.hpp");
  add_cvt(rows, "volta", "cvt.rm.f16.f32", f32, f16, {Rounding::down, Overflow::directed}, "");
  add_cvt(rows, "volta", "cvt.rp.f16.f32", f32, f16, {Rounding::up, Overflow::directed}, "");
  add_cvt(rows, "volta", "cvt.f32.f16", f16, f32, nearest, "cuda_fp16.hpp");
  add_cvt(rows, "ampere", "cvt.rn.bf16.f32", f32, bf16, nearest, "cuda_bf16.hpp");
  add_cvt(rows, "ampere", "cvt.rz.bf16.f32", f32, bf16, toward_zero, "cuda_bf16.hpp");
  for (const auto& [name, round] :
       {std::pair{"rn", Rounding::nearest_even}, {"rz", Rounding::toward_zero}}) {
    const std::string start = std::string("cvt.") + name + ".satfinite.";
    add_cvt(rows, "ampere", start + "f16.f32", f32, f16, saturating(round), "");
    add_cvt(rows, "ampere", start + "bf16.f32", f32, bf16, saturating(round), "");
    add_cvt(rows, "blackwell", start + "tf32.f32", f32, tf32, saturating(round), "");
    const std::string relu = std::string("cvt.") + name + ".relu.";
    const Conversion positive = with_relu({round, Overflow::directed});
    add_cvt(rows, "ampere", relu + "f16.f32", f32, f16, positive, "");
    add_cvt(rows, "ampere", relu + "bf16.f32", f32, bf16, positive, "");
    add_cvt(rows, "hopper", relu + "tf32.f32", f32, tf32, positive, "");
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
    add_cvt(rows, since, "cvt.rn.satfinite." + name + ".f32", f32, *small, packed, header);
    if (is_fp8) {
      add_cvt(rows, since, "cvt.rn.satfinite." + name + ".f16x2", f16, *small, packed, header);
    }
    add_cvt(rows, since, "cvt.rn.f16x2." + name, *small, f16, nearest, header);
    add_cvt(rows, since, "cvt.rn.satfinite.relu." + name + ".f32", f32, *small, with_relu(packed),
            "");
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
}

const std::string kRocjitsu =
    "rocjitsu (ROCm/rocm-systems, emulation/rocjitsu), lib/util/include/util/data_types.h";

void add_fp8_of_amd(Rows& rows, const std::string& architecture, const Format& fp8,
                    const Format& bf8) {
  using formats::f32;
  const Conversion stochastic{.random_bits = 24, .tiny_is_zero = true};
  for (const auto& [name, format] : {std::pair{"fp8", &fp8}, {"bf8", &bf8}}) {
    const auto add = [&](const std::string& mnemonic, const Format& from, const Format& to,
                         const Conversion& conversion, unsigned keys) {
      rows.push_back(
          {architecture, mnemonic, &from, &to, conversion, keys, Evidence::emulator, kRocjitsu});
    };
    const std::string text = name;
    add("v_cvt_pk_" + text + "_f32", f32, *format, {}, kFp16Ovfl);
    add("v_cvt_sr_" + text + "_f32", f32, *format, stochastic, kRandom | kFp16Ovfl);
    add("v_cvt_f32_" + text, *format, f32, {}, kNone);
  }
}

void add_amd(Rows& rows) {
  using namespace formats;
  add_fp8_of_amd(rows, "cdna3", e4m3fnuz, e5m2fnuz);
  add_fp8_of_amd(rows, "cdna4", e4m3, e5m2);
  add_fp8_of_amd(rows, "rdna4", e4m3, e5m2);
  for (const char* architecture : {"cdna3", "cdna4", "rdna4"}) {
    rows.push_back(
        {architecture, "v_cvt_f16_f32", &f32, &f16, {}, kNone, Evidence::emulator, kRocjitsu});
    rows.push_back({architecture,
                    "v_cvt_pkrtz_f16_f32",
                    &f32,
                    &f16,
                    {Rounding::toward_zero, Overflow::directed},
                    kNone,
                    Evidence::emulator,
                    kRocjitsu});
  }
  rows.push_back(
      {"cdna4", "v_cvt_pk_bf16_f32", &f32, &bf16, {}, kNone, Evidence::emulator, kRocjitsu});
  const std::string scaled = kRocjitsu +
                             "; the scale is a power of two, of which bits 30 to 23 "
                             "are read (LLVM issue 158117)";
  for (const auto& [name, to] : {std::pair{"pk_fp8", &e4m3},
                                 {"pk_bf8", &e5m2},
                                 {"pk_fp4", &e2m1},
                                 {"pk32_fp6", &e2m3},
                                 {"pk32_bf6", &e3m2}}) {
    const Conversion conversion =
        to->has_nan() ? Conversion{} : Conversion{.overflow = Overflow::saturate};
    const std::string start = std::string("v_cvt_scalef32_") + name;
    for (const auto& [source, from] : {std::pair{"_f32", &f32}, {"_f16", &f16}, {"_bf16", &bf16}}) {
      // The ISA has no packed FP6 conversion of 32 numbers of f32 in one instruction.
      const bool two_sources = to->storage_bits == 6 && from == &f32;
      if (two_sources) continue;
      rows.push_back({"cdna4", start + source, from, to, conversion, kScaleDivides,
                      Evidence::emulator, scaled});
    }
  }
  for (const auto& [name, from] : {std::pair{"pk_f32_fp8", &e4m3},
                                   {"pk_f32_bf8", &e5m2},
                                   {"pk_f32_fp4", &e2m1},
                                   {"pk32_f32_fp6", &e2m3},
                                   {"pk32_f32_bf6", &e3m2}}) {
    rows.push_back({"cdna4",
                    std::string("v_cvt_scalef32_") + name,
                    from,
                    &f32,
                    {},
                    kScaleMultiplies,
                    Evidence::emulator,
                    scaled});
  }
}

const Rows& conversion_rows() {
  static const Rows rows = [] {
    Rows all;
    add_nvidia(all);
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
    conversion.infinity_is_largest = true;
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
    if ((row.keys & (kScaleDivides | kScaleMultiplies)) != 0) keys = "(scale=1)";
    if ((row.keys & kRandom) != 0) {
      keys = "(random=" + std::to_string(1 << (row.conversion.random_bits - 1)) + ")";
    }
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
