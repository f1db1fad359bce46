#include "report/tables/suite_text.h"

#include <fmt/format.h>

#include "queries/ask/scope.h"
#include "report/attempts.h"
#include "report/picture/draw_tree.h"
#include "report/tables/table_text.h"
#include "report/values.h"
#include "spec/formats/text.h"
#include "util/counted.h"
#include "util/json.h"

namespace mmaspec {
namespace {

/// A, B, ... Z, AA, AB, ...
std::string class_name(std::size_t number) {
  std::string name;
  for (std::size_t n = number + 1; n > 0; n = (n - 1) / 26) {
    name.insert(name.begin(), static_cast<char>('A' + (n - 1) % 26));
  }
  return name;
}

std::string class_names(const std::vector<std::size_t>& classes) {
  std::vector<std::string> names;
  for (std::size_t c : classes) names.push_back(class_name(c));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string hex_of(const Format& format, const Integer& pattern) {
  return to_hex(pattern, static_cast<unsigned>(format.hex_digits()));
}

/// A class's answer to a row: its first design's result.
const Integer& answer_of(const Suite& suite, std::size_t row, std::size_t c) {
  return suite.rows[row].answers[suite.classes[c].designs[0]];
}

std::string answer_text(const Suite& suite, std::size_t row, std::size_t c) {
  return "0x" + hex_of(*suite.formats.d, answer_of(suite, row, c));
}

/// The designs at a leaf of the tree, each after its class.
std::vector<std::string> names_of(const Suite& suite, const TreeNode& leaf) {
  std::vector<std::string> names;
  for (const std::size_t c : leaf.classes) {
    for (const std::size_t d : suite.classes[c].designs) {
      names.push_back(class_name(c) + " " + suite.designs[d].label());
    }
  }
  return names;
}

DrawnNode drawn(const Suite& suite, std::size_t number, const std::string& way) {
  const TreeNode& node = suite.tree.nodes[number];
  DrawnNode result{way};
  if (node.input) {
    result.lines.push_back(fmt::format("input {}", *node.input + 1));
  } else {
    result.lines = names_of(suite, node);
  }
  for (const std::size_t child : node.children) {
    const std::string answer = answer_text(suite, *node.input, suite.tree.nodes[child].classes[0]);
    result.below.push_back(drawn(suite, child, answer));
  }
  return result;
}

std::string design_text(const Suite& suite, std::size_t design) {
  const SuiteDesign& d = suite.designs[design];
  const int own = d.own.formats.k;
  if (own < suite.formats.k) {
    return d.label() + fmt::format(" ({} times K = {})", (suite.formats.k + own - 1) / own, own);
  }
  if (own > suite.formats.k)
    return d.label() + fmt::format(" (zeros from k = {} on)", suite.formats.k);
  return d.label();
}

std::string head_text(const Suite& suite) {
  return fmt::format("{}, K = {}: {} in {}\n", formats_text(suite.formats), suite.formats.k,
                     counted(suite.designs.size(), "design"),
                     counted(suite.classes.size(), "class", "classes"));
}

/// The size of the suite and the bounds for smaller ones. Each sentence has `before` in front and
/// ends with a newline.
std::string size_text(const Suite& suite, const std::string& before = "") {
  if (suite.rows.empty()) {
    return before + (suite.undecided.empty()
                         ? "there is nothing to distinguish\n"
                         : "no input was found that distinguishes any two designs\n");
  }
  std::string text =
      before +
      fmt::format("{} {} {}; ", counted(suite.rows.size(), "input"),
                  suite.rows.size() == 1 ? "distinguishes" : "distinguish",
                  suite.undecided.empty() ? "all classes" : "all classes that are known to differ");
  const std::string of_candidates =
      fmt::format("{} of {}", suite.smallest, counted(suite.candidates, "candidate"));
  if (suite.rows.size() == 1) {
    text += "no suite is smaller\n";
  } else if (suite.least == suite.smallest) {
    text += fmt::format("{} suffice, and fewer do not (branch and bound)\n", of_candidates);
  } else {
    text += fmt::format("{} suffice, and fewer than {} do not (branch and bound, incomplete)\n",
                        of_candidates, suite.least);
  }
  text +=
      before +
      fmt::format("the information-theoretic lower bound is {} (a candidate gives at most {})\n",
                  suite.information_least, counted(suite.most_answers, "different answer"));
  return text + before +
         fmt::format(
             "questions asked in sequence{}: {:.4g} on average, {} at most; the best tree{} over "
             "all "
             "candidates asks {:.4g}\n",
             suite.tree.is_least ? "" : ", by the best tree found", suite.tree.expected(),
             suite.tree.deepest(), suite.expected_is_least ? "" : " found",
             suite.expected_of_candidates);
}

std::string equality_text(const Suite& suite, const SuiteEquality& e) {
  const std::string none = reason(e.vacuity);
  return fmt::format("{} and {} ({}{}{}{})", suite.designs[e.first].label(),
                     suite.designs[e.second].label(), none, none.empty() ? "" : "; ", e.how,
                     vacuity_note(e.vacuity));
}

std::string undecided_text(const Suite& suite, const SuiteUndecided& u) {
  const auto named = [&](std::size_t c) {
    return fmt::format("{} ({})", class_name(c),
                       suite.designs[suite.classes[c].designs[0]].label());
  };
  return fmt::format("{} and {}: {}", named(u.first), named(u.second), u.how);
}

/// The classes, with one line for each design.
std::string classes_text(const Suite& suite) {
  std::string text;
  for (std::size_t c = 0; c < suite.classes.size(); ++c) {
    std::string head = class_name(c);
    for (std::size_t d : suite.classes[c].designs) {
      text += fmt::format("  {:<3} {}\n", head, design_text(suite, d));
      head.clear();
    }
  }
  return text;
}

std::string table_text(const Suite& suite) {
  const std::size_t width = static_cast<std::size_t>(suite.formats.d->hex_digits()) + 2;
  std::string text = "      ";
  for (std::size_t r = 0; r < suite.rows.size(); ++r) text += fmt::format("  {:>{}}", r + 1, width);
  text += "\n";
  for (std::size_t c = 0; c < suite.classes.size(); ++c) {
    text += fmt::format("  {:<4}", class_name(c));
    for (std::size_t r = 0; r < suite.rows.size(); ++r) text += "  " + answer_text(suite, r, c);
    text += "\n";
  }
  return text;
}

void tree_text(const Suite& suite, std::size_t number, const std::string& indent,
               std::string& text) {
  const TreeNode& node = suite.tree.nodes[number];
  if (!node.input) {
    text += " " + class_names(node.classes) + "\n";
    return;
  }
  text += fmt::format(" input {}\n", *node.input + 1);
  for (std::size_t child : node.children) {
    const TreeNode& next = suite.tree.nodes[child];
    text += indent + answer_text(suite, *node.input, next.classes[0]) + ":";
    tree_text(suite, child, indent + "  ", text);
  }
}

std::string tree_text(const Suite& suite) {
  std::string text = "ask";
  tree_text(suite, 0, "  ", text);
  return text;
}

std::vector<UnitEvidence> evidence_of(const Suite& suite) {
  std::vector<Instruction> all;
  for (const SuiteDesign& d : suite.designs) all.push_back(d.own);
  return weakest_evidence(all);
}

Json tree_json(const Suite& suite, std::size_t number) {
  const TreeNode& node = suite.tree.nodes[number];
  Json object;
  object["classes"] = Json::array();
  for (std::size_t c : node.classes) object["classes"].push_back(class_name(c));
  if (!node.input) return object;
  object["row"] = *node.input;
  object["answers"] = Json::array();
  for (std::size_t child : node.children) {
    Json answer;
    answer["d"] =
        hex_of(*suite.formats.d, answer_of(suite, *node.input, suite.tree.nodes[child].classes[0]));
    answer["then"] = tree_json(suite, child);
    object["answers"].push_back(std::move(answer));
  }
  return object;
}

}  // namespace

std::string text_of(const Suite& suite, bool full) {
  std::string text = head_text(suite) + classes_text(suite);
  if (!suite.equalities.empty()) text += "proved equal:\n";
  for (const SuiteEquality& e : suite.equalities) text += "  " + equality_text(suite, e) + "\n";
  if (!suite.undecided.empty()) text += "undecided:\n";
  for (const SuiteUndecided& u : suite.undecided) text += "  " + undecided_text(suite, u) + "\n";
  text += size_text(suite);
  for (std::size_t r = 0; r < suite.rows.size(); ++r) {
    text +=
        fmt::format("input {}\n", r + 1) + show_inputs(suite.formats, suite.rows[r].values, full);
  }
  if (!suite.rows.empty()) text += "answers\n" + table_text(suite) + tree_text(suite);
  return text + evidence_summary(evidence_of(suite)) + fmt::format("{:.2f} s\n", suite.seconds);
}

std::string markdown_of(const Suite& suite) {
  std::string text = head_text(suite) + "\n| class | designs |\n| --- | --- |\n";
  for (std::size_t c = 0; c < suite.classes.size(); ++c) {
    std::vector<std::string> names;
    for (std::size_t d : suite.classes[c].designs) {
      names.push_back("`" + suite.designs[d].label() + "`");
    }
    text += fmt::format("| {} | {} |\n", class_name(c), fmt::join(names, ", "));
  }
  text += "\n";
  for (const SuiteEquality& e : suite.equalities) {
    text += "- proved equal: " + equality_text(suite, e) + "\n";
  }
  for (const SuiteUndecided& u : suite.undecided) {
    text += "- undecided: " + undecided_text(suite, u) + "\n";
  }
  text += size_text(suite, "- ");
  if (suite.rows.empty()) return text;
  for (std::size_t r = 0; r < suite.rows.size(); ++r) {
    text += fmt::format("\nInput {}:\n\n```\n{}```\n", r + 1,
                        show_inputs(suite.formats, suite.rows[r].values, true));
  }
  std::string rule = "| --- |";
  text += "\n| class |";
  for (std::size_t r = 0; r < suite.rows.size(); ++r) {
    text += fmt::format(" input {} |", r + 1);
    rule += " --- |";
  }
  text += "\n" + rule + "\n";
  for (std::size_t c = 0; c < suite.classes.size(); ++c) {
    text += "| " + class_name(c) + " |";
    for (std::size_t r = 0; r < suite.rows.size(); ++r) {
      text += " `" + answer_text(suite, r, c) + "` |";
    }
    text += "\n";
  }
  return text + "\n```\n" + tree_text(suite) + "```\n";
}

std::string json_of(const Suite& suite, const std::vector<std::string>& where) {
  Json object;
  add_formats(suite.formats, object);
  if (!where.empty()) object["where"] = where;
  object["evidence"] = evidence_json(evidence_of(suite));
  object["designs"] = Json::array();
  for (std::size_t d = 0; d < suite.designs.size(); ++d) {
    object["designs"].push_back({{"name", suite.designs[d].name()},
                                 {"k", suite.designs[d].own.formats.k},
                                 {"class", class_name(suite.class_of(d))}});
  }
  object["classes"] = Json::array();
  for (std::size_t c = 0; c < suite.classes.size(); ++c) {
    Json entry{{"class", class_name(c)}, {"names", Json::array()}};
    for (std::size_t d : suite.classes[c].designs)
      entry["names"].push_back(suite.designs[d].name());
    entry["answers"] = Json::array();
    for (std::size_t r = 0; r < suite.rows.size(); ++r) {
      entry["answers"].push_back(hex_of(*suite.formats.d, answer_of(suite, r, c)));
    }
    object["classes"].push_back(std::move(entry));
  }
  object["equal"] = Json::array();
  for (const SuiteEquality& e : suite.equalities) {
    Json entry{{"first", suite.designs[e.first].name()},
               {"second", suite.designs[e.second].name()},
               {"how", e.how}};
    add_vacuity(entry, e.vacuity, where);
    object["equal"].push_back(std::move(entry));
  }
  object["undecided"] = Json::array();
  for (const SuiteUndecided& u : suite.undecided) {
    object["undecided"].push_back(
        {{"first", class_name(u.first)}, {"second", class_name(u.second)}, {"how", u.how}});
  }
  object["rows"] = Json::array();
  for (const std::string& line : vector_lines(suite)) {
    object["rows"].push_back(Json::parse(line));
  }
  object["candidates"] = suite.candidates;
  object["smallest"] = suite.smallest;
  object["least_of_candidates"] = suite.least;
  object["minimal"] = suite.least == suite.smallest;
  object["most_answers"] = suite.most_answers;
  object["information_least"] = suite.information_least;
  object["expected_questions"] = suite.tree.expected();
  object["most_questions"] = suite.tree.deepest();
  object["expected_is_least_of_rows"] = suite.tree.is_least;
  object["expected_of_candidates"] = suite.expected_of_candidates;
  object["expected_of_candidates_is_least"] = suite.expected_is_least;
  object["tree"] = tree_json(suite, 0);
  object["seconds"] = suite.seconds;
  return to_text(object, 2);
}

std::string picture_of(const Suite& suite) {
  return draw_tree(
      counted(suite.rows.size(), "input") + " for " + counted(suite.designs.size(), "design"),
      fmt::format("questions asked in sequence: {:.3g} on average, {} at most",
                  suite.tree.expected(), suite.tree.deepest()),
      drawn(suite, 0, ""));
}

std::string dot_of(const Suite& suite) {
  std::string text = "digraph suite {\n  node [fontname=\"monospace\"];\n";
  for (std::size_t n = 0; n < suite.tree.nodes.size(); ++n) {
    const TreeNode& node = suite.tree.nodes[n];
    if (node.input) {
      text += fmt::format("  n{} [shape=ellipse, label=\"input {}\"];\n", n, *node.input + 1);
    } else {
      text += fmt::format("  n{} [shape=box, label=\"{}\\l\"];\n", n,
                          fmt::join(names_of(suite, node), "\\l"));
    }
    for (std::size_t child : node.children) {
      text += fmt::format("  n{} -> n{} [label=\"{}\"];\n", n, child,
                          answer_text(suite, *node.input, suite.tree.nodes[child].classes[0]));
    }
  }
  return text + "}\n";
}

}  // namespace mmaspec
