#pragma once
/// Rows that are drawn where they are run (concrete/rows/drawn_rows.h), and answers to them
/// compared as they come: never more than a few thousand of them are in memory.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "hardware/replay/host/replay.h"
#include "util/json.h"

namespace mmaspec {

/// A line of the vector format that stands for `count` rows.
struct DrawnRequest {
  std::string instruction;
  std::uint64_t count = 0;
  std::uint64_t seed = 0;
};

/// False for designs, which no device has, and for instructions with scale factors.
bool is_drawable(const Instruction& instruction);

/// The request as a line of JSON.
std::string to_json_line(const DrawnRequest& request);

/// True if the line is of the drawn kind: a request, or an answer to one.
bool is_drawn(const Json& line);

/// The request of a line, of an answer with row 0 too; false for answers with later rows, whose
/// request came with row 0. Throws std::invalid_argument.
bool parse_drawn(const Json& line, DrawnRequest& request);

/// The operands of one row.
VectorRow drawn_row(const DrawnRequest& request, std::uint64_t number);
/// Calls `each(number, operands)` for the rows from `first` to before `end`.
void for_each_drawn(const DrawnRequest& request, const DotFormats& formats, std::uint64_t first,
                    std::uint64_t end,
                    const std::function<void(std::uint64_t, const DotValues&)>& each);

/// Calls `work(begin, end)` for pieces of 0 to `count` on `jobs` threads; 0: one for each core.
void in_parallel(std::size_t count, int jobs,
                 const std::function<void(std::size_t begin, std::size_t end)>& work);

/// Compares a device's answers to drawn rows with the spec, as they come.
class DrawnAnswers {
 public:
  /// Called with each answer, as a line of a record.
  using Keep = std::function<void(const std::string& line)>;

  DrawnAnswers(const std::vector<DrawnRequest>& asked, RowModels& models, int jobs);
  void keep_with(Keep keep) { keep_ = std::move(keep); }

  struct Part {
    std::size_t request;                ///< its number
    std::uint64_t first = 0;            ///< number of the first row answered
    std::vector<Integer> d;             ///< of the rows from `first` on
    std::vector<std::uint64_t> uneven;  ///< numbers of rows whose copies did not agree
    std::string lacks;                  ///< why the device has no such instruction; then no d
  };
  /// Parts of a request come in order. Throws std::invalid_argument for any other.
  void take(const Part& part);
  /// A line of a device program. Throws std::invalid_argument with what is wrong with it.
  void take(const Json& line);
  /// Throws std::invalid_argument if rows have no answer.
  void finish() const;

  /// Counts the answers in the report. The rows shown as disagreements are added to `rows`, with
  /// the answers in `run`.
  void report(ReplayReport& report, std::vector<ReplayRow>& rows, DeviceRun& run) const;

  const std::vector<DrawnRequest>& asked() const { return asked_; }
  RowModels::Entry& entry(std::size_t request);
  int jobs() const { return jobs_; }

 private:
  struct Wrong {
    std::uint64_t number;
    Integer computed;
    Integer device;
    bool uneven;
  };
  struct State {
    std::uint64_t answered = 0;
    std::uint64_t failed = 0;
    std::uint64_t uneven = 0;
    std::string lacks;
    std::vector<Wrong> first;  ///< at most three
  };

  void compare(const Part& part, State& state);
  std::string line_of(const Part& part);
  bool is_done(std::size_t request) const;

  std::vector<DrawnRequest> asked_;
  std::vector<std::string> texts_;  ///< of asked_, as lines
  std::vector<State> states_;
  RowModels& models_;
  int jobs_;
  Keep keep_;
};

/// Runs the requests on a device program (replay_device.h) or on a model. The result is the header
/// that says what computed. Throw as run_on_program() and run_on_model().
std::string draw_on_program(const DeviceProgram& program, DrawnAnswers& answers);
std::string draw_on_model(const std::string& name, DrawnAnswers& answers);

}  // namespace mmaspec
