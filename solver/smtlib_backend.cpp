#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "solver/session.h"
#include "solver/solver.h"
#include "util/process.h"
#include "util/program.h"

namespace mmaspec {
namespace {

class SmtLib final : public Backend {
 public:
  SmtLib(std::string command, std::string name, bool leads, const std::string& options)
      : command_(std::move(command)),
        name_(std::move(name)),
        leads_(leads),
        session_(command_, options) {}
  std::string name() const override { return name_; }
  bool leads() const override { return leads_; }
  Answer solve(const Query& query) const override;
  std::unique_ptr<Asked> ask(const Query& query, const Limits& limits) const override {
    return leads_ ? session_.ask(query, limits) : nullptr;
  }

 private:
  std::string command_;
  std::string name_;
  bool leads_;
  mutable SolverSession session_;
};

std::string first_word(const std::string& command) {
  std::string word;
  std::istringstream(command) >> word;
  return word;
}

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

/// A temporary file with the contents `text`, positioned at its start.
File file_of(const std::string& text) {
  File file(std::tmpfile(), std::fclose);
  if (!file) throw std::runtime_error("cannot make a temporary file");
  if (std::fwrite(text.data(), 1, text.size(), file.get()) != text.size() ||
      std::fflush(file.get()) != 0) {
    throw std::runtime_error("cannot write a temporary file");
  }
  std::rewind(file.get());
  return file;
}

/// The output of the command with `script` as its standard input.
std::string run(const std::string& command, const std::string& script) {
  const File input = file_of(script);
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("cannot make a pipe");
  const File output(fdopen(ends[0], "r"), std::fclose);
  ShellCommand program(command, fileno(input.get()), ends[1], STDERR_FILENO);
  close(ends[1]);
  std::string text;
  std::array<char, 4096> buffer;
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), output.get())) {
    text.append(buffer.data(), n);
  }
  program.wait();
  return text;
}

constexpr std::string_view kSpace = " \t\r\n";

/// The number that `digits` represent in this base; nullopt if they are not digits.
std::optional<Integer> parse_digits(std::string_view digits, unsigned base) {
  if (digits.empty()) return std::nullopt;
  Integer value = 0;
  for (char c : digits) {
    const std::size_t digit =
        std::string_view("0123456789abcdef").find(static_cast<char>(std::tolower(c)));
    if (digit >= base) return std::nullopt;
    value = value * base + digit;
  }
  return value;
}

/// A bitvector value at the start of `text`: #b..., #x... or (_ bvN W).
Integer parse_value(std::string_view text) {
  const std::string_view whole = text.substr(0, text.find(')'));
  std::optional<Integer> value;
  if (whole.starts_with("#x")) value = parse_digits(whole.substr(2), 16);
  if (whole.starts_with("#b")) value = parse_digits(whole.substr(2), 2);
  if (whole.starts_with("(_ bv")) {
    const std::string_view digits = whole.substr(5);
    value = parse_digits(digits.substr(0, digits.find_first_of(kSpace)), 10);
  }
  if (!value) throw std::runtime_error("unreadable value " + std::string(whole));
  return *value;
}

/// The text after "(symbol" and space in a program's output.
std::optional<std::string_view> value_of(std::string_view output, const std::string& symbol) {
  const std::string head = "(" + symbol;
  for (std::size_t at = output.find(head); at != std::string_view::npos;
       at = output.find(head, at + 1)) {
    const std::string_view rest = output.substr(at + head.size());
    const std::size_t start = rest.find_first_not_of(kSpace);
    // Long values are printed on a separate line.
    if (start != 0 && start != std::string_view::npos) return rest.substr(start);
  }
  return std::nullopt;
}

Answer SmtLib::solve(const Query& query) const {
  const std::string output = run(command_, to_smtlib(query));
  Answer answer;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    if (line == "unsat") {
      answer.verdict = Verdict::unsatisfiable;
      return answer;
    }
    if (line == "sat") {
      answer.verdict = Verdict::satisfiable;
      break;
    }
  }
  if (answer.verdict == Verdict::unknown) {
    answer.reason = "answered '" + output.substr(0, output.find('\n')) + "'";
    return answer;
  }
  for (TermId id : variables(query)) {
    const std::string& name = (*query.terms)[id].name;
    // A solver may print a symbol without bars if it does not need them.
    for (const std::string& symbol : {quoted_symbol(name), name}) {
      const auto value = value_of(output, symbol);
      if (!value) continue;
      answer.model[name] = parse_value(*value);
      break;
    }
    if (!answer.model.contains(name))
      throw std::runtime_error("the answer does not contain a value of " + name);
  }
  return answer;
}

}  // namespace

std::unique_ptr<Backend> smtlib_backend(const std::string& command) {
  const std::string program = first_word(command);
  if (find_in_path(program).empty()) {
    throw std::invalid_argument("the solver '" + program +
                                "' was not found: the program does not exist");
  }
  return smtlib_backend(command, "smtlib:" + command, false);
}

std::unique_ptr<Backend> smtlib_backend(const std::string& command, const std::string& name,
                                        bool leads, const std::string& options) {
  return std::make_unique<SmtLib>(command, name, leads, options);
}

}  // namespace mmaspec
