#pragma once
/// Permalinks of the explorer (web/): the text after `#` in its address. apps/web/page/link.js
/// reads them.

#include <map>
#include <string>
#include <vector>

#include "queries/prove/diff.h"
#include "queries/prove/prove.h"
#include "report/text/diff_text.h"

namespace mmaspec {

/// The line of a text that ends with it; empty for none.
std::string link_line(const std::string& link);
/// A JSON document with the member `link`; the same document for none.
std::string with_link(const std::string& json, const std::string& link);

/// Compare: both, the question, and the witness's operands if there is one. The page asks nothing
/// of padded pairs (--pad).
std::string compare_link(const Pair& pair, const DiffOptions& options, const AskedDifference& given,
                         const DotValues* witness);

/// Ask: the property of the subject, and the input that refutes it if there is one.
std::string ask_link(const Property& property, const Subject& subject,
                     const std::vector<std::string>& where, const Proof& proof);

}  // namespace mmaspec
