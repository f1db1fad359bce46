#pragma once
/// What the commands share that ask thousands of questions (table, matrix): answers that are kept
/// on file, a part of the questions, and how all of it is shown.

#include <memory>
#include <optional>
#include <string>

#include "cli/parser.h"
#include "queries/results/shard.h"

namespace mmaspec::cli {

struct CampaignOptions {
  std::string results;
  std::string shard;
  std::string format = "text";
  std::string out;
  bool render_only = false;
  double before_arguments = 0;  ///< seconds
  bool json = false;            ///< its option is added by add_json()

  /// --results, --shard, --format, --out, --render-only, --before-arguments. `formats`: what text,
  /// csv, markdown and html are here.
  void add_to(Command& command, const std::string& formats);

  /// The part that is asked; nullopt: all. Throws std::invalid_argument, std::runtime_error for
  /// options that exclude each other and files that cannot be written; before any long work.
  /// `timeout`: seconds of each question.
  std::optional<Shard> check(double timeout) const;

  /// The file's answers, or none yet.
  template <typename Results>
  std::unique_ptr<Results> open() const {
    if (results.empty()) return std::make_unique<Results>();
    return std::make_unique<Results>(results,
                                     render_only ? Results::Use::read : Results::Use::append);
  }

  /// Writes the text where it is to go; ends the program if it was stopped meanwhile.
  void show(const std::string& text) const;
};

}  // namespace mmaspec::cli
