#include "report/picture/page.h"

#include <fmt/format.h>

#include "report/picture/svg.h"
#include "spec/formats/text.h"
#include "util/counted.h"

namespace mmaspec {
namespace {

constexpr const char* kStyle = R"css(
:root { color-scheme: light dark; --page: #ffffff; --text: #1b1f24; --soft: #5a6470; --line: #d5dae0;
  --head: #f3f5f7; --good: #d5f0dc; --good-text: #0b5a26; --bad: #fbd9d5; --bad-text: #8d1507;
  --open: #fbeec2; --open-text: #6b4d00; }
@media (prefers-color-scheme: dark) { :root { --page: #14171b; --text: #e4e8ec; --soft: #9ba6b2;
  --line: #353c45; --head: #1f242a; --good: #143d22; --good-text: #9be3b0; --bad: #52190f;
  --bad-text: #ffb9ad; --open: #463809; --open-text: #f3d982; } }
body { margin: 0 auto; padding: 1.2rem; max-width: 76rem; background: var(--page); color: var(--text);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.3rem; margin: 0 0 .6rem; overflow-wrap: anywhere; }
h2 { font-size: 1.05rem; margin: 1.6rem 0 .4rem; }
.verdict { padding: .5rem .8rem; border-radius: .3rem; overflow-wrap: anywhere; }
.good { background: var(--good); color: var(--good-text); }
.bad { background: var(--bad); color: var(--bad-text); }
.open { background: var(--open); color: var(--open-text); }
code, pre, table { font-family: ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace;
  font-size: .84rem; }
pre { overflow-x: auto; padding: .6rem .8rem; background: var(--head); border-radius: .3rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { border: 1px solid var(--line); padding: .15rem .6rem; text-align: right; white-space: nowrap; }
th { background: var(--head); font-weight: 600; }
td:first-child, th:first-child { text-align: left; }
tr.stage th { text-align: left; color: var(--soft); }
tr.parts td { font-weight: 600; }
)css";

std::string row(const std::vector<std::string>& cells, const std::string& classes = "",
                const char* kind = "td") {
  std::string text = classes.empty() ? "<tr>" : "<tr class=\"" + classes + "\">";
  for (const std::string& c : cells) text += fmt::format("<{0}>{1}</{0}>", kind, escaped(c));
  return text + "</tr>\n";
}

std::string table(const std::string& head, const std::string& rows) {
  return "<div class=\"scroll\"><table>\n<thead>" + head + "</thead>\n<tbody>\n" + rows +
         "</tbody>\n</table></div>\n";
}

std::string bits(const Format& format, const Integer& pattern) {
  return "0x" + to_hex(pattern, static_cast<unsigned>(format.hex_digits()));
}

/// Name, bits, hex float and decimal.
std::vector<std::string> decoded(const Format& format, const Integer& pattern) {
  return {bits(format, pattern), to_hex_float(format, pattern), to_decimal(format, pattern)};
}

std::vector<std::string> joined(std::vector<std::string> first,
                                const std::vector<std::string>& second,
                                const std::vector<std::string>& third = {}) {
  first.insert(first.end(), second.begin(), second.end());
  first.insert(first.end(), third.begin(), third.end());
  return first;
}

std::string shown(const TraceLine* line) {
  if (line == nullptr) return "-";
  return line->number.empty() ? line->integer.str() : line->number;
}

std::string stage_row(const std::string& stage, int columns) {
  return fmt::format("<tr class=\"stage\"><th colspan=\"{}\">{}</th></tr>\n", columns,
                     escaped(stage));
}

const char* class_of(Tone tone) {
  return tone == Tone::good ? "good" : tone == Tone::bad ? "bad" : "open";
}

}  // namespace

std::string html_of(const Page& page) {
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n<h1>{}</h1>\n"
      "<p class=\"verdict {}\">{}</p>\n",
      escaped(page.title), kStyle, escaped(page.question), class_of(page.tone),
      escaped(page.verdict));
  for (const PageSection& s : page.sections) {
    text += fmt::format("<section>\n<h2>{}</h2>\n{}</section>\n", escaped(s.heading), s.html);
  }
  return text +
         fmt::format("<section>\n<h2>Command</h2>\n<pre>{}</pre>\n</section>\n</body>\n</html>\n",
                     escaped(page.command));
}

std::string operands_html(const DotFormats& f, const DotValues& values) {
  const std::string a(f.a->name);
  const std::string b(f.b->name);
  const std::string head = row({"", "a, " + a, "", "", "b, " + b, "", ""}, "", "th");
  std::string rows;
  int zeros = 0;
  for (std::size_t k = 0; k < values.a.size(); ++k) {
    if (values.a[k] == 0 && values.b[k] == 0) {
      ++zeros;
      continue;
    }
    rows += row(
        joined({fmt::format("k={}", k)}, decoded(*f.a, values.a[k]), decoded(*f.b, values.b[k])));
  }
  for (std::size_t i = 0; i < values.scale_a.size(); ++i) {
    rows += row(joined({fmt::format("scale {}", i)}, decoded(*f.scale, values.scale_a[i]),
                       decoded(*f.scale, values.scale_b[i])));
  }
  rows += row(joined({fmt::format("c, {}", f.c->name)}, decoded(*f.c, values.c), {"", "", ""}));
  std::string text = table(head, rows);
  if (zeros > 0)
    text +=
        "<p>" + counted(zeros, "product of zeros is", "products of zeros are") + " omitted.</p>\n";
  return text;
}

std::string results_html(const std::vector<NamedResult>& results) {
  std::string rows;
  for (const auto& [name, format, pattern] : results) {
    rows += row(joined({name, std::string(format->name)}, decoded(*format, pattern)));
  }
  return table(row({"", "format", "bits", "hex float", "decimal"}, "", "th"), rows);
}

std::string trace_html(const std::vector<TraceLine>& lines) {
  std::string rows;
  std::string stage;
  for (const TraceLine& line : lines) {
    if (is_dull(line)) continue;
    if (line.stage != stage) rows += stage_row(line.stage, 3);
    stage = line.stage;
    rows += row({line.label, line.number, line.integer.str()});
  }
  return table(row({"", "value", "integer"}, "", "th"), rows);
}

std::string trace_html(const std::string& left_name, const std::vector<TraceLine>& left,
                       const std::string& right_name, const std::vector<TraceLine>& right) {
  std::string rows;
  std::string stage;
  for (const TracePair& pair : side_by_side(left, right)) {
    const bool parts = shown(pair.left) != shown(pair.right);
    const TraceLine& named = pair.left != nullptr ? *pair.left : *pair.right;
    if (named.stage != stage) rows += stage_row(named.stage, 4);
    stage = named.stage;
    rows += row({named.label, shown(pair.left), shown(pair.right), parts ? "differs" : ""},
                parts ? "parts" : "");
  }
  return table(row({"", left_name, right_name, ""}, "", "th"), rows);
}

std::string table_html(const std::vector<std::string>& head,
                       const std::vector<std::vector<std::string>>& rows,
                       const std::vector<bool>& marked) {
  std::string text;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    text += row(rows[i], i < marked.size() && marked[i] ? "parts" : "");
  }
  return table(row(head, "", "th"), text);
}

std::string text_html(const std::string& text) { return "<pre>" + escaped(text) + "</pre>\n"; }

}  // namespace mmaspec
