#include "report/attempts.h"

#include <fmt/format.h>

namespace mmaspec {

std::string vacuously(Vacuity vacuity) { return reason(vacuity).empty() ? "" : ", vacuously"; }

std::string vacuity_text(Vacuity vacuity) {
  const std::string none = reason(vacuity);
  return none.empty() ? "" : "vacuously: " + none + "; ";
}

std::string vacuity_note(Vacuity vacuity) {
  return vacuity == Vacuity::unknown
             ? "; it is undecided whether any input satisfies the precondition"
             : "";
}

void add_vacuity(Json& object, Vacuity vacuity, const std::vector<std::string>& where) {
  if (where.empty() && vacuity == Vacuity::none) return;
  object["vacuous"] = nullptr;
  if (vacuity != Vacuity::unknown) object["vacuous"] = vacuity != Vacuity::none;
}

void add_grounds(Json& object, const Justification& justification, bool is_proved) {
  if (is_proved) {
    object["by"] = by(justification.kind);
    if (justification.theorem) object["theorem"] = number_of(*justification.theorem);
  }
  object["how"] = justification.how();
}

std::string theorem_line(const Justification& justification) {
  if (!justification.theorem) return "";
  return "theorem: " + number_of(*justification.theorem) + " (see 'mmaspec help theorems')\n";
}

std::string attempts_text(const std::vector<AttemptReport>& attempts) {
  std::string text;
  for (const AttemptReport& a : attempts) {
    text += fmt::format("  {} {:<28} {:>8.2f} s", a.counts ? '*' : ' ', a.name, a.seconds);
    text += a.peak_kib > 0 ? fmt::format(" {:>6} MiB", a.peak_kib / 1024) : std::string(11, ' ');
    text += "  " + a.outcome + "\n";
  }
  return text;
}

Json attempts_json(const std::vector<AttemptReport>& attempts) {
  Json all = Json::array();
  for (const AttemptReport& a : attempts) {
    all.push_back({{"attempt", a.name},
                   {"outcome", a.outcome},
                   {"counts", a.counts},
                   {"seconds", a.seconds},
                   {"peak_kib", a.peak_kib}});
  }
  return all;
}

}  // namespace mmaspec
