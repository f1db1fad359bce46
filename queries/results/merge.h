#pragma once
/// Merges the result files of several processes.

#include <cstddef>
#include <string>
#include <vector>

namespace mmaspec {

struct Merged {
  std::size_t read = 0;                ///< number of lines
  std::size_t rows = 0;                ///< number of rows written
  std::size_t conflict_count = 0;      ///< number of questions with contradictory answers
  std::vector<std::string> conflicts;  ///< one line for each of the first few
};

/// Merges rows of tables and of matrices. Each question occurs once in the output, in the order of
/// the questions' names, so that the same rows give the same file for any shards. A decided answer
/// has precedence; of undecided answers the one with the longest time limit is kept. The output is
/// written completely or not at all, and not at all if answers contradict each other. Memory does
/// not grow with the files, because rows are sorted in temporary files. Throws
/// std::invalid_argument for lines that are not rows, and std::runtime_error.
Merged merge(const std::vector<std::string>& files, const std::string& out);

}  // namespace mmaspec
