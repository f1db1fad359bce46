#pragma once
/// Traces as text.

#include <string>
#include <vector>

#include "concrete/dot/trace.h"

namespace mmaspec {

/// Every marked stage except zeros.
std::string trace_text(const std::vector<TraceLine>& lines);

/// Two traces side by side under their names; lines of one name are one line, marked where they
/// part. `differing_only`: the others are left out.
std::string trace_text(const std::string& left_name, const std::vector<TraceLine>& left,
                       const std::string& right_name, const std::vector<TraceLine>& right,
                       bool differing_only = false);

}  // namespace mmaspec
