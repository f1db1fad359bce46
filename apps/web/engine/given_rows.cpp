// Reads rows of inputs and results, and checks them against their formats.

#include "apps/web/engine/given_rows.h"

#include <stdexcept>

#include "apps/web/engine/fields.h"
#include "queries/audit/check.h"

namespace mmaspec::web {
namespace {

const Format& format_of(const Json& formats, const char* key) {
  const std::string name = text_of(formats, key);
  const Format* format = find_format(name);
  if (format == nullptr) {
    throw std::invalid_argument(std::string(key) + ": '" + name.substr(0, 40) +
                                "' is not a format");
  }
  return *format;
}

/// Adds the row's number to errors.
template <typename Work>
void in_row(std::size_t i, const Work& work) {
  try {
    work();
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument("row " + std::to_string(i + 1) + ": " + error.what());
  }
}

}  // namespace

GivenRows given_rows(const Json& request, std::size_t most_rows, int most_products) {
  const Json& rows = request.at("rows");
  if (!rows.is_array() || rows.empty()) throw std::invalid_argument("enter at least one row");
  if (rows.size() > most_rows) {
    throw std::invalid_argument("more than " + std::to_string(most_rows) + " rows");
  }
  GivenRows given;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    in_row(i, [&] {
      given.rows.push_back(parse_row(rows[i].get<std::string>()));
      if (!given.rows.back().d) throw std::invalid_argument("\"d\", the result, is missing");
    });
  }
  const Json& names = request.at("formats");
  const DotValues& first = given.rows.front().values;
  given.formats = {&format_of(names, "a"), &format_of(names, "b"), &format_of(names, "c"),
                   &format_of(names, "d"), static_cast<int>(first.a.size())};
  DotFormats& formats = given.formats;
  if (formats.k < 1 || formats.k > most_products) {
    throw std::invalid_argument("row 1: a has " + std::to_string(formats.k) +
                                " values, expected 1 to " + std::to_string(most_products));
  }
  if (!first.scale_a.empty()) {
    formats.scale = &format_of(names, "scale");
    const auto scales = static_cast<int>(first.scale_a.size());
    if (formats.k % scales != 0) throw std::invalid_argument("row 1: \"sa\" does not divide K");
    formats.scale_block = formats.k / scales;
  }
  for (std::size_t i = 0; i < given.rows.size(); ++i) {
    in_row(i, [&] { check_row(given.rows[i], formats); });
  }
  return given;
}

}  // namespace mmaspec::web
