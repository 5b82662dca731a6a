// memory_part.hpp - what a run needs memory for, part by part.
//
// Made by the solvers (Solver::memory_parts()), printed and decided on by memory_plan().
#pragma once

#include <string>
#include <vector>

namespace sculpt::core {

struct MemoryPart {
  std::string name;          // such as "cached planes"
  double bytes = 0;          // an estimate (plane_memory.hpp)
  bool is_mappable = false;  // kept by PlaneSource::plane_memory(), so it may lie in files
};

inline double sum_of_bytes(const std::vector<MemoryPart>& parts) {
  double sum = 0;
  for (const MemoryPart& part : parts) sum += part.bytes;
  return sum;
}

}  // namespace sculpt::core
