#pragma once
/// Rows to be run on a device and on the spec: from files, or drawn.

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

/// What a rival reading of the hardware predicts for a row.
struct Prediction {
  std::string rival;
  Integer d;
};

struct ReplayRow {
  VectorRow row;
  std::string where;  ///< "file:line", or how it was made
  std::string text;   ///< the row as one line of JSON, as given or made; may hold more members
  std::string question;
  std::string why;
  std::vector<Prediction> answers;  ///< empty: the row decides nothing by itself
};

/// The instructions that rows name, each made once.
class RowModels {
 public:
  struct Entry {
    Instruction native;  ///< as it is named
    Instruction run;     ///< with the row's K: chained, or with its other products zero
  };

  /// The entry of a row; witnesses of a pair of unlike K as diff ran them. Throws
  /// std::invalid_argument for an unknown instruction, and unless the row fits its formats.
  Entry& of(const VectorRow& row);

 private:
  std::map<std::string, std::unique_ptr<Entry>> entries_;
};

/// All rows of the files. A first line without "instr" is the header of an earlier record, and left
/// out. Lines that stand for drawn rows go to `drawn`; without it they are refused. Throws
/// std::invalid_argument for the first row that cannot be run, std::runtime_error.
std::vector<ReplayRow> read_replay_rows(const std::vector<std::string>& files, RowModels& models,
                                        const std::function<void(const Json&)>& drawn = {});

/// `count` inputs of every kind for each instruction.
std::vector<ReplayRow> random_rows(const std::vector<std::string>& names, int count, unsigned seed);

/// A row that was made: its text written from its members.
ReplayRow made_row(VectorRow row, const Instruction& instruction, std::string where,
                   std::string question = "", std::string why = "",
                   std::vector<Prediction> answers = {});

/// The row's text without the members that a replay writes, and with those given, a JSON object's
/// inside, behind it.
std::string with_answer(const ReplayRow& row, const std::string& members);

}  // namespace mmaspec
