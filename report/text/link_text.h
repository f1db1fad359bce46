#pragma once
/// Permalinks of the explorer (apps/web/): the text after `#` in its address. apps/web/page/link.js
/// reads them.

#include <map>
#include <string>
#include <vector>

#include "queries/prove/diff.h"
#include "queries/prove/prove.h"
#include "report/text/diff_text.h"

namespace mmaspec {

/// A line of text that ends with the link; empty if there is none.
std::string link_line(const std::string& link);
/// Adds the member `link` to a JSON document; without a link, the same document.
std::string with_link(const std::string& json, const std::string& link);

/// Page Compare: both units, the question, and the witness's operands if there is one. The page
/// cannot ask about padded pairs (--pad).
std::string compare_link(const Pair& pair, const DiffOptions& options, const AskedDifference& given,
                         const DotValues* witness);

/// Page Ask: the property of the subject, and the input that refutes it if there is one.
std::string ask_link(const Property& property, const Subject& subject,
                     const std::vector<std::string>& where, const Proof& proof);

}  // namespace mmaspec
