#pragma once
/// Questions and answers on disk. A question is written before it is asked, an answer as soon as it
/// arrives.

#include <map>
#include <string>
#include <vector>

#include "queries/studies/identify/oracle.h"
#include "queries/studies/identify/space/version_space.h"

namespace mmaspec {

/// A growing file of vector rows: rows without d are questions, rows with d are answers; those of a
/// confirmation have "stage":"confirm". An incomplete last line, as after a crash, is ignored.
class Journal {
 public:
  /// Opens or creates the file, and reads its contents. Throws std::invalid_argument for rows of
  /// other formats, and std::runtime_error.
  Journal(const std::string& file, const DotFormats& formats);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// The contents when it was opened: answers to questions, and those of confirmations.
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

/// An oracle with some known answers. Other questions go to `inner`, which must outlive this
/// object.
class RememberingOracle : public Oracle {
 public:
  RememberingOracle(Oracle& inner, const DotFormats& formats, const std::vector<Answered>& known);
  std::vector<Integer> ask(const std::vector<DotValues>& all) override;

 private:
  Oracle& inner_;
  DotFormats formats_;
  std::map<std::string, Integer> known_;
};

/// Thrown after questions were written to a file that the user must answer.
class AnswersAwaited : public std::runtime_error {
 public:
  AnswersAwaited(const std::string& asked, const std::string& answers, std::size_t rows);
};

/// A unit that is reached through files: `folder`/ask-N.jsonl has inputs, and the user adds
/// `folder`/answer-N.jsonl with the same rows and d, in order.
class RoundsOracle : public Oracle {
 public:
  /// Reads the answered rounds. Throws std::invalid_argument for answers that do not match the
  /// questions, and std::runtime_error.
  RoundsOracle(const std::string& folder, const DotFormats& formats);

  /// The answers of all rounds, each input once. Inputs with two different answers are left out;
  /// ask() returns both answers for them.
  const std::vector<Answered>& answers() const { return answers_; }
  /// Throws AnswersAwaited unless all inputs are answered.
  std::vector<Integer> ask(const std::vector<DotValues>& all) override;

 private:
  std::string folder_;
  DotFormats formats_;
  std::size_t rounds_ = 0;
  bool awaited_ = false;
  std::map<std::string, std::vector<Integer>> known_;  ///< by row, in the order of the questions
  std::vector<Answered> answers_;
};

/// The rows of a file with their results, for these formats. The name of the instruction is
/// ignored. Throws std::invalid_argument for the first invalid row, and std::runtime_error.
std::vector<Answered> read_answers(const std::string& file, const DotFormats& formats);

}  // namespace mmaspec
