// Fuzz target: JSON values, and rows of the vector format (concrete/rows/row.h) in JSON.

#include <stdexcept>

#include "concrete/rows/row.h"
#include "spec/catalog/instruction.h"
#include "tests/libfuzzer/target.h"
#include "util/json.h"

namespace mmaspec {
namespace {

/// Counts the events.
class Counter : public JsonReader {
 public:
  long depth = 0;

 protected:
  void string(const std::string&) override {}
  void number(double) override {}
  void key(const std::string&) override {}
  void enter() override { ++depth; }
  void leave() override { --depth; }
};

void read_value(std::string_view text) {
  Counter counter;
  if (counter.read(text)) libfuzzer::require(counter.depth == 0, "an array without an end");
  const Json value = Json::parse_or_discard(text);
  if (value.is_discarded()) return;
  for (const int indent : {-1, 2}) {
    const std::string printed = value.dump(indent);
    const Json again = Json::parse(printed);
    libfuzzer::require(again == value, "a JSON value that does not read back");
    libfuzzer::require(again.dump(indent) == printed, "two texts of one JSON value");
  }
}

void read_row(std::string_view text) {
  VectorRow row;
  DotFormats formats{};
  try {
    row = parse_row(text);
    formats = find_instruction(row.instruction).formats;
    check_row(row, formats);
  } catch (const std::invalid_argument&) {
    return;
  }
  const VectorRow again = parse_row(to_json_line(row, formats));
  check_row(again, formats);
  libfuzzer::require(again.instruction == row.instruction && again.other == row.other,
                     "a row's names do not read back");
  libfuzzer::require(again.values.a == row.values.a && again.values.b == row.values.b &&
                         again.values.c == row.values.c && again.d == row.d &&
                         again.values.scale_a == row.values.scale_a &&
                         again.values.scale_b == row.values.scale_b,
                     "a row's patterns do not read back");
}

}  // namespace
}  // namespace mmaspec

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = mmaspec::libfuzzer::text_of(data, size);
  mmaspec::read_value(text);
  mmaspec::read_row(text);
  mmaspec::is_record_header(text);
  return 0;
}
