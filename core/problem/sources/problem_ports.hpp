// problem_ports.hpp - the sources of planes, counts, expectations, cells and samples that a
// Problem offers to solvers.
//
// Made by train.
#pragma once

#include <cstdint>
#include <optional>

#include "objective/ports.hpp"
#include "problem/kernel/kernel_planes.hpp"
#include "problem/sources/problem_cells.hpp"
#include "problem/sources/problem_counts.hpp"
#include "problem/sources/problem_expectations.hpp"
#include "problem/sources/problem_planes.hpp"
#include "problem/sources/problem_samples.hpp"

namespace sculpt::core {

class ProblemPorts {
 public:
  // Requires a problem made for training, which outlives this. planes() is nullptr if it has none.
  ProblemPorts(Problem& problem, std::uint64_t run_seed);
  ProblemPorts(const ProblemPorts&) = delete;  // the ports refer to it
  ProblemPorts& operator=(const ProblemPorts&) = delete;

  ProblemPlanes* planes() { return planes_ ? &*planes_ : nullptr; }
  Ports& ports() { return ports_; }

 private:
  void add_kernel(ProblemKernel& kernel);

  std::optional<ProblemPlanes> planes_;
  std::optional<KernelPlanes> kernel_planes_;  // of planes_, if there is a kernel
  ProblemCounts counts_;
  std::optional<ProblemSamples> samples_;                    // empty if not offered
  std::optional<ProblemExpectations> expectations_;          // empty if not offered
  std::optional<ProblemExpectations> uniform_expectations_;  // likewise
  std::optional<ProblemCells> cells_;                        // likewise
  Ports ports_;
};

}  // namespace sculpt::core
