#include "cli/wrap.h"

#include <vector>

namespace mmaspec::cli {
namespace {

/// The words between spaces; within quotes a space is a part of its word, if `quotes`.
std::vector<std::string> words_between_spaces(const std::string& text, bool quotes) {
  std::vector<std::string> words;
  std::string word;
  bool quoted = false;
  for (const char c : text) {
    if (quotes && c == '\'') quoted = !quoted;
    if (c == ' ' && !quoted) {
      if (!word.empty()) words.push_back(std::move(word));
      word.clear();
    } else {
      word += c;
    }
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

std::string lines_of_words(const std::string& start, const std::vector<std::string>& words,
                           std::size_t indent, const std::string& at_break) {
  const std::size_t columns = kHelpColumns - at_break.size();
  std::string text;
  std::string line = start;
  bool is_empty = true;  // the line has no word yet
  for (const std::string& word : words) {
    const bool has_space = line.empty() || line.back() == ' ';
    const std::size_t length = line.size() + (has_space ? 0 : 1) + word.size();
    if (!is_empty && length > columns) {
      text += line + at_break + "\n";
      line = std::string(indent, ' ') + word;
    } else {
      line += (has_space ? "" : " ") + word;
    }
    is_empty = false;
  }
  return text + line + "\n";
}

}  // namespace

std::string wrapped(const std::string& start, const std::string& text, std::size_t indent) {
  return lines_of_words(start, words_between_spaces(text, false), indent, "");
}

std::string wrapped_command(const std::string& command, std::size_t indent) {
  const std::string start(indent, ' ');
  if (indent + command.size() <= kHelpColumns) return start + command + "\n";
  return lines_of_words(start, words_between_spaces(command, true), indent + 4, " \\");
}

}  // namespace mmaspec::cli
