#pragma once
/// Expressions held by Python objects, with the identity of their graph.

#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "spec/parts/terms.h"

namespace mmaspec::python {

/// The unique number of the graph that this thread builds; 0: none.
std::uint64_t& current_graph();

/// An Int, Bool, Term and so on. An object may outlive its graph; it then cannot be used, but it is
/// safe.
template <typename T>
struct Held {
  T value;
  std::uint64_t graph;
};

template <typename T>
Held<T> hold(T value) {
  if (current_graph() == 0) {
    throw std::runtime_error("expressions are built inside an @mmaspec.algorithm function alone");
  }
  return {std::move(value), current_graph()};
}

/// Throws std::runtime_error if the object belongs to another graph.
template <typename T>
const T& open(const Held<T>& held) {
  if (held.graph != current_graph()) {
    throw std::runtime_error("an expression of one algorithm cannot be used in another");
  }
  return held.value;
}

template <typename T>
std::vector<Held<T>> hold_all(const std::vector<T>& values) {
  std::vector<Held<T>> all;
  for (const T& v : values) all.push_back(hold(v));
  return all;
}

template <typename T>
std::vector<T> open_all(const std::vector<Held<T>>& held) {
  std::vector<T> all;
  for (const Held<T>& h : held) all.push_back(open(h));
  return all;
}

}  // namespace mmaspec::python
