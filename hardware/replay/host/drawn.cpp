#include "hardware/replay/host/drawn.h"

#include <algorithm>
#include <stdexcept>
#include <thread>

#include "concrete/dot/runner.h"
#include "concrete/rows/drawn_rows.h"
#include "spec/formats/text.h"
#include "util/counted.h"
#include "util/json.h"

namespace mmaspec {
namespace {

constexpr std::size_t kShown = 3;

drawn::Shape shape_of(const Format& f) {
  if (f.is_integer()) return {0, f.storage_bits - 1, 0};
  return {f.exponent_bits, f.fraction_bits, f.ignored_low_bits};
}

std::string text_of(const Json& line, const char* key) {
  const auto it = line.find(key);
  if (it == line.end() || !it->is_string()) {
    throw std::invalid_argument("\"" + std::string(key) + "\" of random rows is " +
                                (it == line.end() ? "missing" : "not a string"));
  }
  return it->get<std::string>();
}

std::uint64_t number_of(const Json& line, const char* key) {
  const std::string text = text_of(line, key);
  std::uint64_t value = 0;
  if (!drawn::parse(text, value)) {
    throw std::invalid_argument("\"" + std::string(key) + "\": '" + text.substr(0, 60) +
                                "' is not a number of rows");
  }
  return value;
}

/// Calls `each(word)` for the words of a text.
template <typename Each>
void for_each_word(const std::string& text, Each each) {
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find(' ', start), text.size());
    if (end > start) each(std::string_view(text).substr(start, end - start));
    start = end + 1;
  }
}

Integer parse_result(std::string_view word, const Format& format) {
  try {
    return parse_bits(format, word);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(std::string("\"d\": ") + error.what());
  }
}

}  // namespace

bool is_drawable(const Instruction& instruction) {
  return instruction.architecture != "design" && instruction.formats.scale == nullptr;
}

std::string to_json_line(const DrawnRequest& request) {
  const DotFormats formats = find_instruction(request.instruction).formats;
  return Json{{"instr", request.instruction},
              {"drawn", std::to_string(request.count)},
              {"seed", std::to_string(request.seed)},
              {"a", drawn::to_text(shape_of(*formats.a))},
              {"b", drawn::to_text(shape_of(*formats.b))},
              {"c", drawn::to_text(shape_of(*formats.c))}}
      .dump();
}

bool is_drawn(const Json& line) { return line.is_object() && line.contains("drawn"); }

bool parse_drawn(const Json& line, DrawnRequest& request) {
  request = {text_of(line, "instr"), number_of(line, "drawn"), number_of(line, "seed")};
  if (!is_drawable(find_instruction(request.instruction))) {
    throw std::invalid_argument(request.instruction +
                                ": random rows of designs or with scale factors are not supported");
  }
  const auto own = Json::parse(to_json_line(request));
  for (const char* key : {"a", "b", "c"}) {
    if (text_of(line, key) != own[key]) {
      throw std::invalid_argument("\"" + std::string(key) + "\": random rows of " +
                                  text_of(line, key).substr(0, 60) + ", but the instruction has " +
                                  own[key].get<std::string>());
    }
  }
  return !line.contains("first") || number_of(line, "first") == 0;
}

VectorRow drawn_row(const DrawnRequest& request, std::uint64_t number) {
  VectorRow row;
  row.instruction = request.instruction;
  for_each_drawn(request, find_instruction(request.instruction).formats, number, number + 1,
                 [&](std::uint64_t, const DotValues& values) { row.values = values; });
  return row;
}

void in_parallel(std::size_t count, int jobs,
                 const std::function<void(std::size_t begin, std::size_t end)>& work) {
  const std::size_t cores =
      jobs > 0 ? static_cast<std::size_t>(jobs) : std::max(1U, std::thread::hardware_concurrency());
  const std::size_t threads = std::clamp<std::size_t>(count / 64, 1, cores);
  const auto piece = [&](std::size_t i) { return count * i / threads; };
  std::vector<std::exception_ptr> failures(threads);
  const auto guarded = [&](std::size_t i) {
    try {
      work(piece(i), piece(i + 1));
    } catch (...) {
      failures[i] = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  for (std::size_t i = 1; i < threads; ++i) others.emplace_back(guarded, i);
  guarded(0);
  for (std::thread& t : others) t.join();
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

void for_each_drawn(const DrawnRequest& request, const DotFormats& f, std::uint64_t first,
                    std::uint64_t end,
                    const std::function<void(std::uint64_t, const DotValues&)>& each) {
  drawn::Rows rows(f.k, shape_of(*f.a), shape_of(*f.b), shape_of(*f.c), request.seed);
  std::vector<std::uint64_t> a(static_cast<std::size_t>(f.k));
  std::vector<std::uint64_t> b(a.size());
  DotValues values;
  for (std::uint64_t number = first; number < end; ++number) {
    std::uint64_t c = 0;
    rows.draw(number, a.data(), b.data(), c);
    values.a.assign(a.begin(), a.end());
    values.b.assign(b.begin(), b.end());
    values.c = c;
    each(number, values);
  }
}

DrawnAnswers::DrawnAnswers(const std::vector<DrawnRequest>& asked, RowModels& models, int jobs)
    : asked_(asked), states_(asked.size()), models_(models), jobs_(jobs) {
  for (const DrawnRequest& request : asked_) texts_.push_back(to_json_line(request));
}

RowModels::Entry& DrawnAnswers::entry(std::size_t request) {
  return models_.of(drawn_row(asked_[request], 0));
}

bool DrawnAnswers::is_done(std::size_t request) const {
  return !states_[request].lacks.empty() || states_[request].answered == asked_[request].count;
}

void DrawnAnswers::take(const Part& part) {
  State& state = states_.at(part.request);
  const DrawnRequest& asked = asked_[part.request];
  if (is_done(part.request) || part.first != state.answered ||
      part.d.size() > asked.count - state.answered || (part.d.empty() == part.lacks.empty())) {
    throw std::invalid_argument("it answers row " + std::to_string(part.first) + " of " +
                                std::to_string(asked.count) + " random rows for " +
                                asked.instruction + ", but row " + std::to_string(state.answered) +
                                " is next");
  }
  state.lacks = part.lacks;
  compare(part, state);
  state.answered += part.d.size();
  if (keep_) keep_(line_of(part));
}

void DrawnAnswers::compare(const Part& part, State& state) {
  RowModels::Entry& e = entry(part.request);
  std::vector<Integer> computed(part.d.size());
  in_parallel(part.d.size(), jobs_, [&](std::size_t begin, std::size_t end) {
    DotRunner runner(e.run.algorithm, e.run.formats);
    for_each_drawn(asked_[part.request], e.run.formats, part.first + begin, part.first + end,
                   [&](std::uint64_t number, const DotValues& values) {
                     computed[number - part.first] = runner.run(values);
                   });
  });
  for (std::size_t i = 0; i < computed.size(); ++i) {
    const std::uint64_t number = part.first + i;
    const bool uneven =
        std::find(part.uneven.begin(), part.uneven.end(), number) != part.uneven.end();
    if (uneven) ++state.uneven;
    if (!uneven && same_result(*e.run.formats.d, e.run.canonical_nan, computed[i], part.d[i])) {
      continue;
    }
    ++state.failed;
    if (state.first.size() < kShown) {
      state.first.push_back({number, computed[i], part.d[i], uneven});
    }
  }
}

std::string DrawnAnswers::line_of(const Part& part) {
  auto line = Json::parse(texts_[part.request]);
  if (!part.lacks.empty()) {
    line["lacks"] = part.lacks;
    return line.dump(-1, Json::Invalid::replace);
  }
  line["first"] = std::to_string(part.first);
  const auto digits = static_cast<unsigned>(entry(part.request).run.formats.d->hex_digits());
  std::string d;
  for (const Integer& x : part.d) d += (d.empty() ? "" : " ") + to_hex(x, digits);
  line["d"] = std::move(d);
  std::string uneven;
  for (const std::uint64_t n : part.uneven)
    uneven += (uneven.empty() ? "" : " ") + std::to_string(n);
  if (!uneven.empty()) line["uneven"] = uneven;
  return line.dump();
}

void DrawnAnswers::take(const Json& line) {
  DrawnRequest request;
  parse_drawn(line, request);
  const std::string text = to_json_line(request);
  Part part{};
  while (part.request < asked_.size() && (is_done(part.request) || texts_[part.request] != text)) {
    ++part.request;
  }
  if (part.request == asked_.size()) {
    throw std::invalid_argument("it answers " + counted(request.count, "row") +
                                " drawn at random for " + request.instruction +
                                " that were not requested, or were answered before");
  }
  if (line.contains("lacks")) {
    part.lacks =
        line["lacks"].is_string() ? line["lacks"].get<std::string>() : line["lacks"].dump();
    if (part.lacks.empty()) part.lacks = "no reason given";
  } else {
    part.first = number_of(line, "first");
    const Format& format = *entry(part.request).run.formats.d;
    for_each_word(text_of(line, "d"),
                  [&](std::string_view word) { part.d.push_back(parse_result(word, format)); });
    if (line.contains("uneven")) {
      for_each_word(text_of(line, "uneven"), [&](std::string_view word) {
        std::uint64_t number = 0;
        if (!drawn::parse(word, number)) {
          throw std::invalid_argument("\"uneven\": '" + std::string(word.substr(0, 60)) +
                                      "' is not the number of a row");
        }
        part.uneven.push_back(number);
      });
    }
  }
  take(part);
}

void DrawnAnswers::finish() const {
  for (std::size_t i = 0; i < asked_.size(); ++i) {
    if (is_done(i)) continue;
    throw std::invalid_argument(std::to_string(states_[i].answered) + " answered of the " +
                                counted(asked_[i].count, "row") + " drawn at random for " +
                                asked_[i].instruction);
  }
}

void DrawnAnswers::report(ReplayReport& report, std::vector<ReplayRow>& rows,
                          DeviceRun& run) const {
  for (std::size_t i = 0; i < asked_.size(); ++i) {
    const State& state = states_[i];
    const Instruction instruction = find_instruction(asked_[i].instruction);
    ReplayCounts& counts = report.by_instruction[instruction.name()];
    if (!state.lacks.empty()) {
      counts.lacking += asked_[i].count;
      report.lacking += asked_[i].count;
      counts.lacks[state.lacks] += asked_[i].count;
      continue;
    }
    counts.failed += state.failed;
    report.failed += state.failed;
    counts.passed += state.answered - state.failed;
    report.passed += state.answered - state.failed;
    counts.uneven += state.uneven;
    for (const Wrong& wrong : state.first) {
      if (counts.first.size() == kShown) break;
      counts.first.push_back({rows.size(), wrong.computed, wrong.device});
      rows.push_back(made_row(
          drawn_row(asked_[i], wrong.number), instruction,
          "seed " + std::to_string(asked_[i].seed) + ", row " + std::to_string(wrong.number)));
      run.answers.push_back({wrong.device, wrong.uneven, ""});
    }
  }
}

}  // namespace mmaspec
