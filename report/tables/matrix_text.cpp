#include "report/tables/matrix_text.h"

#include <fmt/format.h>

#include <set>

#include "concrete/rows/csv.h"
#include "queries/ask/scope.h"
#include "report/tables/table_text.h"
#include "report/values.h"
#include "spec/conversions/conversions.h"
#include "util/counted.h"
#include "util/json.h"

namespace mmaspec {
namespace {

/// Up to this number of pairs, all are listed.
constexpr std::size_t kFewPairs = 200;

/// A difference for people: large ones are rounded to 3 digits.
std::string steps_text(const std::string& ulp) {
  if (ulp.size() <= 7) return ulp + " ulp";
  return fmt::format("{}.{}e{} ulp", ulp.substr(0, 1), ulp.substr(1, 2), ulp.size() - 1);
}

std::string verdict_text(const PairRow* row) {
  if (row == nullptr) return "not asked";
  switch (row->verdict) {
    case PairVerdict::equal:
      return "equal (" + row->by + (row->through.empty() ? "" : ", through " + row->through) + ")";
    case PairVerdict::undecided:
      return "undecided (" + row->how + ")";
    case PairVerdict::differ:
      break;
  }
  std::string text = fmt::format("differ: {}", to_string(row->takes));
  if (row->ulp != "0") text += fmt::format("; at most {} observed", steps_text(row->ulp));
  if (row->relative > 0) text += fmt::format(", {:.2g} of the terms", row->relative);
  if (row->unbounded) text += ", and a finite result differs from one that is not finite";
  return text;
}

struct Group {
  std::string formats;
  MatrixCounts counts;
};

std::string formats_of(const NamedPair& pair) {
  return formats_text(pair.first_design->instruction.formats) +
         (pair.first_design->instruction.formats.scale == nullptr ? "" : " (scaled)");
}

bool are_of_one_set(const NamedPair& pair) {
  return Frame{pair.first_design->instruction.formats, pair.second_design->instruction.formats}
      .has_one_set();
}

/// Summary of a large matrix.
struct Summary {
  MatrixCounts all;
  MatrixCounts one_set;  ///< pairs with the same operand formats
  MatrixCounts across;
  std::map<std::string, MatrixCounts> by_formats;
  std::map<std::pair<std::string, std::string>, MatrixCounts> by_architectures;
  std::vector<std::string> undecided;
};

std::string undecided_text(const NamedPair& pair, const PairRow& row) {
  return fmt::format("{} and {}: {}", pair.first, pair.second, row.how);
}

Summary summary_of(const Matrix& matrix, const MatrixResults& results) {
  Summary s;
  for_each_row(matrix, results, [&](const NamedPair& pair, const PairRow* row) {
    s.all.add(row);
    if (are_of_one_set(pair)) {
      s.one_set.add(row);
      s.by_formats[formats_of(pair)].add(row);
      const auto [x, y] = std::minmax(pair.first_design->instruction.architecture,
                                      pair.second_design->instruction.architecture);
      s.by_architectures[{x, y}].add(row);
    } else {
      s.across.add(row);
    }
    if (row != nullptr && row->verdict == PairVerdict::undecided) {
      s.undecided.push_back(undecided_text(pair, *row));
    }
  });
  return s;
}

}  // namespace

void for_each_row(const Matrix& matrix, const MatrixResults& results,
                  const std::function<void(const NamedPair&, const PairRow*)>& each) {
  const auto tell = [&](const NamedPair& named) {
    const std::optional<PairRow> row = results.find(named);
    each(named, row ? &*row : nullptr);
  };
  for (const NamedPair& named : matrix.pairs_of_one_design()) tell(named);
  for (const Unit& unit : matrix.units) {
    for (const DesignPair& p : unit.pairs) {
      for (const NamedPair& named : matrix.named(p)) tell(named);
    }
  }
}

std::size_t MatrixCounts::equal() const {
  std::size_t n = one_expression;
  for (const auto& [by, count] : proved) n += count;
  return n;
}

std::size_t MatrixCounts::all() const {
  std::size_t n = equal() + undecided + not_asked;
  for (const auto& [takes, count] : differ) n += count;
  return n;
}

void MatrixCounts::add(const PairRow* row) {
  if (row == nullptr) {
    ++not_asked;
  } else if (row->verdict == PairVerdict::undecided) {
    ++undecided;
    contradiction = contradiction || row->contradiction;
  } else if (row->verdict == PairVerdict::differ) {
    ++differ[row->takes];
  } else if (row->by == by(Justification::Kind::one_expression)) {
    ++one_expression;
  } else {
    ++proved[row->by];
  }
}

std::string to_text(const MatrixCounts& counts) {
  std::string text = fmt::format("{}: {} equal", counted(counts.all(), "pair"), counts.equal());
  if (counts.equal() > 0) {
    text += fmt::format(" ({} one expression", counts.one_expression);
    for (const auto& [by, count] : counts.proved) text += fmt::format(", {} by {}", count, by);
    text += ")";
  }
  std::size_t differ = 0;
  for (const auto& [takes, count] : counts.differ) differ += count;
  text += fmt::format(", {} differ", differ);
  std::string how;
  for (const auto& [takes, count] : counts.differ) {
    how += fmt::format("{}{} on {}", how.empty() ? "" : ", ", count, to_string(takes));
  }
  if (!how.empty()) text += " (" + how + ")";
  text += fmt::format(", {} undecided", counts.undecided);
  if (counts.not_asked > 0) text += fmt::format(", {} not asked", counts.not_asked);
  return text;
}

std::vector<UnitEvidence> evidence_of(const Matrix& matrix) {
  std::vector<Instruction> all;
  for (const MatrixDesign& d : matrix.designs) {
    for (const std::string& name : d.names) all.push_back(find_with_conversions(name));
  }
  return weakest_evidence(all);
}

std::string text_of(const Matrix& matrix, const MatrixResults& results) {
  std::string lines;
  std::size_t count = 0;
  MatrixCounts counts;
  std::string undecided;
  for_each_row(matrix, results, [&](const NamedPair& pair, const PairRow* row) {
    counts.add(row);
    const std::string line =
        fmt::format("{} and {}: {}\n", pair.first, pair.second, verdict_text(row));
    if (++count <= kFewPairs) lines += line;
    if (row != nullptr && row->verdict == PairVerdict::undecided) undecided += line;
  });
  return (count <= kFewPairs ? lines : undecided) + to_text(counts) +
         "\nInputs: finite. If the formats differ: only values that both represent.\n" +
         evidence_summary(evidence_of(matrix));
}

std::string csv_of(const Matrix& matrix, const MatrixResults& results) {
  std::string text = "first,second,formats,verdict,by,how,takes,ulp,relative\n";
  for_each_row(matrix, results, [&](const NamedPair& pair, const PairRow* row) {
    text += fmt::format("{},{},{},", csv_cell(pair.first), csv_cell(pair.second),
                        csv_cell(formats_of(pair)));
    if (row == nullptr) {
      text += "not asked,,,,,\n";
      return;
    }
    text +=
        fmt::format("{},{},{},", to_string(row->verdict), csv_cell(row->by), csv_cell(row->how));
    text += row->verdict != PairVerdict::differ
                ? ",,\n"
                : fmt::format("{},{},{:.6g}\n", csv_cell(std::string(to_string(row->takes))),
                              row->ulp, row->relative);
  });
  return text;
}

std::string lines_of(const Matrix& matrix, const MatrixResults& results) {
  std::string text;
  for_each_row(matrix, results, [&](const NamedPair& pair, const PairRow* row) {
    if (row != nullptr) text += results.line(pair);
  });
  return text;
}

std::string json_of(const Matrix& matrix, const MatrixResults& results) {
  std::string text;
  for_each_row(matrix, results, [&](const NamedPair& pair, const PairRow* row) {
    Json line{{"first", pair.first}, {"second", pair.second}};
    add_scope(mmaspec::scope_of(pair.first_design->instruction, pair.second_design->instruction,
                                Match::values, InputClass::finite, {}),
              line);
    line["evidence"] = evidence_json(
        weakest_evidence({find_with_conversions(pair.first), find_with_conversions(pair.second)}));
    if (!matrix.by_name) {
      line["first_names"] = pair.first_design->names;
      line["second_names"] = pair.second_design->names;
    }
    if (row == nullptr) {
      line["verdict"] = "not asked";
    } else {
      line.update(to_json(*row, pair_of(pair)));
    }
    text += mmaspec::to_text(line);
  });
  return text;
}

std::string markdown_of(const Matrix& matrix, const MatrixResults& results) {
  const Summary s = summary_of(matrix, results);
  std::string text =
      "<!-- Written by mmaspec matrix --format markdown; change the command, not this file. -->\n\n"
      "# Differences\n\nThis page answers, for every two designs of the catalogue that can be "
      "compared: do they compute the same result for all finite inputs? It shows how many pairs "
      "are proved equal, and which inputs make the others differ.\n\n"
      "Designs can be compared if they have the same operand formats. If the formats differ, only "
      "values that both formats represent count as inputs. If K differs, the shorter design is "
      "chained.\n\n";
  const auto row = [](const std::string& head, const MatrixCounts& c) {
    const auto at = [&](Takes t) {
      const auto it = c.differ.find(t);
      return it == c.differ.end() ? std::size_t{0} : it->second;
    };
    return fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", head, c.equal(),
                       at(Takes::ordinary), at(Takes::both_signs), at(Takes::unlike_sizes),
                       at(Takes::cancellation), at(Takes::subnormal), at(Takes::overflow),
                       c.undecided + c.not_asked);
  };
  const auto head = [](const std::string& what) {
    return fmt::format(
        "\n| {} | equal | differ: ordinary data in [0, 1) | ordinary data of both signs | "
        "terms of unlike sizes | cancellation | a subnormal | overflow | undecided |\n| --- | ---: "
        "| ---: | "
        "---: | ---: | "
        "---: | ---: | ---: | ---: |\n",
        what);
  };
  std::string proofs;
  const auto add_proofs = [&](const std::string& how, std::size_t count) {
    proofs += fmt::format("| {} | {} |\n", how, count);
  };
  add_proofs("one expression", s.all.one_expression);
  for (const auto& [by, n] : s.all.proved) {
    add_proofs(by == "argument" ? "analytical proof" : by, n);
  }
  text += "## Summary\n\n" +
          fmt::format("{}, {}.\n", counted(matrix.designs.size(), "design"),
                      counted(s.all.all(), "pair")) +
          head("pairs") + row("all", s.all) + row("same operand formats", s.one_set) +
          row("different operand formats", s.across) +
          "\nThe first column has the pairs that are proved equal. Each further column has the "
          "pairs that differ, by the mildest inputs on which a difference was observed; a milder "
          "input may exist. The last column has pairs without an answer.\n\n"
          "| proof of equality | pairs |\n| --- | ---: |\n" +
          proofs + "\n`mmaspec diff FIRST SECOND` compares one pair, and prints a witness.\n";
  text += "\n## By formats\n" + head("formats");
  for (const auto& [formats, counts] : s.by_formats) text += row("`" + formats + "`", counts);
  text += "\n## By architectures\n\nOnly pairs with the same operand formats.\n" +
          head("architectures");
  for (const auto& [pair, counts] : s.by_architectures) {
    text += row(pair.first == pair.second ? pair.first : pair.first + ", " + pair.second, counts);
  }
  if (!s.undecided.empty()) {
    text += "\n## Undecided\n\n";
    for (const std::string& line : s.undecided) text += "- " + line + "\n";
  }
  return text;
}

}  // namespace mmaspec
