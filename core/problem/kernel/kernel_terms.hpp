// kernel_terms.hpp - sums of rows of the kernel times coefficients.
//
// Called by KernelProduct and KernelChunk. A sum has the order of its terms, whatever the width of
// the instructions.
#pragma once

#include <cstddef>
#include <span>

namespace sculpt::core {

// A row of the kernel times a coefficient.
struct KernelTerm {
  const float* row;
  double factor;
};

// to[t] += sum over the terms of  factor row[begin + t],  for t < size. Any thread.
void add_terms(std::span<const KernelTerm> terms, std::size_t begin, std::size_t size, double* to);

}  // namespace sculpt::core
