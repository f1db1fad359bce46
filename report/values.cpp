#include "report/values.h"

#include <fmt/format.h>

#include <algorithm>

#include "queries/values/exact_result.h"
#include "spec/formats/text.h"

namespace mmaspec {

std::string to_text(const Json& document, int indent) {
  return document.dump(indent, Json::Invalid::replace) + "\n";
}

std::string one_line(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

std::string algorithm_label(const Instruction& instruction) {
  const std::string name = instruction.algorithm.name();
  return instruction.architecture == "custom" ? name.substr(0, name.find('#')) : name;
}

void add_formats(const DotFormats& formats, Json& object) {
  object["k"] = formats.k;
  object["a"] = formats.a->name;
  object["b"] = formats.b->name;
  object["c"] = formats.c->name;
  object["d"] = formats.d->name;
  if (formats.scale != nullptr) {
    object["scale"] = formats.scale->name;
    object["scale_block"] = formats.scale_block;
  }
}

Json json_of(const std::vector<TraceLine>& lines) {
  auto all = Json::array();
  for (const TraceLine& line : lines) {
    Json entry{{"stage", line.stage}, {"name", line.label}, {"integer", line.integer.str()}};
    if (!line.number.empty()) entry["value"] = line.number;
    all.push_back(std::move(entry));
  }
  return all;
}

std::string show_pattern(const Format& format, const Integer& pattern) {
  if (format.is_integer()) {
    return fmt::format("0x{}  {}", to_hex(pattern, static_cast<unsigned>(format.hex_digits())),
                       to_decimal(format, pattern));
  }
  return fmt::format("0x{}  {}  {}", to_hex(pattern, static_cast<unsigned>(format.hex_digits())),
                     to_hex_float(format, pattern), to_decimal(format, pattern));
}

std::string show_results(const std::vector<ShownResult>& results) {
  std::size_t names = 0;
  std::size_t digits = 0;
  std::size_t floats = 0;
  for (const ShownResult& r : results) {
    names = std::max(names, r.name.size());
    digits = std::max(digits, static_cast<std::size_t>(r.format->hex_digits()));
    floats = std::max(floats, to_hex_float(*r.format, r.pattern).size());
  }
  std::string text;
  for (const auto& [name, format, pattern] : results) {
    const std::string bits = to_hex(pattern, static_cast<unsigned>(format->hex_digits()));
    const std::string decimal = to_decimal(*format, pattern);
    text += fmt::format("  {:<{}}  0x{:<{}}  ", name, names, bits, digits);
    text += format->is_integer()
                ? decimal + "\n"
                : fmt::format("{:<{}}  {}\n", to_hex_float(*format, pattern), floats, decimal);
  }
  return text;
}

namespace {

constexpr std::size_t kFewProducts = 24;    // up to this number, a witness shows all products
constexpr std::size_t kShownProducts = 16;  // of more products, the largest ones

/// Indices of the products that a witness shows, ascending.
std::vector<std::size_t> shown_products(const DotFormats& formats, const DotValues& values,
                                        bool full) {
  std::vector<std::size_t> all;
  for (std::size_t k = 0; k < values.a.size(); ++k) {
    // A zero product whose other operand is not zero may matter.
    if (values.a[k] != 0 || values.b[k] != 0) all.push_back(k);
  }
  if (full || all.size() <= kFewProducts) return all;
  // Infinities and NaNs first, then by magnitude.
  const auto size_of = [&](std::size_t k) -> std::pair<bool, Rational> {
    const Decoded a = decode(*formats.a, values.a[k]);
    const Decoded b = decode(*formats.b, values.b[k]);
    if (!a.is_finite() || !b.is_finite()) return {true, 0};
    return {false, abs(Rational(a.value() * b.value()))};
  };
  std::vector<std::pair<std::pair<bool, Rational>, std::size_t>> sizes;
  for (const std::size_t k : all) sizes.emplace_back(size_of(k), k);
  std::stable_sort(sizes.begin(), sizes.end(),
                   [](const auto& x, const auto& y) { return x.first > y.first; });
  all.clear();
  for (std::size_t i = 0; i < kShownProducts; ++i) all.push_back(sizes[i].second);
  std::sort(all.begin(), all.end());
  return all;
}

/// 1010 as 1,010.
std::string with_commas(std::size_t n) {
  std::string text = std::to_string(n);
  for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, ",");
  return text;
}

}  // namespace

std::string show_inputs(const DotFormats& formats, const DotValues& values, bool full) {
  std::string text;
  const auto hex = [](const Format& f, const Integer& p) {
    return to_hex(p, static_cast<unsigned>(f.hex_digits()));
  };
  const std::vector<std::size_t> shown = shown_products(formats, values, full);
  std::size_t nonzero = 0;
  for (std::size_t k = 0; k < values.a.size(); ++k) {
    nonzero += values.a[k] != 0 || values.b[k] != 0 ? 1 : 0;
  }
  for (const std::size_t k : shown) {
    text +=
        fmt::format("  {:<6} {:>20} * {:<20} (0x{} * 0x{})\n", fmt::format("k={}", k),
                    to_hex_float(*formats.a, values.a[k]), to_hex_float(*formats.b, values.b[k]),
                    hex(*formats.a, values.a[k]), hex(*formats.b, values.b[k]));
  }
  if (nonzero > shown.size()) {
    text += fmt::format("  ... {} more {} of smaller magnitude (--full shows all)\n",
                        with_commas(nonzero - shown.size()),
                        nonzero - shown.size() == 1 ? "product" : "products");
  }
  for (std::size_t i = 0; i < values.scale_a.size(); ++i) {
    text +=
        fmt::format("  {:<6} {:>20} * {:<20} (0x{} * 0x{})\n", fmt::format("s={}", i),
                    to_hex_float(*formats.scale, values.scale_a[i]),
                    to_hex_float(*formats.scale, values.scale_b[i]),
                    hex(*formats.scale, values.scale_a[i]), hex(*formats.scale, values.scale_b[i]));
  }
  text += fmt::format("  {:<6} {:>20} {:22} (0x{})\n", "c", to_hex_float(*formats.c, values.c), "",
                      hex(*formats.c, values.c));
  return text;
}

}  // namespace mmaspec
