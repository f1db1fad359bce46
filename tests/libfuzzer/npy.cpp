// Fuzz target: matrices in NumPy's .npy files (concrete/rows/npy.h).

#include "concrete/rows/npy.h"

#include <sstream>
#include <stdexcept>

#include "spec/formats/format.h"
#include "tests/libfuzzer/target.h"

namespace mmaspec {
namespace {

void read_elements(const NpyArray& array) {
  if (array.shape.size() < 2) return;
  const std::size_t count = array.matrices();
  for (const std::size_t i : {std::size_t{0}, count / 2, count - 1}) {
    const PatternView view = array.matrix(i);
    for (const std::size_t row : {std::size_t{0}, view.rows - 1}) {
      for (const std::size_t column : {std::size_t{0}, view.columns - 1}) {
        pattern_at(view, row, column);
      }
    }
  }
}

void read(std::string_view text) {
  std::istringstream in{std::string(text)};
  NpyArray array;
  try {
    array = read_npy(in, "a.npy");
  } catch (const std::invalid_argument&) {
    return;
  }
  libfuzzer::require(array.data.size() < text.size(), "more numbers than the file holds");
  read_elements(array);
  for (const Format* format : {&formats::f16, &formats::f32, &formats::f64, &formats::e2m1,
                               &formats::e4m3, &formats::s8, &formats::s32}) {
    try {
      require_patterns(array, *format, "a.npy");
    } catch (const std::invalid_argument&) {
      continue;
    }
  }
}

}  // namespace
}  // namespace mmaspec

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  mmaspec::read(mmaspec::libfuzzer::text_of(data, size));
  return 0;
}
