#pragma once
/// Compares two machines: for each type of product, what changes if you move from one machine to
/// the other.

#include <cstddef>
#include <string>
#include <vector>

#include "queries/draw/typical.h"
#include "queries/prove/diff.h"
#include "queries/studies/machines/data.h"
#include "queries/studies/machines/library.h"
#include "queries/studies/machines/statistics.h"

namespace mmaspec {

/// A type of product that both machines have, computed by the instructions that a library uses.
struct SharedProduct {
  LibraryChoice first;
  LibraryChoice second;
  DiffResult result;
  Statistics statistics;  ///< set if they differ
};

/// The data for the statistics that accompany an answer.
struct StatisticsOptions {
  const MatrixData* data = nullptr;  ///< nullptr: drawn data
  Distribution distribution = Distribution::normal;
  std::size_t count = 1000;  ///< largest number of rows
  Condition where = {};      ///< rows that do not satisfy it are left out; empty: all rows count
  Deadline deadline = {};    ///< rows drawn after it are left out
};

/// Statistics of the pair for a seed. Throws what MatrixData::products() throws.
Statistics statistics(const Pair& pair, const StatisticsOptions& options, unsigned seed);

/// `first` and `second` name architectures, or products of them. Each question gets its share of
/// the solvers' time limit. Before the first question, throws what statistics() would throw for any
/// type of product.
std::vector<SharedProduct> diff_machines(const std::string& first, const std::string& second,
                                         const DiffOptions& options,
                                         const StatisticsOptions& statistics,
                                         const Portfolio& solvers);

}  // namespace mmaspec
