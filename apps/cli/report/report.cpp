#include "apps/cli/report/report.h"

#include <fmt/format.h>

#include "apps/cli/command_line.h"
#include "apps/cli/parser.h"
#include "concrete/dot/trace.h"
#include "queries/ask/scope.h"
#include "queries/values/exact_result.h"
#include "report/picture/draw_ruler.h"
#include "util/file.h"

namespace mmaspec::cli {
namespace {

std::vector<Ruler> rulers_of(const std::vector<WitnessRun>& runs) {
  std::vector<Ruler> rulers;
  for (const WitnessRun& run : runs) {
    rulers.push_back(ruler_of(run.instruction, run.values));
    if (run.label != rulers.back().name) rulers.back().name = run.label + ": " + rulers.back().name;
    for (const UnitEvidence& e : weakest_evidence({run.instruction})) {
      rulers.back().name += fmt::format(" (evidence: {})", to_string(e.weakest));
    }
  }
  return rulers;
}

bool same_operands(const WitnessRun& x, const WitnessRun& y) {
  const DotFormats& f = x.instruction.formats;
  const DotFormats& g = y.instruction.formats;
  return *f.a == *g.a && *f.b == *g.b && *f.c == *g.c && x.values == y.values;
}

std::string operands(const std::vector<WitnessRun>& runs) {
  std::string html;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (i > 0 && same_operands(runs[0], runs[i])) continue;
    if (runs.size() > 1 && !same_operands(runs[0], runs.back())) html += text_html(runs[i].label);
    html += operands_html(runs[i].instruction.formats, runs[i].values);
  }
  return html;
}

std::string results(const std::vector<WitnessRun>& runs) {
  std::vector<NamedResult> all;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const WitnessRun& run = runs[i];
    const DotFormats& f = run.instruction.formats;
    all.push_back({run.label, f.d, run.d});
    const bool is_last = i + 1 == runs.size() || !same_operands(run, runs[i + 1]);
    const auto exact = exact_dot(f, run.values);
    const bool has_nearest = f.d->has_infinity() || f.d->has_nan();
    if (is_last && exact && has_nearest) {
      all.push_back({"exact, to nearest", f.d, nearest_even(*f.d, *exact)});
    }
  }
  return results_html(all);
}

std::string traces(const std::vector<WitnessRun>& runs) {
  if (runs.size() == 2) {
    return trace_html(runs[0].label, trace_lines(runs[0].instruction, runs[0].values),
                      runs[1].label, trace_lines(runs[1].instruction, runs[1].values));
  }
  std::string html;
  for (const WitnessRun& run : runs) {
    if (runs.size() > 1) html += text_html(run.label);
    html += trace_html(trace_lines(run.instruction, run.values));
  }
  return html;
}

Page page_of(const Report& report) {
  Page page{"MMA-Spec: " + report.question,
            report.question,
            report.verdict,
            report.tone,
            {},
            command_line()};
  if (!report.evidence.empty()) {
    page.sections.push_back({"Evidence", text_html(report.evidence)});
  }
  for (std::size_t i = 0; i < report.witnesses.size(); ++i) {
    const std::vector<WitnessRun>& runs = report.witnesses[i];
    const std::string number =
        report.witnesses.size() == 1 ? "" : fmt::format(" of witness {}", i + 1);
    page.sections.push_back({"Operands" + number, operands(runs)});
    page.sections.push_back({"Results" + number, results(runs)});
    page.sections.push_back({"Bits kept and lost" + number,
                             "<div class=\"scroll\">" + draw(rulers_of(runs)) + "</div>\n"});
    page.sections.push_back(
        {(runs.size() == 2 ? "Traces, side by side" : "Trace") + number, traces(runs)});
  }
  if (!report.more.empty()) page.sections.push_back({"How", text_html(report.more)});
  return page;
}

}  // namespace

void ReportOptions::add_to(Command& command, const std::string& of) {
  command
      .add_option(
          "--picture", picture,
          "write a picture of the kept and lost bits of each term to this file, as SVG: " + of)
      .not_empty()
      .ending({"svg"});
  command
      .add_option("--html", html,
                  "write a page to this file: the question, the answer, operands, picture, traces")
      .not_empty()
      .ending({"html", "htm"});
}

void ReportOptions::require_files() const {
  for (const std::string& file : {picture, html}) {
    if (!file.empty()) require_writable(file);
  }
}

void ReportOptions::write(const Report& report) const {
  if (!picture.empty()) {
    const std::string evidence = report.evidence.empty() ? "" : "; evidence: " + report.evidence;
    write_file(picture, report.witnesses.empty() ? draw_text(report.verdict + evidence)
                                                 : draw(rulers_of(report.witnesses[0])));
  }
  if (!html.empty()) write_file(html, html_of(page_of(report)));
}

}  // namespace mmaspec::cli
