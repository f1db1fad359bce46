// Formats and K by the spelling of a mnemonic.

#include <charconv>
#include <regex>
#include <stdexcept>

#include "spec/catalog/ime.h"
#include "spec/catalog/instruction.h"
#include "spec/formats/fixed_point.h"

namespace mmaspec {
namespace {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(separator, start), text.size());
    parts.emplace_back(text.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

[[noreturn]] void unreadable(std::string_view mnemonic, std::string_view why) {
  throw std::invalid_argument("cannot read the mnemonic '" + std::string(mnemonic) +
                              "': " + std::string(why));
}

const Format* format_in(std::string_view mnemonic, const std::string& name) {
  const Format* format = find_format(name);
  if (format == nullptr) unreadable(mnemonic, "unknown format '" + name + "'");
  return format;
}

/// mma.mMnNkK[.satfinite].D.A.B.C, wgmma.mMnNkK.D.A.B, tcgen05.mma.mMnNkK.D.A.B, and with
/// block_scale: [tcgen05.]mma.block_scale.mMnNkK.blockS.D.A.B[.C].SCALE
DotFormats nvidia_formats(std::string_view mnemonic) {
  static const std::regex shape("m[0-9]+n[0-9]+k([0-9]+)");
  static const std::regex block("block([0-9]+)");
  DotFormats formats{};
  std::vector<const Format*> types;
  for (const std::string& part : split(mnemonic, '.')) {
    std::smatch match;
    if (part == "mma" || part == "wgmma" || part == "tcgen05" || part == "block_scale" ||
        part == "satfinite") {
      continue;
    }
    if (std::regex_match(part, match, shape)) {
      formats.k = std::stoi(match[1]);
    } else if (std::regex_match(part, match, block)) {
      formats.scale_block = std::stoi(match[1]);
    } else {
      types.push_back(format_in(mnemonic, part));
    }
  }
  if (formats.scale_block != 0 && !types.empty()) {
    formats.scale = types.back();
    types.pop_back();
  }
  if (formats.k == 0 || types.size() < 3 || types.size() > 4)
    unreadable(mnemonic, "shape and types are missing");
  formats.d = types[0];
  formats.a = types[1];
  formats.b = types[2];
  formats.c = types.size() == 4 ? types[3] : formats.d;
  return formats;
}

/// AMD's fp8 or bf8 where they are the OCP's formats.
const Format* ocp_fp8(const std::string& name) {
  return name == "fp8" ? &formats::e4m3 : &formats::e5m2;
}

/// v_mfma_CD_MxNxK[_Tb][_]AB[_1k], where AB is one format or A_B, and CDNA4's
/// v_mfma_[scale_]CD_MxNxK_f8f6f4.A.B. From CDNA4 on fp8 and bf8 are the OCP's formats.
DotFormats amd_formats(std::string_view architecture, std::string_view mnemonic) {
  static const std::regex narrow(
      "v_mfma_(scale_)?f32_[0-9]+x[0-9]+x([0-9]+)_f8f6f4\\.(e4m3|e5m2|e2m3|e3m2|e2m1)\\."
      "(e4m3|e5m2|e2m3|e3m2|e2m1)");
  static const std::regex spelling(
      "v_mfma_(f32|f64|i32)_[0-9]+x[0-9]+x([0-9]+)(?:_[0-9]+b)?_?"
      "(f64|f32|xf32|f16|bf16|fp8|bf8|i8)(?:_(fp8|bf8))?(?:_1k)?");
  const std::string text(mnemonic);
  std::smatch match;
  if (std::regex_match(text, match, narrow)) {
    DotFormats formats{format_in(mnemonic, match[3]), format_in(mnemonic, match[4]), &formats::f32,
                       &formats::f32, std::stoi(match[2])};
    if (match[1].matched) {
      formats.scale = &formats::ue8m0;
      formats.scale_block = 32;
    }
    return formats;
  }
  if (!std::regex_match(text, match, spelling)) unreadable(mnemonic, "not a matrix instruction");
  DotFormats formats{};
  formats.k = std::stoi(match[2]);
  if (match[1] == "i32" || match[3] == "i8") {
    if (match[1] != "i32" || match[3] != "i8") unreadable(mnemonic, "not a matrix instruction");
    return {&formats::s8, &formats::s8, &formats::s32, &formats::s32, formats.k};
  }
  formats.d = formats.c = format_in(mnemonic, match[1]);
  const auto operand = [&](const std::string& name) {
    if (architecture == "cdna4" && (name == "fp8" || name == "bf8")) return ocp_fp8(name);
    return format_in(mnemonic, name);
  };
  formats.a = operand(match[3]);
  formats.b = match[4].matched ? operand(match[4]) : formats.a;
  return formats;
}

/// v_dot2_CD_AB, v_wmma_CD_MxNxK_AB, v_dot4_CD_A_B of the OCP's FP8 formats, and
/// v_wmma_i32_MxNxK_iuN.A.B[.clamp]: RDNA.
DotFormats rdna_formats(std::string_view mnemonic) {
  static const std::regex dot2("v_dot2_(f32|f16|bf16)_(f16|bf16)");
  static const std::regex dot4("v_dot4_f32_(fp8|bf8)_(fp8|bf8)");
  static const std::regex wmma("v_wmma_(f32|f16|bf16)_16x16x(16)_(f16|bf16)");
  static const std::regex integers(
      "v_wmma_i32_16x16x(16|32)_iu(8|4)\\.([su])\\2\\.([su])\\2(\\.clamp)?");
  const std::string text(mnemonic);
  std::smatch match;
  if (std::regex_match(text, match, integers)) {
    const std::string bits = match[2];
    return {format_in(mnemonic, match[3].str() + bits), format_in(mnemonic, match[4].str() + bits),
            &formats::s32, &formats::s32, std::stoi(match[1])};
  }
  const auto formats = [&](const std::string& d, const std::string& a, int k) {
    return DotFormats{format_in(mnemonic, a), format_in(mnemonic, a), format_in(mnemonic, d),
                      format_in(mnemonic, d), k};
  };
  if (std::regex_match(text, match, dot2)) return formats(match[1], match[2], 2);
  if (std::regex_match(text, match, wmma)) return formats(match[1], match[3], 16);
  if (!std::regex_match(text, match, dot4)) unreadable(mnemonic, "not a matrix instruction");
  return {ocp_fp8(match[1]), ocp_fp8(match[2]), &formats::f32, &formats::f32, 4};
}

/// v_wmma_CD_MxNxK_AB, v_wmma_bf16f32_... of an f32 c and a bf16 d,
/// v_wmma_[scale_|scale16_]f32_MxNxK_f8f6f4.A.B and _f4, and v_wmma_i32_MxNxK_iu8.A.B[.clamp]:
/// CDNA5.
DotFormats cdna5_formats(std::string_view mnemonic) {
  static const std::regex narrow(
      "v_wmma_(scale_|scale16_)?f32_(?:16x16x128_f8f6f4\\.(e4m3|e5m2|e2m3|e3m2|e2m1)\\."
      "(e4m3|e5m2|e2m3|e3m2|e2m1)|32x16x128_f4)");
  static const std::regex spelling(
      "v_wmma_(f64|f32|f16|bf16|bf16f32)_16x16x(4|32|64|128)_(f64|f32|f16|bf16|fp8|bf8)"
      "(?:_(fp8|bf8))?");
  static const std::regex integers("v_wmma_i32_16x16x64_iu8\\.([su]8)\\.([su]8)(\\.clamp)?");
  const std::string text(mnemonic);
  std::smatch match;
  if (std::regex_match(text, match, narrow)) {
    const auto operand = [&](const std::ssub_match& name) {
      return name.matched ? format_in(mnemonic, name) : &formats::e2m1;
    };
    DotFormats formats{operand(match[2]), operand(match[3]), &formats::f32, &formats::f32, 128};
    if (match[1].matched) {
      formats.scale = &formats::ue8m0;
      formats.scale_block = match[1] == "scale_" ? 32 : 16;
    }
    return formats;
  }
  if (std::regex_match(text, match, integers)) {
    return {format_in(mnemonic, match[1]), format_in(mnemonic, match[2]), &formats::s32,
            &formats::s32, 64};
  }
  if (!std::regex_match(text, match, spelling)) unreadable(mnemonic, "not a matrix instruction");
  const auto operand = [&](const std::string& name) {
    return name == "fp8" || name == "bf8" ? ocp_fp8(name) : format_in(mnemonic, name);
  };
  const bool narrows = match[1] == "bf16f32";
  const Format* d = format_in(mnemonic, narrows ? "bf16" : match[1].str());
  const Format* a = operand(match[3]);
  return {a, match[4].matched ? operand(match[4]) : a, narrows ? &formats::f32 : d, d,
          std::stoi(match[2])};
}

/// The instructions of CPUs whose names do not contain formats.
const DotFormats* cpu_formats(std::string_view mnemonic) {
  using namespace formats;
  struct Known {
    std::string_view mnemonic;
    DotFormats formats;
  };
  static const Format* const mxint8 = find_fixed_point("fixed:2.6");
  static const std::vector<Known> all = {
      {"vdpbf16ps", {&bf16, &bf16, &f32, &f32, 2}},
      {"vfmadd231ps", {&f32, &f32, &f32, &f32, 1}},
      {"vfmadd231pd", {&f64, &f64, &f64, &f64, 1}},
      {"tdpbf16ps", {&bf16, &bf16, &f32, &f32, 32}},
      {"tdpfp16ps", {&f16, &f16, &f32, &f32, 32}},
      {"tdpbf8ps", {&e5m2, &e5m2, &f32, &f32, 64}},
      {"tdpbhf8ps", {&e5m2, &e4m3, &f32, &f32, 64}},
      {"tdphbf8ps", {&e4m3, &e5m2, &f32, &f32, 64}},
      {"tdphf8ps", {&e4m3, &e4m3, &f32, &f32, 64}},
      {"vpdpbusd", {&u8, &s8, &s32, &s32, 4}},
      {"vpdpbusds", {&u8, &s8, &s32, &s32, 4}},
      {"vpdpwssd", {&s16, &s16, &s32, &s32, 2}},
      {"vpdpwssds", {&s16, &s16, &s32, &s32, 2}},
      {"tdpbssd", {&s8, &s8, &s32, &s32, 64}},
      {"tdpbsud", {&s8, &u8, &s32, &s32, 64}},
      {"tdpbusd", {&u8, &s8, &s32, &s32, 64}},
      {"tdpbuud", {&u8, &u8, &s32, &s32, 64}},
      {"top2bf16ps", {&bf16, &bf16, &f32, &f32, 2}},
      {"top4mxbf8ps", {&e5m2, &e5m2, &f32, &f32, 4, &ue8m0, 4}},
      {"top4mxbhf8ps", {&e5m2, &e4m3, &f32, &f32, 4, &ue8m0, 4}},
      {"top4mxhbf8ps", {&e4m3, &e5m2, &f32, &f32, 4, &ue8m0, 4}},
      {"top4mxhf8ps", {&e4m3, &e4m3, &f32, &f32, 4, &ue8m0, 4}},
      {"top4mxbssps", {mxint8, mxint8, &f32, &f32, 4, &ue8m0, 4}},
      {"top4bssd", {&s8, &s8, &s32, &s32, 4}},
      {"top4bsud", {&s8, &u8, &s32, &s32, 4}},
      {"top4busd", {&u8, &s8, &s32, &s32, 4}},
      {"top4buud", {&u8, &u8, &s32, &s32, 4}},
      {"bfdot", {&bf16, &bf16, &f32, &f32, 2}},
      {"bfmmla", {&bf16, &bf16, &f32, &f32, 4}},
      {"bfmopa", {&bf16, &bf16, &f32, &f32, 2}},
      {"fmopa.f32.f16", {&f16, &f16, &f32, &f32, 2}},
      {"fmopa.f32", {&f32, &f32, &f32, &f32, 1}},
      {"fmopa.f64", {&f64, &f64, &f64, &f64, 1}},
      {"fdot.f16.e4m3.e4m3", {&e4m3, &e4m3, &f16, &f16, 2}},
      {"fdot.f16.e5m2.e5m2", {&e5m2, &e5m2, &f16, &f16, 2}},
      {"fdot.f32.e4m3.e4m3", {&e4m3, &e4m3, &f32, &f32, 4}},
      {"fdot.f32.e4m3.e5m2", {&e4m3, &e5m2, &f32, &f32, 4}},
      {"fdot.f32.e5m2.e4m3", {&e5m2, &e4m3, &f32, &f32, 4}},
      {"fdot.f32.e5m2.e5m2", {&e5m2, &e5m2, &f32, &f32, 4}},
      {"fmmla.f16.e4m3.e4m3", {&e4m3, &e4m3, &f16, &f16, 4}},
      {"fmmla.f16.e5m2.e5m2", {&e5m2, &e5m2, &f16, &f16, 4}},
      {"fmmla.f32.e4m3.e4m3", {&e4m3, &e4m3, &f32, &f32, 8}},
      {"fmmla.f32.e4m3.e5m2", {&e4m3, &e5m2, &f32, &f32, 8}},
      {"fmmla.f32.e5m2.e4m3", {&e5m2, &e4m3, &f32, &f32, 8}},
      {"fmmla.f32.e5m2.e5m2", {&e5m2, &e5m2, &f32, &f32, 8}},
      {"fmla.f32", {&f32, &f32, &f32, &f32, 1}},
      {"fmla.f64", {&f64, &f64, &f64, &f64, 1}},
      {"xvbf16ger2pp", {&bf16, &bf16, &f32, &f32, 2}},
      {"xvf16ger2pp", {&f16, &f16, &f32, &f32, 2}},
      {"xvf32gerpp", {&f32, &f32, &f32, &f32, 1}},
      {"xvf64gerpp", {&f64, &f64, &f64, &f64, 1}},
      {"fma64", {&f64, &f64, &f64, &f64, 1}},
      {"fma32", {&f32, &f32, &f32, &f32, 1}},
      {"fma16", {&f16, &f16, &f16, &f16, 1}},
      {"fma16.f32", {&f16, &f16, &f32, &f32, 1}},
      {"matfp.f32.bf16", {&bf16, &bf16, &f32, &f32, 1}},
      {"matfp.bf16.bf16", {&bf16, &bf16, &bf16, &bf16, 1}},
  };
  for (const Known& known : all) {
    if (known.mnemonic == mnemonic) return &known.formats;
  }
  return nullptr;
}

/// vfwbdot.D.A.B.nK and vfqbdot.D.A.B.nK: RISC-V's, with the products of one bulk normalization.
DotFormats riscv_formats(std::string_view mnemonic) {
  static const std::regex spelling("vf[wq]bdot\\.(f32)\\.([a-z0-9]+)\\.([a-z0-9]+)\\.n([0-9]+)");
  const std::string text(mnemonic);
  std::smatch match;
  if (!std::regex_match(text, match, spelling)) unreadable(mnemonic, "not a matrix instruction");
  return {format_in(mnemonic, match[2]), format_in(mnemonic, match[3]),
          format_in(mnemonic, match[1]), format_in(mnemonic, match[1]), std::stoi(match[4])};
}

/// mvmul.D.AB.AB.FIDELITY: Tenstorrent's, of 16 products.
DotFormats tenstorrent_formats(std::string_view mnemonic) {
  static const std::regex spelling(
      "mvmul\\.(f32|bf16)\\.(bf16|tf32|f16)\\.\\2\\.(?:lofi|hifi[234])");
  const std::string text(mnemonic);
  std::smatch match;
  if (!std::regex_match(text, match, spelling)) unreadable(mnemonic, "not a matrix instruction");
  const Format* operand = format_in(mnemonic, match[2]);
  const Format* result = format_in(mnemonic, match[1]);
  return {operand, operand, result, result, 16};
}

}  // namespace

DotFormats formats_of(std::string_view architecture, std::string_view mnemonic) {
  if (const DotFormats* known = cpu_formats(mnemonic)) return *known;
  if (mnemonic.starts_with("v_mfma")) return amd_formats(architecture, mnemonic);
  if (architecture == "cdna5") return cdna5_formats(mnemonic);
  if (mnemonic.starts_with("v_")) return rdna_formats(mnemonic);
  if (mnemonic.starts_with("mvmul")) return tenstorrent_formats(mnemonic);
  if (is_ime(mnemonic)) return ime_formats(mnemonic);
  if (mnemonic.starts_with("vf")) return riscv_formats(mnemonic);
  return nvidia_formats(mnemonic);
}

}  // namespace mmaspec
