#pragma once
/// Rows to compute on a device and by the specification: from files, or drawn.

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "concrete/dot/model.h"
#include "concrete/rows/row.h"
#include "spec/catalog/instruction.h"
#include "util/json.h"

namespace mmaspec {

/// The prediction of a rival hypothesis for a row.
struct Prediction {
  std::string rival;
  Integer d;
};

struct ReplayRow {
  VectorRow row;
  std::string where;  ///< "file:line", or how it was generated
  std::string text;   ///< the row as one line of JSON, given or generated; may have further members
  std::string question;
  std::string why;
  std::vector<Prediction> answers;  ///< empty: the row does not decide any question by itself
};

/// The instructions that rows name. Each is constructed once.
class RowModels {
 public:
  struct Entry {
    Instruction native;  ///< the named instruction
    Instruction run;     ///< with the row's K: chained, or with zeros for its other products
  };

  /// The entry of a row. Witnesses of a pair of different K are computed as diff computed them.
  /// Throws std::invalid_argument for an unknown instruction, and unless the row matches its
  /// formats.
  Entry& of(const VectorRow& row);

 private:
  std::map<std::string, std::unique_ptr<Entry>> entries_;
};

/// All rows of the files. A first line without "instr" is the header of an earlier record and is
/// skipped. Lines for drawn rows go to `drawn`; without it they are errors. Throws
/// std::invalid_argument for the first invalid row, and std::runtime_error.
std::vector<ReplayRow> read_replay_rows(const std::vector<std::string>& files, RowModels& models,
                                        const std::function<void(const Json&)>& drawn = {});

/// `count` inputs of every kind for each instruction.
std::vector<ReplayRow> random_rows(const std::vector<std::string>& names, int count, unsigned seed);

/// A generated row. Its text is written from its members.
ReplayRow made_row(VectorRow row, const Instruction& instruction, std::string where,
                   std::string question = "", std::string why = "",
                   std::vector<Prediction> answers = {});

/// The row's text without the members that a replay writes, and with `members`, the inside of a
/// JSON object, appended.
std::string with_answer(const ReplayRow& row, const std::string& members);

}  // namespace mmaspec
