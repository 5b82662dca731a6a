// Sweeps in chunks over planes with a kernel: the gain is exact, and w follows alpha.

#include "qp/sweep_in_chunks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "base/random.hpp"
#include "core/problem/kernel/point_kernel.hpp"
#include "problem/kernel/kernel_product.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

constexpr std::int64_t label_count = 5;

struct Chunks {
  // `atoms`: of each example.
  Chunks(std::int64_t examples, std::int64_t atoms, const SlackTerm& term)
      : example_count(examples),
        layout{example_count * atoms,
               {0, example_count * atoms},
               0,
               label_count,
               example_count * atoms * label_count},
        product(kernel, workers, layout, ranges(examples, atoms), 1 << 22),
        working_set(example_count, layout.dimension(), term, {}, &product),
        blocks(static_cast<std::size_t>(example_count)) {
    std::iota(blocks.begin(), blocks.end(), 0);
    Random random(5, "chunks");
    for (std::int64_t i = 0; i < example_count; ++i) {
      for (std::uint64_t key = 1; key < 4; ++key) add_plane(i, atoms, key, random);
    }
    working_set.refresh();
  }

  static std::vector<Range> ranges(std::int64_t examples, std::int64_t atoms) {
    std::vector<Range> ranges;
    for (std::int64_t i = 0; i < examples; ++i) ranges.push_back({i * atoms, (i + 1) * atoms});
    return ranges;
  }

  // Each atom of the example moves from its truth to another label, as in multiclass problems.
  void add_plane(std::int64_t example, std::int64_t atoms, std::uint64_t key, Random& random) {
    Vector a(static_cast<std::size_t>(layout.dimension()), 0.0);
    for (std::int64_t t = example * atoms; t < (example + 1) * atoms; ++t) {
      const std::int64_t truth = t % label_count;
      const std::int64_t other = (truth + 1 + static_cast<std::int64_t>(random.below(3))) % 5;
      a[static_cast<std::size_t>(truth * layout.training_count() + t)] += 1;
      a[static_cast<std::size_t>(other * layout.training_count() + t)] -= 1;
    }
    working_set.add(example, PlaneVector(entries_of(a)), 1 + random.normal() / 4, key);
  }

  // D of the current alpha, from exact products. Requires linear slacks.
  double dual() {
    Vector exact(working_set.v().size(), 0.0);
    product.multiply_exactly(working_set.v(), exact);
    double sum = 0;
    for (std::int64_t i = 0; i < example_count; ++i) {
      const Block& block = working_set.block(i);
      for (std::size_t p = 1; p < block.size(); ++p) sum += block.alpha[p] * block.b[p];
    }
    for (std::size_t j = 0; j < exact.size(); ++j) sum -= 0.5 * exact[j] * working_set.v()[j];
    return sum;
  }

  void check_w() {
    Vector exact(working_set.v().size(), 0.0);
    product.multiply_exactly(working_set.v(), exact);
    const Vector& w = working_set.complete_w().dense();
    for (std::size_t j = 0; j < w.size(); ++j) REQUIRE(std::abs(w[j] - exact[j]) < 1e-5);
  }

  std::int64_t example_count;
  PointKernel kernel;
  Workers workers{2};
  KernelLayout layout;
  KernelProduct product;
  WorkingSet working_set;
  std::vector<std::int64_t> blocks;
};

}  // namespace

TEST_CASE("sweep in chunks: the gain is that of D, for blocks of any size, and w follows") {
  struct Size {
    std::int64_t examples, atoms;
  };
  for (const Size& size : {Size{500, 1}, Size{200, 3}, Size{12, 100}, Size{4, 300}}) {
    CAPTURE(size.atoms);  // 300 do not fit into a chunk
    Chunks small(size.examples, size.atoms, SlackTerm::linear(0.1));
    SweepInChunks chunks(small.working_set);
    REQUIRE(chunks.is_possible());
    for (int sweep = 0; sweep < 2; ++sweep) {
      const double before = small.dual();
      const SweepInChunks::Outcome done = chunks.run(small.blocks, 1e-9, 0.25, {});
      CHECK(done.gain > 0);
      CHECK(done.work > 0);
      CHECK_FALSE(done.is_interrupted);
      CHECK(done.gain == doctest::Approx(small.dual() - before).epsilon(1e-4));
      small.check_w();
      std::rotate(small.blocks.begin(), small.blocks.begin() + size.examples / 2,
                  small.blocks.end());
    }
  }
}

TEST_CASE("sweep in chunks: a stop leaves w and alpha in step") {
  Chunks small(12, 100, SlackTerm::squared(1));
  SweepInChunks chunks(small.working_set);
  int calls = 0;
  const SweepInChunks::Outcome done =
      chunks.run(small.blocks, 1e-9, 0.25, [&] { return ++calls == 3; });
  CHECK(done.is_interrupted);
  CHECK(done.gain > 0);
  CHECK(small.working_set.active_count() > 0);
  small.check_w();
}

TEST_CASE("sweep in chunks: not used without an inner product, for one block or forbidden slacks") {
  Chunks forbidden(9, 1, SlackTerm::forbidden());
  CHECK_FALSE(SweepInChunks(forbidden.working_set).is_possible());
  WorkingSet plain(3, 4, SlackTerm::linear(1));
  CHECK_FALSE(SweepInChunks(plain).is_possible());
}
