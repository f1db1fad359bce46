// Fuzz target: names of designs and instructions (spec/catalog/instruction.h). The input is the
// text after `design:`, or a whole name if it contains a slash.

#include <stdexcept>

#include "spec/catalog/instruction.h"
#include "spec/catalog/open_design.h"
#include "tests/libfuzzer/target.h"

namespace mmaspec {
namespace {

void read(std::string_view text) {
  const bool is_whole = text.find('/') != std::string_view::npos;
  const std::string name = (is_whole ? "" : "design:") + std::string(text);
  Instruction found;
  try {
    found = find_instruction(name);
  } catch (const std::invalid_argument&) {
    return;
  }
  if (found.architecture != "design") {
    libfuzzer::require(find_instruction(found.name()).name() == found.name(),
                       "an instruction's name that does not read back");
    return;
  }
  const Instruction printed = open_design(found.algorithm, found.formats);
  const Instruction again = find_instruction(printed.name());
  libfuzzer::require(again.formats == found.formats, "a design's formats do not read back");
  libfuzzer::require(open_design(again.algorithm, again.formats).name() == printed.name(),
                     "a design's parameters do not read back");
  libfuzzer::require(again.algorithm == found.algorithm, "a design does not read back");
}

}  // namespace
}  // namespace mmaspec

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  mmaspec::read(mmaspec::libfuzzer::text_of(data, size));
  return 0;
}
