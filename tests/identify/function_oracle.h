#pragma once
/// A unit given by a function.

#include <functional>
#include <utility>
#include <vector>

#include "queries/studies/identify/oracle.h"

namespace mmaspec {

class FunctionOracle : public Oracle {
 public:
  explicit FunctionOracle(std::function<Integer(const DotValues&)> unit) : unit_(std::move(unit)) {}

  std::vector<Integer> ask(const std::vector<DotValues>& all) override {
    std::vector<Integer> d;
    for (const DotValues& values : all) d.push_back(unit_(values));
    return d;
  }

 private:
  std::function<Integer(const DotValues&)> unit_;
};

}  // namespace mmaspec
