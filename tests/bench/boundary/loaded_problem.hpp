// loaded_problem.hpp - the problem of an experiment, made of the plugins of this build.
#pragma once

#include <filesystem>

#include "launch/assembly.hpp"

namespace sculpt::core::bench {

class LoadedProblem {
 public:
  // `plugins`: the folder that they are looked for in first.
  LoadedProblem(const JsonDocument& document, const std::filesystem::path& plugins)
      : registry_({{plugins}, {}, nullptr}),
        experiment_(document, {}, declared_in(registry_)),
        assembly_(experiment_, registry_),
        problem_(assembly_.choices(sources_of(experiment_)), Purpose::training, 1, {}) {}

  Problem& operator*() { return problem_; }

 private:
  Registry registry_;
  Experiment experiment_;
  Assembly assembly_;
  Problem problem_;
};

}  // namespace sculpt::core::bench
