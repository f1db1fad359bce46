#pragma once
/// The formats and the length of a dot product, if no instruction's name determines them.

#include <string>

#include "spec/parts/dot_add.h"

namespace mmaspec::cli {

class Command;

struct FormatsOptions {
  std::string names;  ///< of a, b, c, d; empty: not given
  int k = 0;
  std::string scale;
  int scale_block = 0;

  void add_to(Command& command);
};

/// Throws std::invalid_argument with a one-line message.
DotFormats formats_of(const FormatsOptions& options);

}  // namespace mmaspec::cli
