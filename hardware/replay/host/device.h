#pragma once
/// What a row can be run on: a GPU's program, another model, or answers recorded elsewhere.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "concrete/dot/trace.h"
#include "hardware/replay/host/rows.h"

namespace mmaspec {

class DrawnAnswers;

/// What a device made of a row: `d`, or why it has no such instruction.
struct DeviceAnswer {
  std::optional<Integer> d;
  bool uneven = false;  ///< copies of the dot product in one instruction did not agree
  std::string lacks;
};

struct DeviceRun {
  std::string header;  ///< what computed, as one JSON object; empty: a record without one
  std::vector<DeviceAnswer> answers;  ///< one a row
  /// Where the device is a model: its stage marks for a row that it answered.
  std::function<std::vector<TraceLine>(std::size_t row)> trace;
};

/// A program that answers vectors (hardware/replay/README.md), as a shell runs it.
struct DeviceProgram {
  std::string command;
  std::string what;            ///< as messages name it: --device cuda
  bool takes_designs = false;  ///< answers rows of designs that nobody has built, too
};

/// The command of `exec:COMMAND`, which reads rows and writes them with d; or the program of `cuda`
/// or `hip`, `cuda:1` for the second GPU: $MMASPEC_REPLAY_CUDA (_HIP), or
/// mmaspec-replay-cuda (-hip) beside this program or in PATH. `via`: a command that it is given to,
/// such as `ssh host`; the program is then looked for by that. nullopt for any other name. Throws
/// std::runtime_error if there is none.
std::optional<DeviceProgram> find_device_program(const std::string& name, const std::string& via);

/// Runs the rows. Those that chain an instruction are run link by link, each result the next c.
/// Throws std::runtime_error with one line if the program fails, or answers other than it should.
DeviceRun run_on_program(const DeviceProgram& program, const std::vector<ReplayRow>& rows,
                         RowModels& models);

/// Runs the rows on `name`: an instruction, a design, or `@variant` of each row's own. Throws
/// std::invalid_argument for an unknown name.
DeviceRun run_on_model(const std::string& name, const std::vector<ReplayRow>& rows,
                       RowModels& models);

/// Reads the answers to exactly these rows in this order; those to drawn rows, if any were asked,
/// go to `drawn`. Throws std::invalid_argument with the first line that is not so,
/// std::runtime_error.
DeviceRun read_recorded(const std::string& file, const std::vector<ReplayRow>& rows,
                        RowModels& models, DrawnAnswers* drawn = nullptr);

/// The run as JSON Lines: its header, then the rows with d as the device gave it.
std::string record(const DeviceRun& run, const std::vector<ReplayRow>& rows, RowModels& models);

/// The header with the date and the command in it.
std::string with_provenance(const std::string& header, const std::string& command);

/// A row that a device program takes as it is: one instruction of its catalogue, not a chain.
bool runs_as_it_is(const ReplayRow& row, RowModels& models);

}  // namespace mmaspec
