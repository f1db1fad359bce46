#pragma once
/// Options of the commands that ask thousands of questions (table, matrix): a file of answers, a
/// part of the questions, and the format of the output.

#include <memory>
#include <optional>
#include <string>

#include "apps/cli/parser.h"
#include "queries/results/shard.h"

namespace mmaspec::cli {

/// The part that `--shard` names; nullopt: all. Throws std::invalid_argument.
std::optional<Shard> shard_of(const std::string& text);

struct CampaignOptions {
  std::string results;
  std::string shard;
  std::string format = "text";
  std::string out;
  bool render_only = false;
  double before_arguments = 0;  ///< seconds
  bool no_trust = false;
  bool json = false;  ///< its option is added by add_json()

  /// --results, --shard, --format, --out, --render-only, --before-arguments, --no-trust. `formats`
  /// describes text, csv, markdown and html of this command.
  void add_to(Command& command, const std::string& formats);

  /// The selected part; nullopt: all. Throws std::invalid_argument or std::runtime_error if options
  /// exclude each other or a file cannot be written. Call it before long work. `timeout`: seconds
  /// of each question.
  std::optional<Shard> check(double timeout) const;

  /// The answers in the file; none if it does not exist yet.
  template <typename Results>
  std::unique_ptr<Results> open() const {
    if (results.empty()) return std::make_unique<Results>();
    auto answers =
        std::make_unique<Results>(results, render_only ? Results::Use::read : Results::Use::append);
    if (no_trust) answers->leave_out_arguments();
    return answers;
  }

  /// Writes the output; ends the program if a signal stopped it.
  void show(const std::string& text) const;
};

}  // namespace mmaspec::cli
