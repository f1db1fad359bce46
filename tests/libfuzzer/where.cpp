// Fuzz target: preconditions of `--where` (queries/numbers/where.h), parsed and built for dot
// products of several formats.

#include "queries/numbers/where.h"

#include <stdexcept>

#include "spec/formats/format.h"
#include "spec/lang/graph.h"
#include "tests/libfuzzer/target.h"

namespace mmaspec {
namespace {

void build(const Where& where, const DotFormats& formats) {
  Graph graph;
  const Graph::Building building(graph);
  const DotOperands operands = dot_inputs(formats);
  const Int d = input("d", static_cast<unsigned>(formats.d->storage_bits));
  try {
    where.holds(formats, operands, d);
  } catch (const std::invalid_argument&) {
    return;
  }
}

void read(std::string_view text) {
  const DotFormats half{&formats::f16, &formats::f16, &formats::f32, &formats::f32, 4};
  const DotFormats scaled{
      &formats::e2m1, &formats::e4m3, &formats::f32, &formats::bf16, 4, &formats::ue8m0, 2};
  const DotFormats integers{&formats::s8, &formats::u8, &formats::s32, &formats::s32, 4};
  try {
    const Where where({std::string(text)});
    for (const DotFormats& formats : {half, scaled, integers}) build(where, formats);
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
