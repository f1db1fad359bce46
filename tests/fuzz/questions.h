#pragma once
/// Random questions about random designs, asked through the command line. Each answer is checked.

#include <cstdint>
#include <string>

#include "tests/fuzz/report.h"

namespace mmaspec::fuzz {

struct QuestionOptions {
  std::uint64_t seed;
  std::string mmaspec;  ///< path of the command
  double timeout;       ///< --timeout of each question
  bool quick;           ///< tiny designs and few inputs
};

void ask_question(const QuestionOptions& options, Log& log);

}  // namespace mmaspec::fuzz
