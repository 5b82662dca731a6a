// stub_problem.hpp - a problem of stub plugins, found and bound in the same way as in the commands.
#pragma once

#include <sculpt/ext/cut.h>

#include <deque>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "experiment/checked_parameters.hpp"
#include "problem/map_oracle/map_expectations.hpp"
#include "problem/plugin/oracle_seed.hpp"
#include "problem/problem.hpp"
#include "registry/registry.hpp"

namespace sculpt::core::stub {

// Returns the component with the name `use`, of the stubs and the shipped plugins.
inline const sculpt_component& find(std::uint32_t kind, const std::string& use) {
  static Registry registry(
      {std::vector<std::filesystem::path>{std::filesystem::path(STUB_FOLDER), PLUGIN_FOLDER},
       "/",
       {}});
  return *registry.find(kind, use).component;
}

inline JsonDocument json(const std::string& keys) {
  return JsonDocument::parse(keys, {"experiment.json", "/"});
}

// Returns the parameters of a component from the keys of an experiment.
inline CheckedParameters checked(const sculpt_component& component, const std::string& keys) {
  return {{component.parameters, static_cast<std::size_t>(component.parameter_count)},
          json(keys),
          component.id};
}

struct Parts {
  std::string dataset;
  std::string features;
  std::string loss;
  std::string oracle;
  std::string features_keys = "{}";
  std::string dataset_keys = "{}";
  std::string loss_keys = "{}";
  std::string oracle_keys = "{}";
};

// Returns a problem that is bound for training. `text` is the data of its split "train".
inline std::unique_ptr<Problem> problem(const Parts& parts, const std::string& text, int threads,
                                        const Formulation& formulation = {}) {
  std::deque<CheckedParameters> parameters;
  const auto choose = [&](std::uint32_t kind, const std::string& use, const std::string& keys) {
    const sculpt_component& component = find(kind, use);
    parameters.push_back(checked(component, keys));
    return ComponentSpec{&component, parameters.back().values(), std::nullopt};
  };
  ProblemSpec choices;
  choices.dataset = choose(SCULPT_KIND_DATASET, parts.dataset, parts.dataset_keys);
  choices.features = choose(SCULPT_KIND_FEATURES, parts.features, parts.features_keys);
  choices.loss = choose(SCULPT_KIND_LOSS, parts.loss, parts.loss_keys);
  choices.oracles = {choose(SCULPT_KIND_ORACLE, parts.oracle, parts.oracle_keys)};
  choices.sources = {{"train", "inline", text}};
  choices.formulation = formulation;
  return std::make_unique<Problem>(choices, Purpose::training, threads, Callbacks{});
}

inline sculpt_weights weights_of(const Vector& w) {
  return {w.data(), static_cast<std::int64_t>(w.size()), next_stamp()};
}

// Returns the query for separation on an example.
inline sculpt_query query(Problem& problem, std::int64_t example, const Vector& w,
                          double loss_weight) {
  return {sizeof(sculpt_query), 0, example, 1, weights_of(w), problem.dataset().truth(example),
          loss_weight};
}

inline SparseVector psi(Problem& problem, std::int64_t example,
                        const std::vector<std::int32_t>& y) {
  SparseAccumulator scratch(problem.dimension());
  SparseVector out;
  const sculpt_labels labels{y.data(), static_cast<std::int64_t>(y.size())};
  problem.features().vector(0, example, labels, Exit::plugin, scratch, out);
  return out;
}

// <w, psi(x, y)> + loss_weight Delta(truth, y), from features and loss alone.
inline double score(Problem& problem, std::int64_t example, const std::vector<std::int32_t>& y,
                    const Vector& w, double loss_weight) {
  const sculpt_labels guess{y.data(), static_cast<std::int64_t>(y.size())};
  return dot(psi(problem, example, y), w) +
         loss_weight * problem.loss()->value(0, example, problem.dataset().truth(example), guess);
}

// Returns all label arrays of length `size`.
inline std::vector<std::vector<std::int32_t>> all_outputs(std::size_t size, std::int32_t states) {
  std::vector<std::vector<std::int32_t>> outputs{{}};
  for (std::size_t v = 0; v < size; ++v) {
    std::vector<std::vector<std::int32_t>> longer;
    for (const auto& y : outputs) {
      for (std::int32_t state = 0; state < states; ++state) {
        longer.push_back(y);
        longer.back().push_back(state);
      }
    }
    outputs = std::move(longer);
  }
  return outputs;
}

// One session of a component, for calls of draft extensions.
class OneSession {
 public:
  explicit OneSession(const Component& component) : sessions_(component, 1) {}
  void* raw() { return sessions_.for_worker(0); }

 private:
  Sessions sessions_;
};

}  // namespace sculpt::core::stub
