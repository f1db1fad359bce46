#pragma once
/// A suite as text, Markdown, JSON, a picture of its decision tree, and a table in C.

#include <string>
#include <vector>

#include "queries/studies/suite/suite.h"

namespace mmaspec {

/// `full`: all products of an input are shown.
std::string text_of(const Suite& suite, bool full);
std::string markdown_of(const Suite& suite);
/// `where`: the conditions that were given.
std::string json_of(const Suite& suite, const std::vector<std::string>& where);
/// The decision tree as SVG.
std::string picture_of(const Suite& suite);
/// The same for Graphviz.
std::string dot_of(const Suite& suite);
/// A self-contained header for C99, C++ and CUDA: inputs, answers by class, and a function that
/// returns the class of a unit's results.
std::string c_of(const Suite& suite, bool signed_zero);

}  // namespace mmaspec
