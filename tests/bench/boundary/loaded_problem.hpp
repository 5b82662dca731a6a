// loaded_problem.hpp - the problem of an experiment, with the plugins of this build.
#pragma once

#include <filesystem>

#include "launch/assembly.hpp"
#include "launch/component_search.hpp"
#include "launch/split_sources.hpp"

namespace sculpt::core::bench {

class LoadedProblem {
 public:
  // `plugins` is the first folder of the search path.
  LoadedProblem(const JsonDocument& document, const std::filesystem::path& plugins)
      : registry_({{plugins}, {}, nullptr}),
        experiment_(document, {}, declared_in(registry_)),
        assembly_(experiment_, registry_),
        problem_(assembly_.problem_spec(sources_of(experiment_)), Purpose::training, 1, {}) {}

  Problem& operator*() { return problem_; }

 private:
  Registry registry_;
  Experiment experiment_;
  Assembly assembly_;
  Problem problem_;
};

}  // namespace sculpt::core::bench
