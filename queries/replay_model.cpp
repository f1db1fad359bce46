// A device that is a model of ours.

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "queries/design.h"
#include "queries/replay_device.h"

namespace mmaspec {
namespace {

/// A device that is a model, ready for the rows of one instruction and K.
struct ModelDevice {
  std::string lacks;
  Pair pair;
  std::unique_ptr<DotModel> model;
  ExactEvaluator::Values scratch;
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
    device.model =
        std::make_unique<DotModel>(device.pair.second.algorithm, device.pair.second.formats);
    device.scratch = device.model->evaluator().scratch();
  } catch (const std::invalid_argument& error) {
    device.lacks = error.what();
  }
  return device;
}

}  // namespace

DeviceRun run_on_model(const std::string& name, const std::vector<ReplayRow>& rows,
                       RowModels& models) {
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
    find_instruction(name);  // an unknown name is an error of its own, not a lack
  }
  using Devices = std::map<const RowModels::Entry*, ModelDevice>;
  const auto devices = std::make_shared<Devices>();
  DeviceRun run;
  run.header = nlohmann::ordered_json{{"device", "model " + name}, {"program", "mmaspec"}}.dump();
  for (const ReplayRow& r : rows) {
    const RowModels::Entry& entry = models.of(r.row);
    auto it = devices->find(&entry);
    if (it == devices->end()) it = devices->emplace(&entry, model_device(entry, name)).first;
    ModelDevice& device = it->second;
    DeviceAnswer answer;
    answer.lacks = device.lacks;
    if (answer.lacks.empty()) {
      try {
        const DotValues values = counterpart(device.pair, Match::values, r.row.values);
        answer.d = device.model->run(values, device.scratch);
      } catch (const NoCounterpart& error) {
        answer.lacks = error.what();
      }
    }
    run.answers.push_back(std::move(answer));
  }
  run.trace = [devices, &rows, &models](std::size_t i) {
    const ModelDevice& device = devices->at(&models.of(rows[i].row));
    return trace_lines(*device.model, counterpart(device.pair, Match::values, rows[i].row.values));
  };
  return run;
}

}  // namespace mmaspec
