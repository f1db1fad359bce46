#pragma once
/// The output of `mmaspec explain` for two results of one product: both plans, and why they differ.

#include <optional>
#include <string>
#include <vector>

#include "queries/studies/explain/explain.h"
#include "queries/studies/explain/two_plans.h"
#include "report/picture/page.h"

namespace mmaspec {

/// Two results of one product.
struct TwoResults {
  explain::Explanation first;
  explain::Explanation second;
  const Format* first_format;  ///< of D
  const Format* second_format;
  std::size_t compared = 0;   ///< number of elements that both results have
  std::size_t differing = 0;  ///< number of them with different values
  /// The element with the largest difference; `given`: the first result.
  std::optional<explain::Mismatch> worst = {};
  // If each result is explained by one plan:
  std::vector<explain::ChangedPart> parts = {};  ///< the differences between the plans
  std::size_t tried = 0;                         ///< number of differing elements on which `parts`
                                                 ///< were tried
  std::optional<explain::Parting> parting = {};  ///< for the worst element
};

/// True if each result is explained by one plan.
bool are_explained(const TwoResults& results);

std::string text_of(const TwoResults& results, bool full);
std::string json_of(const TwoResults& results);
Page page_of(const TwoResults& results, const std::string& question, const std::string& command);

}  // namespace mmaspec
