#include "apps/cli/options/campaign.h"

#include <charconv>
#include <filesystem>
#include <stdexcept>

#include "apps/cli/command.h"
#include "apps/cli/stop.h"
#include "util/file.h"

namespace mmaspec::cli {
namespace {

constexpr std::size_t kMostShards = 1'000'000;

std::optional<std::size_t> number(std::string_view text) {
  std::size_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return n;
}

}  // namespace

std::optional<Shard> shard_of(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const std::size_t slash = text.find('/');
  const auto i = number(std::string_view(text).substr(0, slash));
  const auto n =
      slash == std::string::npos ? std::nullopt : number(std::string_view(text).substr(slash + 1));
  if (!i || !n || *n == 0 || *n > kMostShards || *i > *n) {
    throw std::invalid_argument("--shard: '" + text.substr(0, 60) +
                                "' is not a part: expected i/n, 0 <= i <= n, n from 1 to " +
                                std::to_string(kMostShards));
  }
  return Shard{*i % *n, *n};
}

void CampaignOptions::add_to(Command& command, const std::string& formats) {
  command
      .add_option("--results", results,
                  "keep each answer in this file, and do not ask questions again that it answers. "
                  "Undecided questions are asked again with a larger --timeout or another --solver")
      .not_empty();
  command
      .add_option(
          "--shard", shard,
          "i/n: ask only part i of n parts of about equal cost. i counts from 1 to n, or from 0 to "
          "n - 1 (n/n and 0/n are the same part). 'mmaspec merge' joins the results")
      .not_empty();
  command
      .add_option("--format", format,
                  formats +
                      ". Or results: the lines of --results that answer current questions, without "
                      "those of designs that have changed")
      .one_of({"text", "csv", "markdown", "html", "results"})
      .shows_default();
  command.add_option("--out", out, "write the output to this file, completely or not at all")
      .not_empty();
  command.add_flag("--render-only", render_only,
                   "render the answers in --results, and ask nothing");
  command
      .add_option(
          "--before-arguments", before_arguments,
          "seconds of --timeout in which solvers try to prove what an analytical proof would show; "
          "answers of --results that rest on an analytical proof are asked again in this way")
      .range(0.0, 86400.0);
  command.add_flag("--no-trust", no_trust,
                   "use no analytical proof: these rest on trusted theorems that no solver checks. "
                   "Answers of --results that rest on one are left out and asked again");
}

std::optional<Shard> CampaignOptions::check(double timeout) const {
  if (before_arguments >= timeout) {
    throw std::invalid_argument("--before-arguments: must be less than --timeout");
  }
  if (no_trust && before_arguments > 0) {
    throw std::invalid_argument("--no-trust and --before-arguments exclude each other");
  }
  if (render_only && results.empty()) {
    throw std::invalid_argument("--render-only needs --results FILE");
  }
  if (format == "results" && results.empty()) {
    throw std::invalid_argument("--format results needs --results FILE");
  }
  if (json && format != "text") {
    throw std::invalid_argument("--json and --format " + format + " exclude each other");
  }
  std::error_code none;
  if (!out.empty() && !results.empty() &&
      (out == results || std::filesystem::equivalent(out, results, none))) {
    throw std::invalid_argument("--out and --results name the same file");
  }
  if (!out.empty()) {
    require_ending_of("--out", out, json ? "rows" : format);
    require_writable(out);
  }
  return shard_of(shard);
}

void CampaignOptions::show(const std::string& text) const {
  if (out.empty()) {
    print(text);
  } else {
    write_file(out, text);
  }
  end_if_stopped(results.empty() ? "" : "the same command continues from " + results);
}

}  // namespace mmaspec::cli
