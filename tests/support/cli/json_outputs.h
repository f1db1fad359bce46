#pragma once
/// When a test program ends, it validates every JSON output of mmaspec that it produced against
/// docs/schema.

#include <string>
#include <vector>

namespace mmaspec::cli_test {

/// Keeps the output of a command line with --json until the program ends; ignores others. Then
/// Python's jsonschema validates all kept outputs ($MMASPEC_SCHEMA, $MMASPEC_SCHEMA_CHECK). If
/// Python does not have the package, a line says so.
void keep_json_output(const std::vector<std::string>& arguments, const std::string& out);

}  // namespace mmaspec::cli_test
