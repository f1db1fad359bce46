#pragma once
/// Reports as self-contained HTML pages: without scripts or external resources, in light and dark
/// mode.

#include <string>
#include <vector>

#include "concrete/dot/trace.h"

namespace mmaspec {

/// The meaning of a verdict, which selects its color; the text states it too.
enum class Tone { good, bad, open };

struct PageSection {
  std::string heading;
  std::string html;  ///< as the functions below return it
};

struct Page {
  std::string title;
  std::string question;
  std::string verdict;
  Tone tone = Tone::open;
  std::vector<PageSection> sections = {};
  std::string command;  ///< the command that repeats the question
};

/// The whole document.
std::string html_of(const Page& page);

/// Operands, decoded: one line for each product whose operands are not both zeros, for the scale
/// factors, and for c.
std::string operands_html(const DotFormats& formats, const DotValues& values);
/// Named patterns of results, decoded.
struct NamedResult {
  std::string name;
  const Format* format;
  Integer pattern;
};
std::string results_html(const std::vector<NamedResult>& results);
/// A trace without zeros.
std::string trace_html(const std::vector<TraceLine>& lines);
/// Two traces side by side, with different lines highlighted.
std::string trace_html(const std::string& left_name, const std::vector<TraceLine>& left,
                       const std::string& right_name, const std::vector<TraceLine>& right);
/// Rows of text. `marked`: the rows that are highlighted, like lines of traces that differ; empty:
/// none.
std::string table_html(const std::vector<std::string>& head,
                       const std::vector<std::vector<std::string>>& rows,
                       const std::vector<bool>& marked = {});
/// Preformatted text in a fixed-width font.
std::string text_html(const std::string& text);

}  // namespace mmaspec
