#pragma once
/// What `mmaspec explain` says.

#include <string>

#include "queries/explain/explain.h"

namespace mmaspec::cli {

/// For people. `full`: all plans that fit are shown, and all their names. `hint`: says how plans
/// are told apart, where several fit.
std::string text_of(const explain::Explanation& found, bool full, bool hint);
std::string json_of(const explain::Explanation& found);

}  // namespace mmaspec::cli
