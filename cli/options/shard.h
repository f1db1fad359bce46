#pragma once
/// --shard i/n, of commands that can be divided among machines.

#include <optional>
#include <string>

#include "cli/parser.h"
#include "queries/results/shard.h"

namespace mmaspec::cli {

void add_shard(Command& command, std::string& text);
/// Nothing for an empty text. Throws std::invalid_argument.
std::optional<Shard> shard_of(const std::string& text);

}  // namespace mmaspec::cli
