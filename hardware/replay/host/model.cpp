// A device that is a model.

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>

#include "concrete/dot/runner.h"
#include "concrete/dot/trace.h"
#include "hardware/replay/host/device.h"
#include "hardware/replay/host/drawn.h"
#include "queries/statement/pairing.h"
#include "util/json.h"

namespace mmaspec {
namespace {

/// A model as device, prepared for the rows of one instruction and K.
struct ModelDevice {
  std::string lacks;
  Pair pair;
  std::optional<DotRunner> runner;
};

ModelDevice model_device(const RowModels::Entry& entry, const std::string& name) {
  ModelDevice device;
  try {
    const bool variant_alone = name.starts_with('@');
    if (variant_alone && entry.native.architecture == "design") {
      throw std::invalid_argument("a design has no variants");
    }
    const std::string& own = entry.native.name();
    const Instruction other =
        find_instruction(variant_alone ? own.substr(0, own.find('@')) + name : name);
    PairOptions options;
    options.pad = other.formats.k > entry.run.formats.k;
    device.pair = pair_up(entry.run, other, options);
    if (!(*device.pair.second.formats.d == *entry.run.formats.d)) {
      throw std::invalid_argument("its results are " +
                                  std::string(device.pair.second.formats.d->name));
    }
    device.runner.emplace(device.pair.second.algorithm, device.pair.second.formats);
  } catch (const std::invalid_argument& error) {
    device.lacks = error.what();
  }
  return device;
}

/// True if the second one's formats contain every operand of the first.
bool holds_all(const Pair& pair) {
  const DotFormats& x = pair.first.formats;
  const DotFormats& y = pair.second.formats;
  return *x.a == *y.a && *x.b == *y.b && *x.c == *y.c;
}

void require_known(const std::string& name) {
  if (name.starts_with('@')) {
    const std::string variant = name.substr(1);
    bool known = false;
    std::string all;
    for (const std::string& v : variants()) {
      known = known || v == variant;
      all += (all.empty() ? "" : ", ") + v;
    }
    if (!known) {
      throw std::invalid_argument("unknown variant '" + variant.substr(0, 60) +
                                  "' (variants: " + all + ")");
    }
  } else {
    find_instruction(name);  // reports an unknown name, which is an error and not a missing
                             // instruction
  }
}

std::string header_of(const std::string& name) {
  return Json{{"device", "model " + name}, {"program", "mmaspec"}}.dump();
}

/// The device for each of the rows' instructions, constructed once.
class ModelDevices {
 public:
  explicit ModelDevices(std::string name) : name_(std::move(name)) {}

  ModelDevice& of(const RowModels::Entry& entry) {
    auto it = devices_.find(&entry);
    if (it == devices_.end()) it = devices_.emplace(&entry, model_device(entry, name_)).first;
    return it->second;
  }

 private:
  std::string name_;
  std::map<const RowModels::Entry*, ModelDevice> devices_;
};

}  // namespace

DeviceRun run_on_model(const std::string& name, const std::vector<ReplayRow>& rows,
                       RowModels& models) {
  require_known(name);
  const auto devices = std::make_shared<ModelDevices>(name);
  DeviceRun run;
  run.header = header_of(name);
  for (const ReplayRow& r : rows) {
    ModelDevice& device = devices->of(models.of(r.row));
    DeviceAnswer answer;
    answer.lacks = device.lacks;
    if (answer.lacks.empty()) {
      try {
        const DotValues values = counterpart(device.pair, Match::values, r.row.values);
        answer.d = device.runner->run(values);
      } catch (const NoCounterpart& error) {
        answer.lacks = error.what();
      }
    }
    run.answers.push_back(std::move(answer));
  }
  run.trace = [devices, &rows, &models](std::size_t i) {
    const ModelDevice& device = devices->of(models.of(rows[i].row));
    return trace_lines(device.pair.second,
                       counterpart(device.pair, Match::values, rows[i].row.values));
  };
  return run;
}

std::string draw_on_model(const std::string& name, DrawnAnswers& answers) {
  constexpr std::uint64_t kAtOnce = std::uint64_t{1} << 12;
  require_known(name);
  for (std::size_t i = 0; i < answers.asked().size(); ++i) {
    const RowModels::Entry& entry = answers.entry(i);
    const ModelDevice device = model_device(entry, name);
    DrawnAnswers::Part part{};
    part.request = i;
    part.lacks = device.lacks;
    if (part.lacks.empty() && !holds_all(device.pair)) part.lacks = "its formats differ";
    if (!part.lacks.empty()) {
      answers.take(part);
      continue;
    }
    const DrawnRequest& request = answers.asked()[i];
    for (part.first = 0; part.first < request.count; part.first += part.d.size()) {
      part.d.assign(std::min(kAtOnce, request.count - part.first), 0);
      in_parallel(part.d.size(), answers.jobs(), [&](std::size_t begin, std::size_t end) {
        DotRunner runner(device.pair.second.algorithm, device.pair.second.formats);
        for_each_drawn(request, entry.run.formats, part.first + begin, part.first + end,
                       [&](std::uint64_t number, const DotValues& values) {
                         part.d[number - part.first] =
                             runner.run(counterpart(device.pair, Match::values, values));
                       });
      });
      answers.take(part);
    }
  }
  return header_of(name);
}

}  // namespace mmaspec
