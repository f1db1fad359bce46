#ifndef MMASPEC_MMASPEC_H
#define MMASPEC_MMASPEC_H
/// \file
/// The whole C++ API of MMA-Spec: what matrix units of GPUs and CPUs compute, bit for bit.
///
/// | header | content |
/// | --- | --- |
/// | <mmaspec/formats.h> | number formats: names, encode, decode |
/// | <mmaspec/units.h> | units: find, list, parameters, evidence |
/// | <mmaspec/designs.h> | names of your own designs and of plans, plugins |
/// | <mmaspec/evaluate.h> | one dot product, many, whole matrices, traces |
/// | <mmaspec/compare.h> | given results against a unit; two units on your own matrices |
/// | <mmaspec/diff.h> | inputs on which two units differ, or a proof that there are none |
/// | <mmaspec/prove.h> | properties: proved, or refuted by a counterexample |
/// | <mmaspec/verify.h> | recorded rows against the specifications |
/// | <mmaspec/ask.h> | limits, verdicts and evidence of questions |
/// | <mmaspec/errors.h> | exceptions |
///
/// The headers need C++17. No header of a solver or of another library is included.
///
/// Before version 1.0, each minor version may change interfaces, and then has another name of the
/// shared library. From 1.0 on, versions follow semantic versioning (semver.org, 2.0.0).

#include <mmaspec/ask.h>
#include <mmaspec/compare.h>
#include <mmaspec/designs.h>
#include <mmaspec/diff.h>
#include <mmaspec/errors.h>
#include <mmaspec/evaluate.h>
#include <mmaspec/export.h>
#include <mmaspec/formats.h>
#include <mmaspec/prove.h>
#include <mmaspec/units.h>
#include <mmaspec/verify.h>

#include <string>

MMASPEC_BEGIN_NAMESPACE

/// The version of the library that is linked, such as `0.1.0`.
MMASPEC_EXPORT std::string version();

MMASPEC_END_NAMESPACE

#endif
