#pragma once
/// Devices for rows: a GPU's program, another model, or recorded answers.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "concrete/dot/trace.h"
#include "hardware/replay/host/rows.h"

namespace mmaspec {

class DrawnAnswers;

/// A device's answer to a row: `d`, or the reason why it lacks the instruction.
struct DeviceAnswer {
  std::optional<Integer> d;
  bool uneven = false;  ///< copies of the dot product in one instruction did not all agree
  std::string lacks;
};

struct DeviceRun {
  std::string header;  ///< description of the device, as one JSON object; empty: a record without
                       ///< one
  std::vector<DeviceAnswer> answers;  ///< one for each row
  /// If the device is a model: the marks for a row that it answered.
  std::function<std::vector<TraceLine>(std::size_t row)> trace;
};

/// A program that answers vectors (hardware/replay/README.md), called through a shell.
struct DeviceProgram {
  std::string command;
  std::string what;            ///< its name in messages: --device cuda
  bool takes_designs = false;  ///< it also answers rows of designs, which no hardware implements
};

/// The command of `exec:COMMAND`, which reads rows and writes them with d; or the program of `cuda`
/// or `hip` (`cuda:1` for the second GPU): $MMASPEC_REPLAY_CUDA (_HIP), or mmaspec-replay-cuda
/// (-hip) next to this program or in PATH. `via`: a command prefix such as `ssh host`; that command
/// then looks for the program. nullopt for any other name. Throws std::runtime_error if the program
/// does not exist.
std::optional<DeviceProgram> find_device_program(const std::string& name, const std::string& via);

/// Computes the rows. Rows that chain an instruction are computed link by link, each result being
/// the next c. Throws std::runtime_error with a one-line message if the program fails or gives
/// invalid answers.
DeviceRun run_on_program(const DeviceProgram& program, const std::vector<ReplayRow>& rows,
                         RowModels& models);

/// Computes the rows with the model `name`: an instruction, a design, or `@variant` of each row's
/// own. Throws std::invalid_argument for an unknown name.
DeviceRun run_on_model(const std::string& name, const std::vector<ReplayRow>& rows,
                       RowModels& models);

/// Reads the answers to exactly these rows in this order. Answers to drawn rows, if any were
/// requested, go to `drawn`. Throws std::invalid_argument with the first line that does not match,
/// and std::runtime_error.
DeviceRun read_recorded(const std::string& file, const std::vector<ReplayRow>& rows,
                        RowModels& models, DrawnAnswers* drawn = nullptr);

/// The run as JSON Lines: its header, then the rows with the device's d.
std::string record(const DeviceRun& run, const std::vector<ReplayRow>& rows, RowModels& models);

/// The header with the date and the command added.
std::string with_provenance(const std::string& header, const std::string& command);

/// Whether a device program takes the row unchanged: one instruction of its catalogue, not a chain.
bool runs_as_it_is(const ReplayRow& row, RowModels& models);

}  // namespace mmaspec
