#pragma once
/// Building in a copy of a graph, which is not always possible: an operation may not accept the
/// operands that replaced others, a change may not apply, or the copy may become too large.

#include <optional>
#include <string>
#include <type_traits>

#include "spec/lang/bounds.h"
#include "spec/lang/cannot_build.h"

namespace mmaspec {

/// A value, or why it cannot be built.
template <typename T>
struct Built {
  std::optional<T> value;
  std::string why_not = {};  ///< empty if there is a value
};

/// The value of build(), if its graph can be built. Every other exception passes through.
template <typename Build>
Built<std::invoke_result_t<const Build&>> build_if_possible(const Build& build) {
  try {
    return {build()};
  } catch (const CannotBuild& error) {
    return {std::nullopt, error.what()};
  } catch (const TooLarge& error) {
    return {std::nullopt, error.what()};
  }
}

}  // namespace mmaspec
