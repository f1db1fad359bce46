#include "concrete/rows/row.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "spec/formats/text.h"
#include "util/counted.h"
#include "util/json.h"

namespace mmaspec {
namespace {

constexpr std::size_t kLongestPattern = 64;  // hex digits; no format has longer patterns
constexpr std::size_t kLongestLine = std::size_t{1} << 20;  // a row needs a few thousand characters
constexpr std::size_t kEndlessLine = std::size_t{256} << 20;

/// Also returns the number of digits, or kUnlike if it differs from others of the same key.
Integer parse_pattern(std::string_view key, std::string_view digits, std::uint8_t& count) {
  if (digits.starts_with("0x") || digits.starts_with("0X")) digits.remove_prefix(2);
  const auto here = static_cast<std::uint8_t>(std::min(digits.size(), kLongestPattern));
  count = count == PatternDigits::kNotRead || count == here ? here : PatternDigits::kUnlike;
  if (!digits.empty() && digits.size() <= 16) {  // nearly all patterns, in a fraction of the time
    const char* last = digits.data() + digits.size();
    std::uint64_t word = 0;
    const auto read = std::from_chars(digits.data(), last, word, 16);
    if (read.ec == std::errc{} && read.ptr == last) return word;
  }
  if (digits.empty() || digits.size() > kLongestPattern ||
      digits.find_first_not_of("0123456789abcdefABCDEF") != std::string_view::npos) {
    throw std::invalid_argument("\"" + std::string(key) + "\": '" +
                                std::string(digits.substr(0, kLongestPattern)) +
                                "' is not a hexadecimal bit pattern");
  }
  return Integer("0x" + std::string(digits));
}

std::vector<Integer> parse_patterns(std::string_view key, std::string_view text,
                                    std::uint8_t& count) {
  std::vector<Integer> all;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find(' ', start), text.size());
    if (end > start) all.push_back(parse_pattern(key, text.substr(start, end - start), count));
    start = end + 1;
  }
  return all;
}

const std::string& text_of(const Json& object, const char* key) {
  const auto it = object.find(key);
  if (it == object.end()) {
    throw std::invalid_argument("\"" + std::string(key) + "\" is missing");
  }
  if (!it->is_string()) {
    throw std::invalid_argument("\"" + std::string(key) + "\" is not a string");
  }
  return it->text();
}

void check_patterns(const char* key, const std::vector<Integer>& patterns, std::uint8_t digits,
                    const Format& format, int count) {
  if (patterns.size() != static_cast<std::size_t>(count)) {
    throw std::invalid_argument("\"" + std::string(key) + "\" has " +
                                counted(patterns.size(), "value") + ", expected " +
                                std::to_string(count));
  }
  for (const Integer& p : patterns) check_pattern(key, p, digits, format);
}

std::string join(const std::vector<Integer>& patterns, const Format& format) {
  std::string text;
  for (const Integer& p : patterns) {
    if (!text.empty()) text += ' ';
    text += to_hex(p, static_cast<unsigned>(format.hex_digits()));
  }
  return text;
}

}  // namespace

void check_pattern(const char* key, const Integer& pattern, std::uint8_t digits,
                   const Format& format) {
  if (digits != PatternDigits::kNotRead && digits != format.hex_digits()) {
    const std::string given = digits == PatternDigits::kUnlike
                                  ? std::string("different numbers of hexadecimal digits")
                                  : counted(int{digits}, "hexadecimal digit");
    throw std::invalid_argument("\"" + std::string(key) + "\" has " + given +
                                ", but a pattern of " + std::string(format.name) + " has " +
                                std::to_string(format.hex_digits()));
  }
  if (bit_length(pattern) > static_cast<unsigned>(format.storage_bits)) {
    throw std::invalid_argument("\"" + std::string(key) + "\": " + to_hex(pattern) +
                                " has more than the " + std::to_string(format.storage_bits) +
                                " bits of " + std::string(format.name));
  }
}

VectorRow parse_row(std::string_view line) {
  if (line.size() > kLongestLine) {
    throw std::invalid_argument("a line is longer than " + std::to_string(kLongestLine) +
                                " characters");
  }
  Json object;
  try {
    object = Json::parse(line);
  } catch (const Json::Error&) {  // not only parse_error: 1e999 is out of the range of numbers
    const std::size_t start = line.find_first_not_of(" \t\r");
    const bool is_text =
        std::all_of(line.begin(), line.end(), [](char c) { return c >= ' ' && c <= '~'; });
    if (!is_text || start == std::string_view::npos || line[start] == '{' || line[start] == '[') {
      throw std::invalid_argument("malformed JSON");
    }
    throw std::invalid_argument("'" + std::string(line.substr(start, 40)) +
                                "' is not a row: expected a JSON object, such as {\"instr\":...}");
  }
  return row_of(object);
}

VectorRow row_of(const Json& object) {
  if (!object.is_object()) throw std::invalid_argument("not a JSON object");
  VectorRow row;
  row.instruction = text_of(object, "instr");
  row.values.a = parse_patterns("a", text_of(object, "a"), row.digits.a);
  row.values.b = parse_patterns("b", text_of(object, "b"), row.digits.b);
  row.values.c = parse_pattern("c", text_of(object, "c"), row.digits.c);
  if (object.contains("sa")) {
    row.values.scale_a = parse_patterns("sa", text_of(object, "sa"), row.digits.sa);
  }
  if (object.contains("sb")) {
    row.values.scale_b = parse_patterns("sb", text_of(object, "sb"), row.digits.sb);
  }
  if (object.contains("d")) row.d = parse_pattern("d", text_of(object, "d"), row.digits.d);
  if (object.contains("other")) row.other = text_of(object, "other");
  if (object.contains("d_other")) {
    row.d_other = parse_pattern("d_other", text_of(object, "d_other"), row.digits.d_other);
  }
  return row;
}

bool is_record_header(std::string_view line) {
  const Json object = Json::parse_or_discard(line);
  return object.is_object() && object.contains("device") && !object.contains("instr");
}

void check_row(const VectorRow& row, const DotFormats& formats, const Format* other_result) {
  const PatternDigits& digits = row.digits;
  check_patterns("a", row.values.a, digits.a, *formats.a, formats.k);
  check_patterns("b", row.values.b, digits.b, *formats.b, formats.k);
  check_patterns("c", {row.values.c}, digits.c, *formats.c, 1);
  if (row.d) check_patterns("d", {*row.d}, digits.d, *formats.d, 1);
  if (row.d_other && other_result != nullptr) {
    check_patterns("d_other", {*row.d_other}, digits.d_other, *other_result, 1);
  }
  if (formats.scale != nullptr) {
    check_patterns("sa", row.values.scale_a, digits.sa, *formats.scale, formats.scales());
    check_patterns("sb", row.values.scale_b, digits.sb, *formats.scale, formats.scales());
  } else if (!row.values.scale_a.empty() || !row.values.scale_b.empty()) {
    throw std::invalid_argument(
        "\"sa\" or \"sb\" is given, but the instruction has no scale factors");
  }
}

Json to_json(const VectorRow& row, const DotFormats& formats, const Format* other_result) {
  Json object;
  object["instr"] = row.instruction;
  object["a"] = join(row.values.a, *formats.a);
  object["b"] = join(row.values.b, *formats.b);
  object["c"] = join({row.values.c}, *formats.c);
  if (formats.scale != nullptr) {
    object["sa"] = join(row.values.scale_a, *formats.scale);
    object["sb"] = join(row.values.scale_b, *formats.scale);
  }
  if (row.d) object["d"] = join({*row.d}, *formats.d);
  if (!row.other.empty()) object["other"] = row.other;
  if (row.d_other) {
    object["d_other"] = join({*row.d_other}, other_result != nullptr ? *other_result : *formats.d);
  }
  if (!row.ulp.empty()) {
    if (row.ulp.size() < 18 && row.ulp.find_first_not_of("0123456789") == std::string::npos) {
      object["ulp"] = std::stoll(row.ulp);
    } else {
      object["ulp"] = row.ulp;
    }
  }
  return object;
}

std::string to_json_line(const VectorRow& row, const DotFormats& formats,
                         const Format* other_result) {
  return to_json(row, formats, other_result).dump();
}

void for_each_line(const std::string& file,
                   const std::function<void(std::string_view, std::size_t)>& each) {
  // zlib reads plain files unchanged.
  gzFile in = file == "-" ? gzdopen(0, "rb") : gzopen(file.c_str(), "rb");
  if (in == nullptr) {
    throw std::runtime_error("cannot read " + file + ": " + std::strerror(errno));
  }
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> closer(in, gzclose);
  gzbuffer(in, 1U << 17);
  std::string line;
  std::size_t number = 0;
  std::size_t length = 0;  // length of the line, which may not be stored completely
  const auto finish_line = [&] {
    ++number;
    length = 0;
    if (line.size() > kLongestLine || line.find_first_not_of(" \t\r") != std::string::npos) {
      each(line, number);
    }
    line.clear();
  };
  std::array<char, 1U << 16> buffer;
  for (;;) {
    const int count = gzread(in, buffer.data(), buffer.size());
    if (count < 0) {
      int code = 0;
      const char* why = gzerror(in, &code);
      throw std::runtime_error("cannot read " + file + ": " +
                               (code == Z_ERRNO ? std::strerror(errno) : why));
    }
    if (count == 0) {
      // Without this check, a truncated .gz would look complete.
      int code = 0;
      const char* why = gzerror(in, &code);
      if (code == Z_BUF_ERROR) throw std::runtime_error("cannot read " + file + ": " + why);
      break;
    }
    const std::string_view chunk(buffer.data(), static_cast<std::size_t>(count));
    for (std::size_t start = 0; start < chunk.size();) {
      const std::size_t end = chunk.find('\n', start);
      const std::string_view part =
          chunk.substr(start, end == std::string_view::npos ? end : end - start);
      // Keeps enough of an endless line for parse_row() to reject it.
      line.append(part.substr(0, kLongestLine + 1 - std::min(line.size(), kLongestLine + 1)));
      length += part.size();
      if (length > kEndlessLine) {
        throw std::runtime_error("cannot read " + file + ": line " + std::to_string(number + 1) +
                                 " is not terminated");
      }
      if (end == std::string_view::npos) break;
      finish_line();
      start = end + 1;
    }
  }
  if (!line.empty()) finish_line();
}

bool same_result(const Format& format, bool canonical_nan, const Integer& x, const Integer& y) {
  if (x == y) return true;
  return !canonical_nan && decode(format, x).is_nan && decode(format, y).is_nan;
}

}  // namespace mmaspec
