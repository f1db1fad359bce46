#pragma once
/// Reports as self-contained HTML pages: no script, nothing is loaded, light and dark.

#include <string>
#include <vector>

#include "concrete/dot/trace.h"

namespace mmaspec {

/// What a verdict says, for its colour; words say it too.
enum class Tone { good, bad, open };

struct PageSection {
  std::string heading;
  std::string html;  ///< as the functions below make it
};

struct Page {
  std::string title;
  std::string question;
  std::string verdict;
  Tone tone = Tone::open;
  std::vector<PageSection> sections = {};
  std::string command;  ///< that asks again
};

/// The whole document.
std::string html_of(const Page& page);

/// Operands, decoded: a line a product whose operands are not both zeros, scale factors, c.
std::string operands_html(const DotFormats& formats, const DotValues& values);
/// Named patterns of results, decoded.
struct NamedResult {
  std::string name;
  const Format* format;
  Integer pattern;
};
std::string results_html(const std::vector<NamedResult>& results);
/// A trace; zeros are left out.
std::string trace_html(const std::vector<TraceLine>& lines);
/// Two traces side by side, marked where they part.
std::string trace_html(const std::string& left_name, const std::vector<TraceLine>& left,
                       const std::string& right_name, const std::vector<TraceLine>& right);
/// Rows of text. `marked`: which of them stand out, as lines of traces that differ do; empty: none.
std::string table_html(const std::vector<std::string>& head,
                       const std::vector<std::vector<std::string>>& rows,
                       const std::vector<bool>& marked = {});
/// Text as it stands, in a fixed width.
std::string text_html(const std::string& text);

}  // namespace mmaspec
