#pragma once
/// "I move from this machine to that one: what changes?"

#include <string>
#include <vector>

#include "queries/machines/library.h"
#include "queries/machines/statistics.h"
#include "queries/prove/diff.h"

namespace mmaspec {

/// A type of product that both have, by the instructions that a library runs.
struct SharedProduct {
  LibraryChoice first;
  LibraryChoice second;
  DiffResult result;
  Statistics ordinary;  ///< of normal data, where they differ
};

/// By architectures() names. Each question is given its part of the time before the solvers' limit.
std::vector<SharedProduct> diff_machines(const std::string& first, const std::string& second,
                                         const DiffOptions& options, const Portfolio& solvers);

}  // namespace mmaspec
