// example_window.hpp - computes something for each example on all threads and ranks, and passes the
// results on in order.
//
// Called by predict, evaluate and, through probability_evaluation.hpp, by train.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "parallel/ranks/shared_items.hpp"
#include "problem/prediction/value_stream.hpp"
#include "problem/problem.hpp"

namespace sculpt::core {

// Calls compute(worker, example, value), then use(example, value) on this thread in the order of
// the examples. At most 1024 values are in memory. A Value has save() and load() as in
// value_stream.hpp. Throws Cancelled.
template <class Value, class Compute, class Use>
void for_each_in_order(Problem& problem, const ExampleList& examples, const Compute& compute,
                       const Use& use) {
  constexpr std::int64_t window_size = 1024;
  std::vector<Value> window;
  for (std::int64_t from = 0; from < examples.size(); from += window_size) {
    const std::int64_t size = std::min(window_size, examples.size() - from);
    window.resize(static_cast<std::size_t>(size));
    const auto value_at = [&](std::int64_t k) -> Value& {
      return window[static_cast<std::size_t>(k)];
    };
    const auto compute_part = [&](std::int64_t first, std::int64_t last, StepParts* parts) {
      const auto range = [&](std::int64_t begin, std::int64_t end, int worker) {
        const ItemTimer timer(parts, first + begin, first + end);
        for (std::int64_t k = first + begin; k < first + end; ++k) {
          problem.services().throw_if_cancelled();
          compute(worker, examples[from + k], value_at(k));
        }
      };
      problem.workers().run_ranges(last - first, Workers::range_size(last - first), range);
    };
    const auto example_at = [&](std::int64_t k) { return examples[from + k]; };
    share_items(
        problem.division(), StepItems{"values of examples", size, example_at}, compute_part,
        [&](std::int64_t k, StateWriter& out) { save(value_at(k), out); },
        [&](std::int64_t k, StateReader& in) { load(in, value_at(k)); });
    for (std::int64_t k = 0; k < size; ++k) {
      use(examples[from + k], window[static_cast<std::size_t>(k)]);
    }
  }
}

}  // namespace sculpt::core
