#pragma once
/// Members of requests, and what designs and numbers are in replies.

#include <string>
#include <vector>

#include "apps/web/engine/requests.h"
#include "concrete/dot/model.h"
#include "queries/prove/diff.h"
#include "spec/catalog/instruction.h"

namespace mmaspec::web {

/// Products that the page shows one by one.
inline constexpr int kMostProducts = 512;

/// `otherwise` where the member is no text or empty.
std::string text_of(const Json& request, const char* key, const std::string& otherwise = "");
std::vector<std::string> texts_of(const Json& request, const char* key);
/// A number from `low` to `high`; nothing or an empty text: `otherwise`.
int integer_of(const Json& request, const char* key, int low, int high, int otherwise);

/// What the name means, if the page can show it.
Instruction find(const std::string& name);

Json to_json(const Format& format);
Json to_json(const DotFormats& formats);
/// A pattern in each spelling that operands have.
Json to_json(const Format& format, const Integer& pattern);
/// Operands as texts that requests take: a, b, c and where there are any sa, sb.
Json to_json(const DotFormats& formats, const DotValues& values);

/// Operands of a request, in any spelling; fewer than there are products are padded, scale factors
/// with ones.
struct Operands {
  DotValues values;
  Json shown;         ///< each as to_json() has it, or its error
  std::string error;  ///< the first; empty: all are good
};
Operands operands_of(const Json& request, const DotFormats& formats);
/// The same; throws for the first error.
DotValues values_of(const Json& request, const DotFormats& formats);

PairOptions pairing_of(const Json& request);

}  // namespace mmaspec::web
