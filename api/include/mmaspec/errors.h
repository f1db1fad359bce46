#ifndef MMASPEC_ERRORS_H
#define MMASPEC_ERRORS_H
/// \file
/// The exceptions that this library throws.
///
/// | exception | reason | exit status of the command line |
/// | --- | --- | --- |
/// | BadInput | an argument is wrong; the message says which, on one line | 2 |
/// | Failure | the system refuses: a file cannot be read, a process cannot be started | 2 |
/// | Stopped | work ended without a result: stop_work(), or the time limit | 3 |
/// | Contradiction | two parts of the library disagree | 70 |
///
/// Functions can also throw std::bad_alloc. A function that throws changes nothing that the caller
/// can observe, except the matrices that it was writing.
///
/// An undecided question is not an error: its answer has Verdict::undecided.

#include <mmaspec/export.h>

#include <stdexcept>

MMASPEC_BEGIN_NAMESPACE

/// An argument is wrong: an unknown name, a number out of range, a pattern with too many bits,
/// shapes that do not fit.
class MMASPEC_EXPORT BadInput : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
  ~BadInput() override;
};

/// Two parts of the library disagree, for example a solver and the exact evaluator. No answer was
/// given. This is a fault of MMA-Spec or of a solver; please report it.
class MMASPEC_EXPORT Contradiction : public std::logic_error {
 public:
  using std::logic_error::logic_error;
  ~Contradiction() override;
};

/// Work ended without a result: stop_work() was called, or the time limit passed before there was
/// anything to report.
class MMASPEC_EXPORT Stopped : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  ~Stopped() override;
};

/// The operating system refuses: a file cannot be read, a process cannot be started.
class MMASPEC_EXPORT Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  ~Failure() override;
};

MMASPEC_END_NAMESPACE

#endif
