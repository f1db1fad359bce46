// mmaspec explain: finds the plans that reproduce a matrix computed by a library.

#include "queries/studies/explain/explain.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>

#include "apps/cli/command.h"
#include "apps/cli/command_line.h"
#include "apps/cli/parser.h"
#include "apps/cli/stop.h"
#include "concrete/rows/npy.h"
#include "queries/compare/compare.h"
#include "queries/compare/doubles.h"
#include "queries/studies/explain/suggest.h"
#include "report/text/explain/explain_text.h"
#include "report/text/explain/two_results_text.h"
#include "util/counted.h"
#include "util/file.h"

namespace mmaspec::cli {
namespace {

struct ExplainCommandLine {
  std::vector<std::string> arguments;  ///< A B D [ARCH|NAME...]
  std::string c = {};
  std::string scale_a = {};
  std::string scale_b = {};
  double alpha = 1;
  double beta = 1;
  std::vector<std::string> formats = {};
  std::string suggest;
  std::string html;
  explain::Extent extent = explain::Extent::usual;
  double timeout = 60;
  int elements = 0;
  int jobs = 0;
  bool json = false;
  bool full = false;
};

NpyArray read_matrix(const std::string& file) {
  NpyArray array = read_npy(file);
  if (array.shape.size() != 2) {
    throw std::invalid_argument(fmt::format("{}: has {}, and a matrix two", file,
                                            counted(array.shape.size(), "dimension")));
  }
  return array;
}

/// The formats whose patterns the array may contain.
std::vector<const Format*> formats_of_array(const NpyArray& array, const std::string& file,
                                            const std::string& given) {
  if (!given.empty()) {
    const Format* format = find_format(given);
    if (format == nullptr) throw std::invalid_argument("--formats: unknown format '" + given + "'");
    require_patterns(array, *format, file);
    return {format};
  }
  std::vector<const Format*> all;
  for (const auto& formats : {all_formats(), integer_formats()}) {
    for (const Format* format : formats) {
      try {
        require_patterns(array, *format, file);
        all.push_back(format);
      } catch (const std::invalid_argument&) {
        continue;  // the array cannot have this format
      }
    }
  }
  return all;
}

/// A factor as the pattern of the nearest f32 number.
std::uint32_t factor_of(const std::string& option, double factor) {
  const auto nearest = static_cast<float>(factor);
  if (!std::isfinite(nearest)) {
    throw std::invalid_argument(option + ": expected a finite number of f32");
  }
  return std::bit_cast<std::uint32_t>(nearest);
}

int explain_status(explain::Verdict verdict) {
  return verdict == explain::Verdict::explained   ? kDone
         : verdict == explain::Verdict::none_fits ? kWitness
                                                  : kUndecided;
}

/// Writes matrices that distinguish the plans.
Suggested write_suggestion(const std::string& folder, const explain::Explanation& found,
                           const NpyArray& a, const NpyArray& b, bool has_c,
                           const Deadline& deadline) {
  std::vector<std::string> plans;
  for (const explain::ExplainedPlan& plan : found.plans) plans.push_back(plan.plan);
  const explain::Suggestion s = explain::suggest(plans, a.matrix(0).columns, has_c, deadline);
  const auto file = [&](const char* name) { return folder + "/" + name; };
  std::filesystem::create_directories(folder);
  write_file(file("a.npy"), npy_file(a.dtype, s.rows, s.k, s.a));
  write_file(file("b.npy"), npy_file(b.dtype, s.k, s.rows, s.b));
  if (has_c) {
    const Format& f = *find_instruction(plans.front()).formats.c;
    const bool is_ieee = f == formats::f16 || f == formats::f32 || f == formats::f64;
    const std::string type = (is_ieee ? "f" : "u") + std::to_string(f.storage_bits / 8);
    write_file(file("c.npy"), npy_file(type, s.rows, s.rows, s.c));
  }
  return {folder, s.classes};
}

bool is_array_file(const std::string& argument) { return argument.ends_with(".npy"); }

/// The format of D: that of the fitting plans if the file may contain several.
const Format* result_format(const explain::Explanation& found,
                            const explain::MatrixFormats& formats) {
  return found.plans.empty() ? formats.d.front()
                             : find_instruction(found.plans.front().plan).formats.d;
}

constexpr std::size_t kMostTried = 4096;  // number of elements on which parts of plans are
                                          // exchanged

/// Compares two results of one product as values. Returns the elements that differ.
std::vector<explain::Element> compare_results(TwoResults& r, const PatternView& first,
                                              const PatternView& second) {
  const Doubles x(*r.first_format);
  const Doubles y(*r.second_format);
  double largest = -1;
  std::vector<explain::Element> differing;
  for (std::size_t row = 0; row < first.rows; ++row) {
    for (std::size_t column = 0; column < first.columns; ++column) {
      const std::uint64_t p = pattern_at(first, row, column);
      const std::uint64_t q = pattern_at(second, row, column);
      if (std::isnan(x(p)) || std::isnan(y(q))) continue;
      ++r.compared;
      if (x(p) == y(q)) continue;
      ++r.differing;
      if (differing.size() < kMostTried) differing.push_back({row, column});
      const double apart = std::abs(x(p) - y(q));
      if (apart <= largest) continue;
      largest = apart;
      r.worst = explain::Mismatch{{row, column}, p, q};
    }
  }
  return differing;
}

/// Finds which difference between the plans matters, and where their partial results diverge.
void explain_difference(TwoResults& r, const explain::Product& product, const Format* c_format,
                        const std::vector<explain::Element>& differing, const Deadline& deadline) {
  if (!are_explained(r) || !r.worst) return;
  const auto plan_of = [&](const explain::Explanation& found) {
    return for_matrices(find_instruction(found.plans.front().plan), product.a.columns);
  };
  const Instruction first = plan_of(r.first);
  const Instruction second = plan_of(r.second);
  r.parts = explain::changed_parts(first.name(), second.name());
  r.parting = explain::parting(first, second, product, c_format, r.worst->element);
  try {
    explain::try_parts(r.parts, first, second, product, c_format, differing, deadline);
    r.tried = differing.size();
  } catch (const OutOfTime&) {
    return;  // the parts are shown without numbers
  }
}

int run_explain(const ExplainCommandLine& options) {
  if (options.arguments.size() < 3) {
    throw std::invalid_argument(fmt::format("explain: expected A B D [D2] [ARCH|NAME...], got {}",
                                            counted(options.arguments.size(), "argument")));
  }
  if (!options.formats.empty() && options.formats.size() != 3 && options.formats.size() != 4) {
    throw std::invalid_argument("--formats: expected A,B,D or A,B,C,D");
  }
  const StopSignals signals(options.timeout, options.json);
  explain::Options how;
  how.deadline = Deadline::in(options.timeout);
  how.threads = options.jobs;
  how.elements = static_cast<std::size_t>(options.elements);
  how.extent = options.extent;
  const bool has_second = options.arguments.size() > 3 && is_array_file(options.arguments[3]);
  if (has_second && !options.suggest.empty()) {
    throw std::invalid_argument("--suggest is for one result");
  }
  if (!options.html.empty()) {
    if (!has_second) throw std::invalid_argument("--html is for two results: A B D1 D2");
    require_writable(options.html);
  }
  how.instructions = explain::named_instructions(
      {options.arguments.begin() + (has_second ? 4 : 3), options.arguments.end()});
  if (isatty(STDERR_FILENO) == 1) how.progress = [](const std::string& line) { show_status(line); };
  const auto given = [&](std::size_t i) {
    return options.formats.empty() ? std::string() : options.formats[i];
  };
  const NpyArray a = read_matrix(options.arguments[0]);
  const NpyArray b = read_matrix(options.arguments[1]);
  const NpyArray d = read_matrix(options.arguments[2]);
  explain::MatrixFormats formats;
  formats.a = formats_of_array(a, options.arguments[0], given(0));
  formats.b = formats_of_array(b, options.arguments[1], given(1));
  formats.d = formats_of_array(d, options.arguments[2],
                               options.formats.empty() ? "" : options.formats.back());
  explain::Product product{a.matrix(0), b.matrix(0), {}, d.matrix(0)};
  product.factors = {factor_of("--alpha", options.alpha), factor_of("--beta", options.beta)};
  if (options.c.empty() && product.factors.beta != explain::kUnscaled) {
    throw std::invalid_argument("--beta is the factor of C: --c is missing");
  }
  NpyArray c;
  if (!options.c.empty()) {
    c = read_matrix(options.c);
    formats.c = formats_of_array(c, options.c, options.formats.size() == 4 ? given(2) : "");
    product.c = c.matrix(0);
  }
  if (options.scale_a.empty() != options.scale_b.empty()) {
    throw std::invalid_argument("--sa and --sb go together");
  }
  NpyArray scale_a;
  NpyArray scale_b;
  if (!options.scale_a.empty()) {
    if (has_second || !options.suggest.empty()) {
      throw std::invalid_argument(
          fmt::format("--sa goes without {}", has_second ? "a second result" : "--suggest"));
    }
    scale_a = read_matrix(options.scale_a);
    scale_b = read_matrix(options.scale_b);
    for (const Format* f : formats_of_array(scale_a, options.scale_a, "")) {
      const auto of_b = formats_of_array(scale_b, options.scale_b, "");
      if (std::find(of_b.begin(), of_b.end(), f) != of_b.end()) formats.scale.push_back(f);
    }
    product.scale_a = scale_a.matrix(0);
    product.scale_b = scale_b.matrix(0);
  }
  const explain::Explanation found = explain::explain(product, formats, how);
  if (has_second) {
    const NpyArray other = read_matrix(options.arguments[3]);
    explain::Product of_other = product;
    of_other.d = other.matrix(0);
    explain::MatrixFormats other_formats = formats;
    other_formats.d = formats_of_array(other, options.arguments[3],
                                       options.formats.empty() ? "" : options.formats.back());
    TwoResults results{found, explain::explain(of_other, other_formats, how), nullptr, nullptr};
    results.first_format = result_format(results.first, formats);
    results.second_format = result_format(results.second, other_formats);
    const std::vector<explain::Element> differing = compare_results(results, product.d, of_other.d);
    explain_difference(results, product, formats.c.empty() ? nullptr : formats.c.front(), differing,
                       how.deadline);
    if (how.progress) show_status("");
    if (!options.html.empty()) {
      const std::string question =
          "Why do " + options.arguments[2] + " and " + options.arguments[3] + " differ?";
      write_file(options.html, html_of(page_of(results, question, command_line())));
    }
    print(options.json ? json_of(results) : text_of(results, options.full));
    end_if_stopped();
    return std::max(explain_status(found.verdict), explain_status(results.second.verdict));
  }
  if (how.progress) show_status("");
  std::optional<Suggested> suggested;
  if (!options.suggest.empty() && found.plans.size() > 1) {
    suggested = write_suggestion(options.suggest, found, a, b, !options.c.empty(), how.deadline);
  }
  print(options.json ? json_of(found, suggested) : text_of(found, suggested, options.full));
  end_if_stopped();
  return explain_status(found.verdict);
}

}  // namespace

void add_explain(Command& app, int& status) {
  auto options = std::make_shared<ExplainCommandLine>();
  Command command = app.add_command(
      "explain", "which plans reproduce a matrix that a library computed, element by element");
  command.add_option(
      "ARGUMENT", options->arguments,
      "A B D [D2] [ARCH|NAME...]: A.npy, (M, K), B.npy, (K, N), and their product D.npy, (M, N): "
      "float16, float32, float64, ml_dtypes' types, or bit patterns as unsigned integers; NaN in "
      "D: "
      "unknown. D2.npy: another result, to say how the two plans differ. Then what may have run: "
      "architectures, instructions, designs, or plans (default: the whole "
      "catalogue)");
  command.add_option("--c", options->c, "C.npy, (M, N), which is added").not_empty();
  command
      .add_option("--sa", options->scale_a,
                  "a file with the scale factors of A, one for each row and block of K: (M, K / "
                  "block); or of square blocks: (M / block, K / block)")
      .not_empty();
  command
      .add_option("--sb", options->scale_b,
                  "a file with the scale factors of B: (K / block, N) or (K / block, N / block)")
      .not_empty();
  command
      .add_option("--alpha", options->alpha, "D = alpha A B + beta C: a factor that f32 sums get")
      .shows_default();
  command.add_option("--beta", options->beta, "the factor of C").shows_default();
  command
      .add_option("--formats", options->formats,
                  "formats of A,B,D or A,B,C,D, where the files hold bit patterns")
      .comma_separated();
  command
      .add_choice<explain::Extent>(
          "--space", options->extent,
          {{"usual", explain::Extent::usual}, {"all", explain::Extent::all}},
          "usual: K in the orders, and in the parts, that kernels have, and all others only if "
          "none "
          "of these fits; all: at once")
      .default_text("usual");
  command
      .add_option("--suggest", options->suggest,
                  "where several plans fit, write small a.npy, b.npy and c.npy to this folder: "
                  "their product distinguishes the plans")
      .not_empty();
  command
      .add_option("--html", options->html,
                  "of two results: write one page into this file: both plans, and why they differ")
      .not_empty()
      .ending({"html", "htm"});
  command
      .add_option("--elements", options->elements,
                  "use this many elements of D, drawn at random (default: all)")
      .range(1, 1000000000);
  command.add_option("--timeout", options->timeout, "seconds for the whole command")
      .seconds()
      .shows_default();
  command.add_option("--jobs", options->jobs, "threads (default: one a core)").range(1, 4096);
  command.add_flag("--full", options->full, "show all plans that fit, and all their names");
  add_json(command, options->json);
  command.examples({{"mmaspec explain a.npy b.npy d.npy h100",
                     "what an H100 ran: status 0 explained, 1 none fits, 3 undecided"},
                    {"mmaspec explain a.npy b.npy d1.npy d2.npy h100 a100 --html why.html",
                     "two results of one product: both plans, and why they differ, as a page"}});
  command.run([options, &status] { status = run_explain(*options); });
}

}  // namespace mmaspec::cli
