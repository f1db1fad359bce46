#include "apps/cli/options/formats_option.h"

#include <fmt/format.h>

#include <stdexcept>

#include "apps/cli/parser.h"
#include "spec/catalog/instruction.h"

namespace mmaspec::cli {
namespace {

const Format& format_named(const std::string& name) {
  const Format* format = find_format(name);
  if (format != nullptr) return *format;
  std::string all;
  for (const Format* f : all_formats()) all += (all.empty() ? "" : ", ") + std::string(f->name);
  throw std::invalid_argument(
      fmt::format("--formats: unknown format '{}' (formats: {})", name.substr(0, 60), all));
}

}  // namespace

void FormatsOptions::add_to(Command& command) {
  command.add_option("--formats", names, "the formats of a, b, c and d, such as f16,f16,f32,f32")
      .not_empty();
  command.add_option("--k", k, "the number of products in one dot product").range(1, 4096);
  command.add_option("--scale", scale, "the format of block scale factors").not_empty();
  command
      .add_option("--scale-block", scale_block, "the number of products that share a scale factor")
      .range(1, 4096);
}

// Parses the formats as in a design's name, which reports errors.
DotFormats formats_of(const FormatsOptions& o) {
  std::vector<std::string> names;
  for (std::size_t start = 0; start <= o.names.size();) {
    const std::size_t end = std::min(o.names.find(',', start), o.names.size());
    names.push_back(o.names.substr(start, end - start));
    start = end + 1;
  }
  if (names.size() != 4) {
    throw std::invalid_argument(
        fmt::format("--formats '{}': expected a,b,c,d, such as f16,f16,f32,f32", o.names));
  }
  for (const std::string& name : names) format_named(name);
  if (o.k == 0) throw std::invalid_argument("--k is required");
  // An algorithm that accepts all formats of its kind.
  const std::string prefix = format_named(names[0]).is_integer()   ? "design:integer-dot-add"
                             : format_named(names[3]).is_integer() ? "design:fixed-point-dot-add"
                                                                   : "design:exact-dot-add";
  std::string text = fmt::format("{}(a={},b={},c={},d={},k={}", prefix, names[0], names[1],
                                 names[2], names[3], o.k);
  if (!o.scale.empty()) {
    text +=
        fmt::format(",scale={},scale_block={}", o.scale, o.scale_block == 0 ? o.k : o.scale_block);
  }
  try {
    return find_instruction(text + ")").formats;
  } catch (const std::invalid_argument& error) {
    const std::string what = error.what();
    const std::string begins = prefix + ": ";
    throw std::invalid_argument(
        what.starts_with(begins) ? "--formats: " + what.substr(begins.size()) : what);
  }
}

}  // namespace mmaspec::cli
