#pragma once
/// Joins the answers on file of several processes.

#include <cstddef>
#include <string>
#include <vector>

namespace mmaspec {

struct Merged {
  std::size_t read = 0;                ///< lines
  std::size_t rows = 0;                ///< written
  std::size_t conflict_count = 0;      ///< questions of which two answers contradict each other
  std::vector<std::string> conflicts;  ///< the first few, a line each
};

/// Rows of tables and of matrices, each question once, in the order of the questions' names, so
/// that the same rows give the same file whatever the shards were. Of several answers the decided
/// one stays, of undecided ones that which was given the most time. What is written is whole or not
/// at all, and nothing if answers contradict each other. Memory does not grow with the files: rows
/// are sorted in temporary ones. Throws std::invalid_argument for what are no rows,
/// std::runtime_error.
Merged merge(const std::vector<std::string>& files, const std::string& out);

}  // namespace mmaspec
