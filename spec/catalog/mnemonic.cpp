// Formats and K by the spelling of a mnemonic.

#include <charconv>
#include <regex>
#include <stdexcept>

#include "spec/catalog/instruction.h"

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

/// mma.mMnNkK.D.A.B.C, wgmma.mMnNkK.D.A.B, tcgen05.mma.mMnNkK.D.A.B, and with block_scale:
/// [tcgen05.]mma.block_scale.mMnNkK.blockS.D.A.B[.C].SCALE
DotFormats nvidia_formats(std::string_view mnemonic) {
  static const std::regex shape("m[0-9]+n[0-9]+k([0-9]+)");
  static const std::regex block("block([0-9]+)");
  DotFormats formats{};
  std::vector<const Format*> types;
  for (const std::string& part : split(mnemonic, '.')) {
    std::smatch match;
    if (part == "mma" || part == "wgmma" || part == "tcgen05" || part == "block_scale") continue;
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
    unreadable(mnemonic, "no shape or types");
  formats.d = types[0];
  formats.a = types[1];
  formats.b = types[2];
  formats.c = types.size() == 4 ? types[3] : formats.d;
  return formats;
}

/// v_mfma_CD_MxNxK[_Tb][_]AB[_1k], where AB is one format or A_B.
DotFormats amd_formats(std::string_view mnemonic) {
  static const std::regex spelling(
      "v_mfma_(f32|f64)_[0-9]+x[0-9]+x([0-9]+)(?:_[0-9]+b)?_?"
      "(f64|f32|xf32|f16|bf16|fp8|bf8)(?:_(fp8|bf8))?(?:_1k)?");
  const std::string text(mnemonic);
  std::smatch match;
  if (!std::regex_match(text, match, spelling)) unreadable(mnemonic, "not a matrix instruction");
  DotFormats formats{};
  formats.d = formats.c = format_in(mnemonic, match[1]);
  formats.k = std::stoi(match[2]);
  formats.a = format_in(mnemonic, match[3]);
  formats.b = match[4].matched ? format_in(mnemonic, match[4]) : formats.a;
  return formats;
}

}  // namespace

DotFormats formats_of(std::string_view mnemonic) {
  return mnemonic.starts_with("v_") ? amd_formats(mnemonic) : nvidia_formats(mnemonic);
}

}  // namespace mmaspec
