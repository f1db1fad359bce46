#include "report/decoded.h"

#include "spec/formats/text.h"
#include "util/json.h"

namespace mmaspec {

void add_values(const VectorRow& row, const DotFormats& formats, Json& object,
                const Format* other_result) {
  const auto list = [](const Format& format, const std::vector<Integer>& patterns) {
    auto all = Json::array();
    for (const Integer& p : patterns) all.push_back(to_hex_float(format, p));
    return all;
  };
  Json values;
  values["a"] = list(*formats.a, row.values.a);
  values["b"] = list(*formats.b, row.values.b);
  values["c"] = to_hex_float(*formats.c, row.values.c);
  if (formats.scale != nullptr) {
    values["sa"] = list(*formats.scale, row.values.scale_a);
    values["sb"] = list(*formats.scale, row.values.scale_b);
  }
  if (row.d) values["d"] = to_hex_float(*formats.d, *row.d);
  if (row.d_other) {
    const Format& other = other_result == nullptr ? *formats.d : *other_result;
    values["d_other"] = to_hex_float(other, *row.d_other);
  }
  object["values"] = std::move(values);
}

}  // namespace mmaspec
