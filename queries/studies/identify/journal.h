#pragma once
/// Questions and answers on disk: a question before it is asked, an answer as soon as it has come.

#include <map>
#include <string>
#include <vector>

#include "queries/studies/identify/oracle.h"
#include "queries/studies/identify/space/survivors.h"

namespace mmaspec {

/// A file of vector rows that grows: rows without d are questions, rows with d answers; those of a
/// confirmation have "stage":"confirm". A last line that is torn, as by a crash, is left out.
class Journal {
 public:
  /// Opens the file, or makes it, and reads what it holds. Throws std::invalid_argument for rows
  /// that are not of these formats, std::runtime_error.
  Journal(const std::string& file, const DotFormats& formats);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// What it held: answers of questions, and those of confirmations.
  const std::vector<Answered>& answers() const { return answers_; }
  const std::vector<Answered>& confirming() const { return confirming_; }

  void asking(const std::vector<DotValues>& inputs, bool confirming);
  void answered(const std::vector<Answered>& answers, bool confirming);

 private:
  void append(const std::string& text);

  std::string file_;
  DotFormats formats_;
  int descriptor_ = -1;
  std::vector<Answered> answers_;
  std::vector<Answered> confirming_;
};

/// An oracle some of whose answers are known; the others are asked of `inner`, which must outlive
/// this object.
class RememberingOracle : public Oracle {
 public:
  RememberingOracle(Oracle& inner, const DotFormats& formats, const std::vector<Answered>& known);
  std::vector<Integer> ask(const std::vector<DotValues>& all) override;

 private:
  Oracle& inner_;
  DotFormats formats_;
  std::map<std::string, Integer> known_;
};

/// Questions were written to a file, whose answers somebody is to bring.
class AnswersAwaited : public std::runtime_error {
 public:
  AnswersAwaited(const std::string& asked, const std::string& answers, std::size_t rows);
};

/// A unit that is reached by sending files: `folder`/ask-N.jsonl holds inputs, and
/// `folder`/answer-N.jsonl is to hold the same rows with d, in order.
class RoundsOracle : public Oracle {
 public:
  /// Reads the rounds that are answered. Throws std::invalid_argument for answers that are not
  /// those to what was asked, std::runtime_error.
  RoundsOracle(const std::string& folder, const DotFormats& formats);

  /// Answers of all rounds, each input once; those of which two answers differ are left out, and
  /// answered by ask() as they were.
  const std::vector<Answered>& answers() const { return answers_; }
  /// Throws AnswersAwaited unless all is answered.
  std::vector<Integer> ask(const std::vector<DotValues>& all) override;

 private:
  std::string folder_;
  DotFormats formats_;
  std::size_t rounds_ = 0;
  bool awaited_ = false;
  std::map<std::string, std::vector<Integer>> known_;  ///< by the row, in the order of asking
  std::vector<Answered> answers_;
};

/// Rows of a file with their results, for these formats; of one instruction each, whatever its
/// name. Throws std::invalid_argument for the first row that is not such, std::runtime_error.
std::vector<Answered> read_answers(const std::string& file, const DotFormats& formats);

}  // namespace mmaspec
