#pragma once
/// What `mmaspec tolerance` says. The command line and Python print the same text.

#include <optional>
#include <string>
#include <vector>

#include "queries/machines/largest_difference.h"
#include "queries/prove/maximize.h"

namespace mmaspec::cli {

/// The question as the user stated it.
struct AskedTolerance {
  std::string rtol = {};
  std::string atol = {};
  std::vector<std::string> where = {};
  InputClass inputs = InputClass::finite;
  bool full = false;  ///< all products of the worst input are shown
};

/// The worst input as a row; empty: there is none.
std::string worst_row(const Maximum& m);

/// For people. `typical`: what random data show.
std::string text_of(const AskedTolerance& o, const Maximum& m,
                    const std::optional<LargestDifference>& typical);

/// What a line for a test is written in.
enum class TestLanguage {
  python,   ///< NumPy
  pytorch,  ///< torch.testing
  cpp,      ///< GoogleTest
};

/// A test's line with a tolerance that is proved, or that random data show and is labelled so. A
/// lower bound is a comment. Throws std::invalid_argument where no tolerance is enough.
std::string test_of(TestLanguage language, const AskedTolerance& o, const Maximum& m,
                    const std::optional<LargestDifference>& typical);

std::string json_of(const AskedTolerance& o, const Maximum& m,
                    const std::optional<LargestDifference>& typical);

}  // namespace mmaspec::cli
