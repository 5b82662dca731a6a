// problem_ports.hpp - what a Problem offers to solvers.
//
// Made by train.
#pragma once

#include <cstdint>
#include <optional>

#include "objective/ports.hpp"
#include "problem/problem_counts.hpp"
#include "problem/problem_expectations.hpp"
#include "problem/problem_planes.hpp"

namespace sculpt::core {

class ProblemPorts {
 public:
  // Requires a problem made for training; it outlives this.
  ProblemPorts(Problem& problem, std::uint64_t run_seed);
  ProblemPorts(const ProblemPorts&) = delete;  // the ports refer to it
  ProblemPorts& operator=(const ProblemPorts&) = delete;

  ProblemPlanes& planes() { return planes_; }
  Ports& ports() { return ports_; }

 private:
  ProblemPlanes planes_;
  ProblemCounts counts_;
  std::optional<ProblemExpectations> expectations_;  // where they are offered
  Ports ports_;
};

}  // namespace sculpt::core
