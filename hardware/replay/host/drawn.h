#pragma once
/// Drawn rows, which the device generates (concrete/rows/drawn_rows.h), and the comparison of the
/// answers while they arrive. At most a few thousand rows are in memory.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "hardware/replay/host/replay.h"
#include "util/json.h"

namespace mmaspec {

/// A line of the vector format that represents `count` rows.
struct DrawnRequest {
  std::string instruction;
  std::uint64_t count = 0;
  std::uint64_t seed = 0;
};

/// False for designs, which no hardware implements, and for instructions with scale factors.
bool is_drawable(const Instruction& instruction);

/// The request as a line of JSON.
std::string to_json_line(const DrawnRequest& request);

/// True if the line concerns drawn rows: a request, or an answer to one.
bool is_drawn(const Json& line);

/// Reads the request of a line, or of an answer that starts with row 0. Returns false for answers
/// with later rows. Throws std::invalid_argument.
bool parse_drawn(const Json& line, DrawnRequest& request);

/// The operands of one row.
VectorRow drawn_row(const DrawnRequest& request, std::uint64_t number);
/// Calls `each(number, operands)` for the rows first .. end-1.
void for_each_drawn(const DrawnRequest& request, const DotFormats& formats, std::uint64_t first,
                    std::uint64_t end,
                    const std::function<void(std::uint64_t, const DotValues&)>& each);

/// Calls `work(begin, end)` for parts of 0 .. count-1 on `jobs` threads; 0: one for each core.
void in_parallel(std::size_t count, int jobs,
                 const std::function<void(std::size_t begin, std::size_t end)>& work);

/// Compares a device's answers to drawn rows with the specification, while they arrive.
class DrawnAnswers {
 public:
  /// Called with each answer as a line of a record.
  using Keep = std::function<void(const std::string& line)>;

  DrawnAnswers(const std::vector<DrawnRequest>& asked, RowModels& models, int jobs);
  void keep_with(Keep keep) { keep_ = std::move(keep); }

  struct Part {
    std::size_t request;                ///< index of the request
    std::uint64_t first = 0;            ///< number of the first row answered
    std::vector<Integer> d;             ///< results of the rows from `first` on
    std::vector<std::uint64_t> uneven;  ///< numbers of rows whose copies did not all agree
    std::string lacks;                  ///< why the device lacks the instruction; there is no d
                                        ///< then
  };
  /// Parts of a request must come in order. Throws std::invalid_argument otherwise.
  void take(const Part& part);
  /// Takes a line of a device program. Throws std::invalid_argument with the reason if it is
  /// invalid.
  void take(const Json& line);
  /// Throws std::invalid_argument if answers are missing.
  void finish() const;

  /// Adds the counts of answers to the report. Rows shown as disagreements are added to `rows`,
  /// with the answers in `run`.
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
  std::vector<std::string> texts_;  ///< asked_ as lines of JSON
  std::vector<State> states_;
  RowModels& models_;
  int jobs_;
  Keep keep_;
};

/// Computes the requests on a device program (replay_device.h) or on a model. Returns the header
/// that describes the device. Throws what run_on_program() and run_on_model() throw.
std::string draw_on_program(const DeviceProgram& program, DrawnAnswers& answers);
std::string draw_on_model(const std::string& name, DrawnAnswers& answers);

}  // namespace mmaspec
