#include "report/text/replay_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "concrete/dot/trace.h"
#include "report/text/trace_text.h"
#include "report/values.h"
#include "util/counted.h"
#include "util/json.h"

namespace mmaspec {
namespace {

std::string disagreement_text(const Replayed& replayed, const Disagreement& d,
                              RowModels::Entry& entry, bool full) {
  const ReplayRow& row = replayed.rows[d.row];
  const DotFormats& f = entry.run.formats;
  std::string text =
      fmt::format("  {}{}\n{}    device  {}\n    spec    {}\n", row.where,
                  row.why.empty() ? "" : " (" + row.why + ")", show_inputs(f, row.row.values, full),
                  show_pattern(*f.d, d.device), show_pattern(*f.d, d.computed));
  if (replayed.run.answers[d.row].uneven) {
    text +=
        "    inconsistent: copies of this dot product in one instruction gave different results\n";
  }
  if (row.row.d_other && *row.row.d_other == d.device) {
    text += "    the device's answer equals that of " + row.row.other + "\n";
  }
  const std::vector<TraceLine> spec = trace_lines(entry.run, row.row.values);
  return text + (replayed.run.trace ? trace_text("spec", spec, "device", replayed.run.trace(d.row))
                                    : trace_text(spec));
}

std::string header_text(const std::string& header) {
  if (header.empty()) return "";
  std::string text;
  const auto object = Json::parse(header);
  for (const auto& [key, value] : object.items()) {
    text += (text.empty() ? "" : ", ") + key + " " +
            (value.is_string() ? value.get<std::string>() : to_text(value, -1));
  }
  return one_line(text) + "\n";
}

std::string group_text(const RivalGroup& group) {
  std::string name = group.question;
  if (!name.empty() && !group.why.empty()) name += ". ";
  name += group.why;
  std::string text = fmt::format("{}{}{}: {} of {} answered\n", name, name.empty() ? "" : ", ",
                                 group.instruction, group.answered, counted(group.rows, "row"));
  std::vector<RivalGroup::Score> scores = group.rivals;
  std::stable_sort(scores.begin(), scores.end(),
                   [](const auto& x, const auto& y) { return x.right > y.right; });
  for (const RivalGroup::Score& s : scores) {
    if (s.asked == 0) continue;
    text += fmt::format("  {:>6}/{:<6} {}{}\n", s.right, s.asked, s.rival,
                        s.survives() ? "   <- survives" : "");
  }
  return text;
}

std::string decided_text(const Replayed& replayed) {
  std::string text;
  for (const Unseparated& u : replayed.unseparated) {
    text += fmt::format("no input found on which {} and {} differ{} ({})\n", u.first, u.second,
                        u.proved ? ": they never do" : "", u.how);
  }
  return text;
}

std::string survivors_text(const Replayed& replayed) {
  std::vector<std::string> survivors;
  for (const RivalGroup& g : replayed.report.groups) {
    for (const RivalGroup::Score& s : g.rivals) {
      if (s.survives()) survivors.push_back(s.rival);
    }
  }
  if (survivors.empty()) return "no model survives\n";
  return fmt::format("survives: {}\n", fmt::join(survivors, ", "));
}

}  // namespace

std::string text_of(const Replayed& replayed, RowModels& models, bool full) {
  const ReplayReport& report = replayed.report;
  std::string text = header_text(replayed.run.header);
  for (const auto& [name, counts] : report.by_instruction) {
    if (replayed.deciding && counts.lacking == 0) continue;
    text += fmt::format("{:<84} {:>8} passed {:>8} failed", name, counts.passed, counts.failed);
    if (counts.lacking > 0) text += fmt::format(" {:>8} lacking", counts.lacking);
    text += "\n";
    for (const auto& [reason, count] : counts.lacks) {
      text += fmt::format("  lacking {}: {}\n", count, one_line(reason));
    }
    if (replayed.deciding) continue;
    for (const Disagreement& d : counts.first) {
      text += disagreement_text(replayed, d, models.of(replayed.rows[d.row].row), full);
    }
    if (const std::size_t rest = counts.failed - counts.first.size(); rest > 0) {
      text += fmt::format("  and {} more\n", rest);
    }
  }
  for (const RivalGroup& group : report.groups) text += "\n" + group_text(group);
  if (!report.groups.empty()) text += "\n";
  if (replayed.deciding) return text + decided_text(replayed) + survivors_text(replayed);
  text += fmt::format("{} passed, {} failed", report.passed, report.failed);
  if (report.lacking > 0) text += fmt::format(", {} lacking", report.lacking);
  return text + "\n";
}

namespace {

Json json_of(const RivalGroup& group) {
  Json object;
  if (!group.question.empty()) object["question"] = group.question;
  if (!group.why.empty()) object["why"] = group.why;
  object["instr"] = group.instruction;
  object["rows"] = group.rows;
  object["answered"] = group.answered;
  object["rivals"] = Json::array();
  for (const RivalGroup::Score& s : group.rivals) {
    object["rivals"].push_back(
        {{"name", s.rival}, {"asked", s.asked}, {"right", s.right}, {"survives", s.survives()}});
  }
  return object;
}

}  // namespace

std::string json_of(const Replayed& replayed, RowModels& models) {
  const ReplayReport& report = replayed.report;
  Json object;
  object["header"] = replayed.run.header.empty() ? Json() : Json::parse(replayed.run.header);
  object["passed"] = report.passed;
  object["failed"] = report.failed;
  object["lacking"] = report.lacking;
  object["instructions"] = Json::array();
  for (const auto& [name, counts] : report.by_instruction) {
    Json entry{{"instr", name},
               {"passed", counts.passed},
               {"failed", counts.failed},
               {"lacking", counts.lacking},
               {"uneven", counts.uneven}};
    for (const auto& [reason, count] : counts.lacks) entry["lacks"][reason] = count;
    for (const Disagreement& d : counts.first) {
      const ReplayRow& row = replayed.rows[d.row];
      RowModels::Entry& model = models.of(row.row);
      const auto digits = static_cast<unsigned>(model.run.formats.d->hex_digits());
      auto shown = Json::parse(with_answer(row, "\"d\":\"" + to_hex(d.device, digits) + "\""));
      shown["computed"] = to_hex(d.computed, digits);
      shown["where"] = row.where;
      shown["trace"] = json_of(trace_lines(model.run, row.row.values));
      if (replayed.run.trace) shown["device_trace"] = json_of(replayed.run.trace(d.row));
      entry["disagreements"].push_back(std::move(shown));
    }
    entry["disagreements_left_out"] = counts.failed - counts.first.size();
    object["instructions"].push_back(std::move(entry));
  }
  object["questions"] = Json::array();
  for (const RivalGroup& g : report.groups) object["questions"].push_back(json_of(g));
  if (replayed.deciding) {
    object["unseparated"] = Json::array();
    for (const Unseparated& u : replayed.unseparated) {
      object["unseparated"].push_back(
          {{"first", u.first}, {"second", u.second}, {"proved", u.proved}, {"how", u.how}});
    }
  }
  return to_text(object, 2);
}

}  // namespace mmaspec
