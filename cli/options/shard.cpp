#include "cli/options/shard.h"

#include <charconv>
#include <stdexcept>

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

void add_shard(Command& command, std::string& text) {
  command
      .add_option("--shard", text,
                  "i/n: the part i of n, of about equal cost; i counts from 1 to n, or from 0 to "
                  "n - 1, where n/n and 0/n are the same part; 'mmaspec merge' joins the results")
      .not_empty();
}

std::optional<Shard> shard_of(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const std::size_t slash = text.find('/');
  const auto i = number(std::string_view(text).substr(0, slash));
  const auto n =
      slash == std::string::npos ? std::nullopt : number(std::string_view(text).substr(slash + 1));
  if (!i || !n || *n == 0 || *n > kMostShards || *i > *n) {
    throw std::invalid_argument("--shard: '" + text.substr(0, 60) +
                                "' is no part: expected i/n, 0 <= i <= n, n from 1 to " +
                                std::to_string(kMostShards));
  }
  return Shard{*i % *n, *n};
}

}  // namespace mmaspec::cli
