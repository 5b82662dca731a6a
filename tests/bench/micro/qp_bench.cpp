// The steps of the QP solver, on a working set about as large as that of ocr_small.

#include <benchmark/benchmark.h>

#include "qp/face_ascent.hpp"
#include "qp/qp_solver.hpp"
#include "random_planes.hpp"

namespace sculpt::core::bench {
namespace {

void plane_scoring(benchmark::State& state) {
  const WorkingSet working_set = random_working_set();
  std::vector<double> score;
  std::int64_t block = 0;
  for (auto _ : state) {
    working_set.score(block, score);
    benchmark::DoNotOptimize(score.data());
    block = (block + 1) % blocks;
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(planes_of_block));
}
BENCHMARK(plane_scoring);

// A visit of one block in the first ten sweeps: scores, exact steps, w.
void block_step(benchmark::State& state) {
  WorkingSet working_set = random_working_set();
  QpSolver sweeps(working_set);
  std::int64_t block = 0;
  for (auto _ : state) {
    sweeps.improve({&block, 1});
    block = (block + 1) % blocks;
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(block_step)->Iterations(10 * blocks);

// Conjugate gradients on the face after eight sweeps.
void face_ascent(benchmark::State& state) {
  WorkingSet working_set = random_working_set();
  QpSolver sweeps(working_set);
  for (int sweep = 0; sweep < 8; ++sweep) {
    for (std::int64_t block = 0; block < blocks; ++block) sweeps.improve({&block, 1});
  }
  FaceAscent face(working_set);
  for (auto _ : state) benchmark::DoNotOptimize(face.improve().gain);
}
BENCHMARK(face_ascent)->Iterations(20);

}  // namespace
}  // namespace sculpt::core::bench
