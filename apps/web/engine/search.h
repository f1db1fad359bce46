#pragma once
/// Helpers that the page's searches share.

#include <string>
#include <vector>

#include "apps/web/engine/requests.h"
#include "queries/numbers/where.h"
#include "queries/statement/condition.h"

namespace mmaspec::web {

/// The request's `where`, without empty ones.
std::vector<std::string> conditions_of(const Json& request);
/// `where` must outlive it.
Condition condition_of(const Where& where);

}  // namespace mmaspec::web
