// mmaspec merge: merges the results of a campaign's shards into one file.

#include "queries/results/merge.h"

#include <fmt/format.h>

#include "apps/cli/command.h"
#include "apps/cli/parser.h"
#include "report/values.h"
#include "util/counted.h"
#include "util/file.h"
#include "util/json.h"

namespace mmaspec::cli {
namespace {

struct MergeCommandLine {
  std::vector<std::string> files;
  std::string out;
  bool json = false;
};

int run_merge(const MergeCommandLine& o) {
  require_writable(o.out);
  const Merged merged = merge(o.files, o.out);
  for (const std::string& conflict : merged.conflicts) complain(conflict);
  if (merged.conflict_count > merged.conflicts.size()) {
    complain(fmt::format("{} contradictions in total", merged.conflict_count));
  }
  if (o.json) {
    const Json object{
        {"read", merged.read}, {"rows", merged.rows}, {"contradictions", merged.conflict_count}};
    print(to_text(object));
  } else {
    print(fmt::format("{} from {} in {}\n", counted(merged.rows, "row"),
                      counted(merged.read, "line"), counted(o.files.size(), "file")));
  }
  return merged.conflict_count > 0 ? kContradiction : kDone;
}

}  // namespace

void add_merge(Command& app, int& status) {
  auto options = std::make_shared<MergeCommandLine>();
  Command command = app.add_command("merge",
                                    "join the results of the shards of table, matrix or explore; "
                                    "status 70 if they contradict each other");
  command.add_option("FILE", options->files, "files that --results wrote; may be compressed (.gz)")
      .required();
  command
      .add_option(
          "--out", options->out,
          "write the joined rows to this file: each question once, sorted by name, whatever the "
          "shards were. The file is not written if shards contradict each other")
      .not_empty()
      .rows_file()
      .required();
  add_json(command, options->json);
  command.run([options, &status] { status = run_merge(*options); });
}

}  // namespace mmaspec::cli
