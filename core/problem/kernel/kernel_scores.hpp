// kernel_scores.hpp - the scores of atoms from exact values of a kernel:
//
//   scores[b] = sum over support atoms s of  k(atom, s) beta[s][b]
//
// Called by KernelProduct, ProblemKernel and atom_selection. Each score is one sum in the order of
// the support atoms. So it depends on no other atom, and not on the number of threads.
#pragma once

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "linalg/vector.hpp"
#include "parallel/workers.hpp"
#include "problem/components/dataset.hpp"
#include "problem/kernel/score_tile.hpp"

namespace sculpt::core {

// Calls values(worker, atoms, out) for groups of the atoms, which sets out[group][count]. Then
// calls store(atom, scores) with scores[blocks] for each atom, from any thread.
// beta[count][blocks], of a model followed by its linear part. The sums have the numbers of beta.
template <class Numbers, class Values, class Store>
void compute_scores(Workers& workers, Range atoms, std::size_t count, const Numbers& beta,
                    std::size_t blocks, const Values& values, const Store& store) {
  using Number = typename Numbers::value_type;
  constexpr std::int64_t atoms_per_task = 16;
  const SparseBeta<Number> sparse(std::span<const Number>(beta.data(), count * blocks), blocks);
  struct Buffers {
    std::vector<double> rows;    // [group][count]
    std::vector<Number> scores;  // [group][blocks]
    ScoreTile<Number> tile;
  };
  std::vector<Buffers> buffers(static_cast<std::size_t>(workers.threads()));
  workers.run_ranges(
      atoms.size(), atoms_per_task, [&](std::int64_t begin, std::int64_t end, int worker) {
        std::vector<std::int64_t> group(static_cast<std::size_t>(end - begin));
        std::iota(group.begin(), group.end(), atoms.begin + begin);
        auto& [rows, scores, tile] = buffers[static_cast<std::size_t>(worker)];
        rows.resize(group.size() * count);
        values(worker, std::span<const std::int64_t>(group), std::span<double>(rows));
        scores.resize(group.size() * blocks);
        sum_scores<Number>(sparse, blocks, rows, scores, tile);
        for (std::size_t k = 0; k < group.size(); ++k) {
          store(group[k], std::span<const Number>(scores).subspan(k * blocks, blocks));
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
