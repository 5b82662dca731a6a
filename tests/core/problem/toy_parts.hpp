// toy_parts.hpp - types and functions that the components of the toy (toy_*.cpp) share.
//
// Also used by the tests that enumerate the outputs of the toy.
#pragma once

#include <sculpt/ext/expectation.h>
#include <sculpt/ext/factor_graph.h>
#include <sculpt/ext/sample.h>

#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/problem/toy.hpp"

namespace sculpt::core::toy {

using Labels = std::vector<std::int32_t>;

struct ToyDataset {
  std::vector<ToyExample> examples;
  std::int64_t training = 0;
  std::map<std::string, std::pair<std::int64_t, std::int64_t>, std::less<>> others;
};
struct ToyFeatures {
  const ToyDataset* dataset = nullptr;
};
struct ToyLoss {
  int unused = 0;
};
struct ToyOracle {
  const sculpt_host* host = nullptr;
  const ToyDataset* dataset = nullptr;
};

// An entry of a frontier: the best output with these counts. Of equal ones, the first.
struct ToyEntry {
  double score = 0;
  Labels output;
};

// A session of any component. The features use the graph, the oracles the frontier.
struct ToySession {
  void* self = nullptr;
  std::map<Counts, ToyEntry> frontier;
  Counts frontier_size = {};
  sculpt_factor_graph graph = {};
  ToyPlan::Graph arrays;
  std::int64_t drawn_example = -1;  // of the open draws; -1: none
};

// Writes the text "toy trouble" for an error status. Returns the status.
inline sculpt_status set_error_text(sculpt_status status, sculpt_error* error) {
  if (status != SCULPT_OK) std::strncpy(error->text, "toy trouble", 12);
  return status;
}

// Called first by every function of a component. Returns the status that the plan injects.
inline sculpt_status begin_call(const char* function, std::int64_t example, sculpt_error* error) {
  const ToyPlan& plan = toy_plan();
  const sculpt_status status = plan.inject_error ? plan.inject_error(function, example) : SCULPT_OK;
  return set_error_text(status, error);
}

inline int state_count() {
  return toy_plan().state_count;
}
inline std::int32_t emission(std::int32_t observation, std::int32_t label) {
  return observation * state_count() + label;
}
inline std::int32_t transition(std::int32_t previous, std::int32_t label) {
  return (toy_plan().observation_count + previous) * state_count() + label;
}

// Calls add(index) for every 1 that psi(x, y) sums.
template <class Add>
inline void for_each_feature(const Labels& observations, const std::int32_t* y, Add&& add) {
  for (std::size_t t = 0; t < observations.size(); ++t) {
    add(emission(observations[t], y[t]));
    if (t > 0) add(transition(y[t - 1], y[t]));
  }
}

// The labelling with this number. The first position varies slowest.
inline Labels labelling(std::int64_t number, std::size_t size) {
  Labels y(size);
  for (std::size_t t = size; t-- > 0; number /= state_count()) {
    y[t] = static_cast<std::int32_t>(number % state_count());
  }
  return y;
}
inline std::int64_t labelling_count(std::size_t size) {
  std::int64_t count = 1;
  for (std::size_t t = 0; t < size; ++t) count *= state_count();
  return count;
}

// The frontiers of the oracle and of the map_solver (toy_frontier.cpp).
const sculpt_ext_frontier& oracle_frontier();
const sculpt_ext_frontier& solver_frontier();
// Their expectations over all outputs (toy_expectations.cpp).
const sculpt_ext_expectation& oracle_expectation();
const sculpt_ext_map_expectation& solver_expectation();
// The samples of the oracle (toy_samples.cpp).
const sculpt_ext_sample& oracle_samples();

// visit(cell) for each cell that the assignment uses, factor by factor.
template <class Visit>
inline void for_each_cell(const sculpt_factor_graph& graph, const Labels& y, Visit&& visit) {
  for (std::int64_t f = 0; f < graph.factor_count; ++f) {
    std::int64_t offset = 0;
    for (std::int64_t s = graph.scope_from[f]; s < graph.scope_from[f + 1]; ++s) {
      const std::int32_t variable = graph.scope[s];
      offset = offset * graph.states[variable] + y[static_cast<std::size_t>(variable)];
    }
    visit(graph.table[f] + offset);
  }
}

// The sum over all factors of the cells that the assignment uses.
template <class Number>
inline Number table_sum(const sculpt_factor_graph& graph, const Number* table, const Labels& y) {
  Number sum = 0;
  for_each_cell(graph, y, [&](std::int64_t cell) { sum += table[cell]; });
  return sum;
}

template <class Self>
inline sculpt_status create(const char* name, void** self, sculpt_error* error) {
  *self = new Self;
  const sculpt_status status = begin_call(name, -1, error);
  if (status != SCULPT_OK) delete static_cast<Self*>(*self);
  return status;
}

inline sculpt_status open_session(void* self, void** session, sculpt_error* error) {
  const sculpt_status status = begin_call("session", -1, error);
  if (status != SCULPT_OK) return status;
  auto* result = new ToySession;
  result->self = self;
  *session = result;
  return SCULPT_OK;
}
inline void close_session(void* session) {
  delete static_cast<ToySession*>(session);
}

template <class Self>
Self& self_of(void* session) {
  return *static_cast<Self*>(static_cast<ToySession*>(session)->self);
}

template <class Self>
void destroy(void* self) {
  delete static_cast<Self*>(self);
}

inline sculpt_component describe(std::uint32_t kind, const char* id, const sculpt_life& life,
                                 const void* api) {
  return {sizeof(sculpt_component),
          kind,
          0,
          id,
          "1.0.0",
          "A toy.",
          nullptr,
          nullptr,
          0,
          nullptr,
          0,
          &life,
          api};
}

}  // namespace sculpt::core::toy
