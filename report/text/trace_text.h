#pragma once
/// Traces as text.

#include <string>
#include <vector>

#include "concrete/dot/trace.h"

namespace mmaspec {

/// Every marked stage except zeros.
std::string trace_text(const std::vector<TraceLine>& lines);

/// Two traces side by side with their names. Stages with the same name are on one line, marked if
/// they differ. `differing_only`: other lines are omitted.
std::string trace_text(const std::string& left_name, const std::vector<TraceLine>& left,
                       const std::string& right_name, const std::vector<TraceLine>& right,
                       bool differing_only = false);

}  // namespace mmaspec
