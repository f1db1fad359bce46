#pragma once
/// Reads members of requests, and writes designs and numbers to replies.

#include <string>
#include <vector>

#include "apps/web/engine/requests.h"
#include "concrete/dot/model.h"
#include "queries/prove/diff.h"
#include "spec/catalog/instruction.h"

namespace mmaspec::web {

/// The largest number of products that the page shows one by one.
inline constexpr int kMostProducts = 512;

/// `otherwise` if the member is empty or not a string.
std::string text_of(const Json& request, const char* key, const std::string& otherwise = "");
std::vector<std::string> texts_of(const Json& request, const char* key);
/// An integer from `low` to `high`; if it is missing or an empty string: `otherwise`.
int integer_of(const Json& request, const char* key, int low, int high, int otherwise);

/// The instruction of this name, if the page can show it.
Instruction find(const std::string& name);

Json to_json(const Format& format);
Json to_json(const DotFormats& formats);
/// A pattern in each spelling that operands allow.
Json to_json(const Format& format, const Integer& pattern);
/// Operands as texts that requests accept: a, b, c and, if there are any, sa, sb.
Json to_json(const DotFormats& formats, const DotValues& values);

/// Operands of a request, in any spelling. Missing ones are zeros, and ones for scale factors.
struct Operands {
  DotValues values;
  Json shown;         ///< each as to_json() writes it, or its error
  std::string error;  ///< the first error; empty: all are valid
};
Operands operands_of(const Json& request, const DotFormats& formats);
/// The same; throws for the first error.
DotValues values_of(const Json& request, const DotFormats& formats);

PairOptions pairing_of(const Json& request);

}  // namespace mmaspec::web
