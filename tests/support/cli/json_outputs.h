#pragma once
/// Every JSON output of mmaspec that a test program produces is held to docs/schema when the
/// program ends.

#include <string>
#include <vector>

namespace mmaspec::cli_test {

/// Keeps the output of a command line with --json, if it is one, until the program's end. Then
/// Python's jsonschema validates all that were kept ($MMASPEC_SCHEMA, $MMASPEC_SCHEMA_CHECK); where
/// Python has no such package, a line says so.
void keep_json_output(const std::vector<std::string>& arguments, const std::string& out);

}  // namespace mmaspec::cli_test
