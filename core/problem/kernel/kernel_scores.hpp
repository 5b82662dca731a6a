// kernel_scores.hpp - the scores of atoms from exact values of a kernel:
//
//   scores[b] = sum over support atoms s of  k(atom, s) beta[s][b]
//
// Called by KernelProduct and ProblemKernel. Each score is one sum in the order of the support
// atoms, so it does not depend on the number of threads.
#pragma once

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "linalg/vector.hpp"
#include "parallel/workers.hpp"
#include "problem/components/dataset.hpp"

namespace sculpt::core {

// beta[count][blocks] without its zeros: support atom s has the entries [from[s], from[s + 1]).
template <class Number>
struct SparseBeta {
  explicit SparseBeta(std::span<const Number> beta, std::size_t blocks) : from{0} {
    for (std::size_t k = 0; k < beta.size(); ++k) {
      if (beta[k] != 0) {
        block.push_back(k % blocks);
        value.push_back(beta[k]);
      }
      if (k % blocks + 1 == blocks) from.push_back(value.size());
    }
  }

  std::vector<std::size_t> from;  // [count + 1]
  std::vector<std::size_t> block;
  std::vector<Number> value;
};

// Calls values(worker, atoms, out) for groups of the atoms, which sets out[group][count]. Then
// calls store(atom, scores) with scores[blocks] for each atom, from any thread.
// beta[count][blocks], of a model followed by its linear part. The sums have the numbers of beta.
template <class Numbers, class Values, class Store>
void compute_scores(Workers& workers, Range atoms, std::size_t count, const Numbers& beta,
                    std::size_t blocks, const Values& values, const Store& store) {
  using Number = typename Numbers::value_type;
  constexpr std::int64_t atoms_per_task = 16;
  const SparseBeta<Number> sparse(std::span<const Number>(beta.data(), count * blocks), blocks);
  std::vector<std::vector<double>> buffers(static_cast<std::size_t>(workers.threads()));
  workers.run_ranges(
      atoms.size(), atoms_per_task, [&](std::int64_t begin, std::int64_t end, int worker) {
        std::vector<std::int64_t> group(static_cast<std::size_t>(end - begin));
        std::iota(group.begin(), group.end(), atoms.begin + begin);
        std::vector<double>& rows = buffers[static_cast<std::size_t>(worker)];
        rows.resize(group.size() * count);
        values(worker, std::span<const std::int64_t>(group), std::span<double>(rows));
        std::vector<Number> scores(blocks);
        const double* value = rows.data();
        for (const std::int64_t atom : group) {
          scores.assign(blocks, 0);
          for (std::size_t s = 0; s < count; ++s, ++value) {
            for (std::size_t k = sparse.from[s]; k < sparse.from[s + 1]; ++k) {
              scores[sparse.block[k]] += static_cast<Number>(*value) * sparse.value[k];
            }
          }
          store(atom, std::span<const Number>(scores));
        }
      });
}

// The atoms with a coefficient other than 0. v has the layout of the solvers: [blocks][atoms].
struct SupportAtoms {
  std::vector<std::int64_t> atoms;  // increasing, by their numbers in the dataset
  Vector beta;                      // [atoms][blocks]
};
SupportAtoms support_atoms(const Vector& v, Range atoms, std::int64_t blocks);

}  // namespace sculpt::core
