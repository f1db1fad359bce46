#pragma once
/// The output of `mmaspec tolerance`, on the command line and in Python.

#include <optional>
#include <string>
#include <vector>

#include "queries/prove/maximize.h"
#include "queries/request/tolerance_request.h"

namespace mmaspec {

/// The question as the user stated it.
struct AskedTolerance {
  std::string rtol = {};
  std::string atol = {};
  std::vector<std::string> where = {};
  InputClass inputs = InputClass::finite;
  std::string distribution = {};  ///< of random rows; empty: normal
  bool full = false;              ///< shows all products of the worst input
};

/// The worst input as a row; empty: there is none.
std::string worst_row(const Maximum& m);

/// For people.
std::string text_of(const AskedTolerance& o, const FoundTolerance& found);

/// The language of an assertion.
enum class TestLanguage {
  python,   ///< NumPy
  pytorch,  ///< torch.testing
  cpp,      ///< GoogleTest
};

/// A line of a test with a tolerance: a proved one, one from random data with this label, or with a
/// confidence the statistical one. A lower bound is a comment. Throws std::invalid_argument if no
/// tolerance is sufficient.
std::string test_of(TestLanguage language, const AskedTolerance& o, const FoundTolerance& found);

std::string json_of(const AskedTolerance& o, const FoundTolerance& found);

}  // namespace mmaspec
