// Fuzz target: the explorer's address, `#/page?key=value&key=value`, whose values the engine reads
// (apps/web/engine/fields.h). Page and keys are decoded here like in apps/web/page/link.js.

#include <map>
#include <stdexcept>
#include <tuple>

#include "apps/web/engine/fields.h"
#include "queries/numbers/where.h"
#include "spec/formats/text.h"
#include "tests/libfuzzer/target.h"

namespace mmaspec::web {
namespace {

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// Decodes a value like URLSearchParams: + is a space, and a % without two digits stands for
/// itself.
std::string decoded(std::string_view text) {
  std::string all;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_code = text[i] == '%' && i + 2 < text.size() && digit_of(text[i + 1]) >= 0 &&
                         digit_of(text[i + 2]) >= 0;
    if (is_code) {
      all += static_cast<char>(16 * digit_of(text[i + 1]) + digit_of(text[i + 2]));
      i += 2;
    } else {
      all += text[i] == '+' ? ' ' : text[i];
    }
  }
  return all;
}

std::multimap<std::string, std::string> values_of(std::string_view fragment) {
  std::multimap<std::string, std::string> all;
  std::string_view rest = libfuzzer::cut(fragment, "?").second;
  while (!rest.empty()) {
    std::string_view pair;
    std::tie(pair, rest) = libfuzzer::cut(rest, "&");
    const auto [key, value] = libfuzzer::cut(pair, "=");
    all.emplace(decoded(key), decoded(value));
  }
  return all;
}

/// The request of a page: lists of texts for u, a, b, sa, sb and where, texts for other keys.
Json request_of(const std::multimap<std::string, std::string>& values) {
  Json request = Json::object();
  for (const auto& [key, value] : values) {
    if (key == "u" || key == "where") {
      request[key].push_back(value);
    } else if (key == "a" || key == "b" || key == "sa" || key == "sb") {
      Json list = Json::array();
      std::string_view rest = value;
      while (!rest.empty()) {
        std::string_view one;
        std::tie(one, rest) = libfuzzer::cut(rest, ",");
        list.push_back(std::string(one));
      }
      request[key] = std::move(list);
    } else {
      request[key] = value;
    }
  }
  return request;
}

template <typename Read>
void accept_bad_input(const Read& read) {
  try {
    read();
  } catch (const std::invalid_argument&) {
    return;
  }
}

void read_operands(const Json& request, const std::string& name) {
  const Instruction unit = find(name);
  if (unit.formats.k > libfuzzer::kMostProducts) return;
  const Operands operands = operands_of(request, unit.formats);
  operands.shown.dump(-1, Json::Invalid::replace);
  if (!operands.error.empty()) return;
  const DotValues again =
      mmaspec::web::values_of(to_json(unit.formats, operands.values), unit.formats);
  libfuzzer::require(again.a == operands.values.a && again.b == operands.values.b &&
                         again.c == operands.values.c && again.scale_a == operands.values.scale_a &&
                         again.scale_b == operands.values.scale_b,
                     "operands that do not read back");
}

void read(std::string_view fragment) {
  const Json request = request_of(values_of(fragment));
  for (const std::string& name : texts_of(request, "u")) {
    accept_bad_input([&] { read_operands(request, name); });
  }
  accept_bad_input([&] { pairing_of(request); });
  accept_bad_input([&] { integer_of(request, "within", 1, kMostProducts, 0); });
  accept_bad_input([&] { Where{texts_of(request, "where")}; });
  for (const char* key : {"ulp", "abs", "rel", "bound"}) {
    accept_bad_input([&] { shortest_text(parse_rational(text_of(request, key, "0"))); });
  }
}

}  // namespace
}  // namespace mmaspec::web

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  mmaspec::web::read(mmaspec::libfuzzer::text_of(data, size));
  return 0;
}
