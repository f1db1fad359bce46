// BTOR2 as `export` writes it, read back by the reader of what Yosys writes, is the specification.

#include <gtest/gtest.h>

#include <algorithm>

#include "hardware/rtl/check.h"
#include "queries/draw/samples.h"
#include "tests/support/cli/process.h"
#include "tests/support/one_of_each_algorithm.h"

namespace mmaspec::rtl::exported_btor2_test {
namespace {

TEST(ExportedBtor2, ReadBackIsTheSpecification) {
  for (const std::string& name : one_of_each_algorithm()) {
    const cli_test::Outcome exported = cli_test::mmaspec({"export", name, "--format", "btor2"});
    ASSERT_EQ(exported.status, 0) << exported.err;
    Circuit circuit = read_btor2(exported.out);
    for (CircuitNode& node : circuit.nodes) {  // a[0] is not the name of a port
      std::replace(node.symbol.begin(), node.symbol.end(), '[', '_');
      std::erase(node.symbol, ']');
    }
    const Instruction i = find_instruction(name);
    const RtlModel model(
        std::make_shared<const RtlDesign>(std::move(circuit), "exported", i.formats, Connection{}));
    const DotModel specification(i.algorithm, i.formats);
    Sampler sampler(i.formats, InputClass::any, 7);
    for (int row = 0; row < 300; ++row) {
      const DotValues values = sampler.next();
      ASSERT_EQ(model.run(values), specification.run(values)) << name << ", row " << row;
    }
  }
}

}  // namespace
}  // namespace mmaspec::rtl::exported_btor2_test
