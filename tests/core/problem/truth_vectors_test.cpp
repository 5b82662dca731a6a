// TruthVectors: stores the psi of truths up to a memory limit.

#include "problem/truth_vectors.hpp"

#include <doctest/doctest.h>

using namespace sculpt::core;

TEST_CASE("truth vectors: stored vectors are found, others are not") {
  TruthVectors truths(3);
  const SparseVector psi{{1, 7}, {0.5, -2}};
  truths.store(2, {psi, {{{7}, {3}}, 4}});
  truths.store(0, {});
  REQUIRE(truths.find(2) != nullptr);
  CHECK(truths.find(2)->psi == psi);
  CHECK(truths.find(2)->cancelling.magnitude == SparseVector{{7}, {3}});
  CHECK(truths.find(2)->cancelling.count == 4);
  REQUIRE(truths.find(0) != nullptr);  // a vector of zeros is stored too
  CHECK(truths.find(0)->psi.index.empty());
  CHECK(truths.find(1) == nullptr);
}

TEST_CASE("truth vectors: without memory nothing is stored") {
  TruthVectors none;
  none.store(0, {{{1}, {1}}, {}});
  CHECK(none.find(0) == nullptr);

  constexpr std::size_t third = (std::size_t{32} << 20) / 12 / 3;  // 12 bytes an entry
  TruthVectors truths(5);
  const FeatureSum large{
      {std::vector<std::int32_t>(third + 1, 1), std::vector<double>(third + 1, 1.0)}, {}};
  for (std::int64_t example = 0; example < 5; ++example) truths.store(example, large);
  CHECK(truths.find(0) != nullptr);
  CHECK(truths.find(1) != nullptr);
  CHECK(truths.find(2) == nullptr);
  CHECK(truths.find(4) == nullptr);
}
