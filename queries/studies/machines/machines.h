#pragma once
/// "I move from this machine to that one: what changes?"

#include <cstddef>
#include <string>
#include <vector>

#include "queries/draw/typical.h"
#include "queries/prove/diff.h"
#include "queries/studies/machines/data.h"
#include "queries/studies/machines/library.h"
#include "queries/studies/machines/statistics.h"

namespace mmaspec {

/// A type of product that both have, by the instructions that a library runs.
struct SharedProduct {
  LibraryChoice first;
  LibraryChoice second;
  DiffResult result;
  Statistics statistics;  ///< where they differ
};

/// What statistics beside an answer are of.
struct StatisticsOptions {
  const MatrixData* data = nullptr;  ///< none: drawn
  Distribution distribution = Distribution::normal;
  std::size_t count = 1000;  ///< at most
  Condition where = {};      ///< rows of which it does not hold are left out; empty: all count
  Deadline deadline = {};    ///< rows that are drawn later are left out
};

/// Statistics of the pair for a seed. Throws what MatrixData::products() throws.
Statistics statistics(const Pair& pair, const StatisticsOptions& options, unsigned seed);

/// `first` and `second` name architectures, or products of them. Each question is given its part of
/// the time before the solvers' limit. Throws, before anything is asked, what statistics() of a
/// type of product would throw.
std::vector<SharedProduct> diff_machines(const std::string& first, const std::string& second,
                                         const DiffOptions& options,
                                         const StatisticsOptions& statistics,
                                         const Portfolio& solvers);

}  // namespace mmaspec
