// Fuzz target: names of whole dot products of kernels (spec/catalog/plan.h). The input is the text
// after `plan:`.

#include "spec/catalog/plan.h"

#include <algorithm>
#include <stdexcept>

#include "tests/libfuzzer/target.h"

namespace mmaspec {
namespace {

void read(std::string_view text) {
  Instruction found;
  try {
    found = find_instruction("plan:" + std::string(text));
  } catch (const std::invalid_argument&) {
    return;
  }
  const Instruction again = find_instruction(found.name());
  libfuzzer::require(again.name() == found.name(), "a plan's name does not read back");
  libfuzzer::require(again.formats == found.formats, "a plan's formats do not read back");
  const auto same = [](const Parameter& x, const Parameter& y) {
    return x.key == y.key && x.value == y.value;
  };
  libfuzzer::require(
      std::ranges::equal(again.algorithm.parameters(), found.algorithm.parameters(), same),
      "a plan's parameters do not read back");
  inner_of_plan(std::string_view(found.mnemonic));
}

}  // namespace
}  // namespace mmaspec

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  mmaspec::read(mmaspec::libfuzzer::text_of(data, size));
  return 0;
}
