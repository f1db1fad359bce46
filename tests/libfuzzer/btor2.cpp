// Fuzz target: circuits as BTOR2 text (hardware/rtl/circuit/btor2.h), the names of their signals,
// and their clock.

#include "hardware/rtl/circuit/btor2.h"

#include <stdexcept>

#include "hardware/rtl/circuit/clock.h"
#include "hardware/rtl/circuit/signal_names.h"
#include "tests/libfuzzer/target.h"

namespace mmaspec::rtl {
namespace {

void read(std::string_view text) {
  Circuit circuit;
  try {
    circuit = read_btor2(std::string(text));
  } catch (const std::invalid_argument&) {
    return;
  }
  libfuzzer::require(circuit.next.size() == circuit.nodes.size(), "a register beyond the nodes");
  for (std::size_t i = 0; i < circuit.nodes.size(); ++i) {
    const CircuitNode& n = circuit.nodes[i];
    libfuzzer::require(n.width > 0 && n.width <= kMostWordBits, "a word without bits");
    libfuzzer::require(n.op != "const" || bit_length(n.value) <= n.width, "a wide constant");
    for (const std::size_t arg : n.args) libfuzzer::require(arg < i, "a cycle");
  }
  const SignalNames names(circuit);
  for (std::size_t i = 0; i < circuit.nodes.size(); ++i) {
    names.describe(i);
    try {
      clock_of(circuit, "top", {{i, false}}, {});
    } catch (const std::invalid_argument&) {
      continue;
    }
  }
}

}  // namespace
}  // namespace mmaspec::rtl

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  mmaspec::rtl::read(mmaspec::libfuzzer::text_of(data, size));
  return 0;
}
