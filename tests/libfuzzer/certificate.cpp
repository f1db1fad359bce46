// Fuzz target: statements of certificates (proof/certify/theorem.h). The target also prints the
// statement and reads it back, because a statement whose graph digest does not fit its names is
// refused.

#include <stdexcept>

#include "proof/certify/theorem.h"
#include "spec/catalog/instruction.h"
#include "tests/libfuzzer/target.h"
#include "util/json.h"

namespace mmaspec {
namespace {

/// Are the designs of a statement small enough that their graphs are built quickly?
bool is_small(std::string_view text) {
  const Json object = Json::parse_or_discard(text);
  if (!object.contains("names")) return true;
  for (const Json& name : object.at("names")) {
    try {
      if (name.is_string() && find_instruction(name.text()).formats.k > libfuzzer::kMostProducts) {
        return false;
      }
    } catch (const std::invalid_argument&) {
      continue;
    }
  }
  return true;
}

void read(std::string_view text) {
  if (!is_small(text)) return;
  try {
    const CertifiedStatement statement = certified_statement_of(std::string(text));
    libfuzzer::require(to_json(statement) == text, "a statement that is another one");
    to_text(statement.theorem);
  } catch (const std::invalid_argument&) {
    return;
  }
}

}  // namespace
}  // namespace mmaspec

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  mmaspec::read(mmaspec::libfuzzer::text_of(data, size));
  return 0;
}
