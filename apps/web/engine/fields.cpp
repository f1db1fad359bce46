#include "apps/web/engine/fields.h"

#include <charconv>
#include <stdexcept>

#include "spec/formats/fixed_point.h"
#include "spec/formats/text.h"

namespace mmaspec::web {

std::string text_of(const Json& request, const char* key, const std::string& otherwise) {
  const auto at = request.find(key);
  const bool is_given = at != request.end() && at->is_string() && !at->text().empty();
  return is_given ? at->get<std::string>() : otherwise;
}

std::vector<std::string> texts_of(const Json& request, const char* key) {
  std::vector<std::string> all;
  const auto at = request.find(key);
  if (at == request.end() || !at->is_array()) return all;
  for (const Json& x : *at) {
    if (x.is_string()) all.push_back(x.get<std::string>());
  }
  return all;
}

int integer_of(const Json& request, const char* key, int low, int high, int otherwise) {
  const auto at = request.find(key);
  if (at == request.end()) return otherwise;
  const std::string text = at->is_string() ? at->get<std::string>() : at->dump();
  if (text.empty()) return otherwise;
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < low || value > high) {
    throw std::invalid_argument(std::string(key) + ": '" + text.substr(0, 40) +
                                "' is not an integer from " + std::to_string(low) + " to " +
                                std::to_string(high));
  }
  return value;
}

Instruction find(const std::string& name) {
  if (name.empty()) throw std::invalid_argument("enter a unit");
  Instruction found = find_instruction(name);
  if (found.formats.k > kMostProducts) {
    throw std::invalid_argument("the page shows at most " + std::to_string(kMostProducts) +
                                " products; use the command line for more");
  }
  return found;
}

Json to_json(const Format& format) {
  return {{"name", format.name},
          {"bits", format.storage_bits},
          {"sign", format.has_sign},
          {"exponent", format.exponent_bits},
          {"fraction", format.fraction_bits},
          {"is_integer", format.is_integer()},
          {"ignored_low", format.ignored_low_bits},
          {"ignored_high", format.ignored_high_bits}};
}

Json to_json(const DotFormats& formats) {
  Json object{{"k", formats.k},
              {"a", formats.a->name},
              {"b", formats.b->name},
              {"c", formats.c->name},
              {"d", formats.d->name}};
  for (const Format* f :
       {formats.a, formats.b, formats.c, formats.d}) {  // which the catalogue does not list
    if (find_fixed_point(f->name) != nullptr) object["fixed"][std::string(f->name)] = to_json(*f);
  }
  if (formats.scale != nullptr) {
    object["scale"] = formats.scale->name;
    object["scales"] = formats.scales();
  }
  return object;
}

namespace {

std::string bits(const Format& format, const Integer& pattern) {
  return "0x" + to_hex(pattern, static_cast<unsigned>(format.hex_digits()));
}

Json bits(const Format& format, const std::vector<Integer>& patterns) {
  Json all = Json::array();
  for (const Integer& p : patterns) all.push_back(bits(format, p));
  return all;
}

/// One operand in display form; returns its pattern, or 0 and an error.
Integer read(const Format& format, const std::string& text, const std::string& name,
             const char* otherwise, Json& shown, std::string& error) {
  try {
    Integer pattern = parse_pattern_of(format, text.empty() ? otherwise : text);
    shown = to_json(format, pattern);
    return pattern;
  } catch (const std::invalid_argument& what) {
    shown = {{"error", what.what()}};
    if (error.empty()) error = name + ": " + what.what();
    return 0;
  }
}

}  // namespace

Json to_json(const Format& format, const Integer& pattern) {
  return {{"bits", bits(format, pattern)},
          {"float", to_hex_float(format, pattern)},
          {"decimal", to_decimal(format, pattern)}};
}

Json to_json(const DotFormats& formats, const DotValues& values) {
  Json object{{"a", bits(*formats.a, values.a)},
              {"b", bits(*formats.b, values.b)},
              {"c", bits(*formats.c, values.c)}};
  if (formats.scale != nullptr) {
    object["sa"] = bits(*formats.scale, values.scale_a);
    object["sb"] = bits(*formats.scale, values.scale_b);
  }
  return object;
}

Operands operands_of(const Json& request, const DotFormats& formats) {
  Operands all;
  const auto vector = [&](const char* key, const Format& format, int count, const char* padding) {
    const std::vector<std::string> texts = texts_of(request, key);
    if (texts.size() > static_cast<std::size_t>(count) && all.error.empty()) {
      all.error = std::string(key) + ": " + std::to_string(texts.size()) + " values, at most " +
                  std::to_string(count);
    }
    std::vector<Integer> patterns;
    all.shown[key] = Json::array();
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      Json shown;
      patterns.push_back(read(format, i < texts.size() ? texts[i] : "",
                              std::string(key) + "[" + std::to_string(i) + "]", padding, shown,
                              all.error));
      all.shown[key].push_back(std::move(shown));
    }
    return patterns;
  };
  all.values.a = vector("a", *formats.a, formats.k, "0");
  all.values.b = vector("b", *formats.b, formats.k, "0");
  Json c;
  all.values.c = read(*formats.c, text_of(request, "c"), "c", "0", c, all.error);
  all.shown["c"] = std::move(c);
  if (formats.scale != nullptr) {
    all.values.scale_a = vector("sa", *formats.scale, formats.scales(), "1");
    all.values.scale_b = vector("sb", *formats.scale, formats.scales(), "1");
  }
  return all;
}

DotValues values_of(const Json& request, const DotFormats& formats) {
  Operands all = operands_of(request, formats);
  if (!all.error.empty()) throw std::invalid_argument(all.error);
  return std::move(all.values);
}

PairOptions pairing_of(const Json& request) {
  PairOptions options;
  options.chain = integer_of(request, "chain", 1, kMostProducts, 0);
  const std::string match = text_of(request, "match", "values");
  if (match != "values" && match != "bits") {
    throw std::invalid_argument("match: expected values or bits, got '" + match.substr(0, 40) +
                                "'");
  }
  options.match = match == "bits" ? Match::bits : Match::values;
  return options;
}

}  // namespace mmaspec::web
