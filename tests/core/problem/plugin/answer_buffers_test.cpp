// Buffers that components write into: growth, limits, sums of features and their terms.

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "problem/plugin/answer_buffers.hpp"

using namespace sculpt::core;

TEST_CASE("bytes and labels grow as they are written") {
  ByteBuffer bytes;
  std::string expected;
  for (int k = 0; k < 1000; ++k) {
    const std::string piece = std::to_string(k);
    REQUIRE(sculpt_put(bytes.raw(), piece.data(), static_cast<std::int64_t>(piece.size())) ==
            SCULPT_OK);
    expected += piece;
  }
  CHECK(bytes.text() == expected);

  Answer answer;
  CHECK(answer.labels().data != nullptr);
  REQUIRE(sculpt_resize_labels(&answer.raw()->labels, 100000) == SCULPT_OK);
  answer.raw()->labels.data[99999] = 7;
  CHECK(answer.labels().size == 100000);
  answer.clear();
  CHECK(answer.labels().size == 0);
}

TEST_CASE("cleared bytes can be written again") {
  ByteBuffer bytes;
  CHECK(sculpt_put(bytes.raw(), "first", 5) == SCULPT_OK);
  bytes.clear();
  CHECK(bytes.raw()->size == 0);
  CHECK(sculpt_put(bytes.raw(), "second", 6) == SCULPT_OK);
  CHECK(bytes.text() == "second");
}

TEST_CASE("a length beyond the limit is refused, not allocated") {
  ByteBuffer bytes;
  CHECK(bytes.raw()->grow(bytes.raw(), std::int64_t{1} << 60) == SCULPT_E_MEMORY);
  CHECK(bytes.raw()->grow(bytes.raw(), -5) == SCULPT_OK);
  CHECK(bytes.has_valid_size());
  bytes.raw()->size = std::int64_t{1} << 40;
  CHECK_FALSE(bytes.has_valid_size());
  bytes.clear();
  Answer answer;
  CHECK(sculpt_resize_labels(&answer.raw()->labels, INT64_MAX) == SCULPT_E_MEMORY);
  SparseAccumulator sum(10);
  CHECK(sum.raw()->grow(sum.raw(), INT64_MAX) == SCULPT_E_MEMORY);
  CHECK(take_limit_reached());
  CHECK_FALSE(take_limit_reached());
}

TEST_CASE("the limits are 8 GiB of bytes, and 2^31 labels or entries") {
  ByteBuffer bytes;
  CHECK(bytes.raw()->grow(bytes.raw(), 8 * (std::int64_t{1} << 30) + 1) == SCULPT_E_MEMORY);
  CHECK(take_limit_reached());
  Answer answer;
  sculpt_label_buffer& labels = answer.raw()->labels;
  CHECK(sculpt_resize_labels(&labels, (std::int64_t{1} << 31) + 1) == SCULPT_E_MEMORY);
  CHECK(take_limit_reached());
  SparseAccumulator sum(10);
  CHECK(sum.raw()->grow(sum.raw(), (std::int64_t{1} << 31) + 1) == SCULPT_E_MEMORY);
  CHECK(take_limit_reached());
}

TEST_CASE("a sparse accumulator adds repeats in the order they came") {
  SparseAccumulator sum(100);
  SparseVector merged;
  for (double value : {0.1, 0.2, 0.3}) REQUIRE(sculpt_add(sum.raw(), 7, value) == SCULPT_OK);
  REQUIRE(sculpt_add(sum.raw(), 3, 1.0) == SCULPT_OK);
  REQUIRE(sculpt_add(sum.raw(), 5, 1.0) == SCULPT_OK);
  REQUIRE(sculpt_add(sum.raw(), 5, -1.0) == SCULPT_OK);
  sum.merge(merged);
  CHECK(merged.index == std::vector<std::int32_t>{3, 7});
  CHECK(merged.value == std::vector<double>{1.0, 0.1 + 0.2 + 0.3});
}

TEST_CASE("merging a full list keeps memory small and changes no bit") {
  std::mt19937_64 random(1);
  SparseAccumulator sum(50);
  Vector dense(50, 0.0);
  for (int k = 0; k < 200000; ++k) {
    const auto index = static_cast<std::int32_t>(random() % 50);
    const double value = std::sin(k);
    REQUIRE(sculpt_add(sum.raw(), index, value) == SCULPT_OK);
    dense[static_cast<std::size_t>(index)] += value;
  }
  CHECK(sum.raw()->capacity <= 8192);
  SparseVector merged;
  sum.merge(merged);
  REQUIRE(merged.index.size() == 50);
  for (std::size_t k = 0; k < 50; ++k) CHECK(merged.value[k] == dense[k]);
}

TEST_CASE("entries that are out of range or not finite are reported") {
  SparseAccumulator sum(5);
  const auto fault_of = [&](std::int32_t index, double value) {
    sum.clear();
    REQUIRE(sculpt_add(sum.raw(), index, value) == SCULPT_OK);
    return sum.fault();
  };
  CHECK(fault_of(4, 1).empty());
  CHECK(fault_of(5, 1) == "feature index 5 is outside [0, 5)");
  CHECK(fault_of(-1, 1) == "feature index -1 is outside [0, 5)");
  CHECK(fault_of(0, std::nan("")) == "feature 0 is NaN");
  CHECK(fault_of(0, INFINITY) == "feature 0 is infinite");
  sum.raw()->size = -1;
  CHECK_FALSE(sum.fault().empty());
}

TEST_CASE("the terms of a sum of features include those that cancel") {
  SparseAccumulator sum(4);
  for (const auto& [index, value] :
       {std::pair{2, 1e6}, std::pair{2, 3.0}, std::pair{2, -1e6}, std::pair{0, -0.5},
        std::pair{0, -0.25}, std::pair{3, 7.0}, std::pair{3, -7.0}}) {
    REQUIRE(sculpt_add(sum.raw(), index, value) == SCULPT_OK);
  }
  SparseVector psi;
  sum.merge(psi);
  const CancellingTerms cancelling = sum.cancelling(psi);
  CHECK(psi == SparseVector{{0, 2}, {-0.75, 3}});
  CHECK(cancelling.magnitude == SparseVector{{2, 3}, {2e6, 14}});
  CHECK(cancelling.count == 7);
  const Vector w{2, 5, -0.1, 10};
  const Terms terms = sum.terms(w);
  CHECK(terms.magnitude == doctest::Approx(1.5 + 200000.3 + 140));
  CHECK(terms.count == 7);
  CHECK(terms_of(psi, cancelling, w).magnitude == doctest::Approx(terms.magnitude));
  CHECK(terms_of(psi, cancelling, w).count == 7);
  sum.clear();
  CHECK(sum.terms(w).magnitude == 0);
  CHECK(sum.terms(w).count == 0);
}

TEST_CASE("merging a full list loses no terms") {
  std::mt19937_64 random(2);
  for (const bool both_signs : {true, false}) {
    SparseAccumulator sum(50);
    Vector w(50);
    for (double& weight : w) weight = std::sin(static_cast<double>(random() % 1000));
    double size = 0;
    constexpr int count = 30000;
    for (int k = 0; k < count; ++k) {
      const auto index = static_cast<std::int32_t>(random() % 50);
      const double value = both_signs ? std::sin(k) : 1 + std::sin(k);
      REQUIRE(sculpt_add(sum.raw(), index, value) == SCULPT_OK);
      size += std::abs(value * w[static_cast<std::size_t>(index)]);
    }
    REQUIRE(sum.raw()->size < count);
    CHECK(sum.terms(w).magnitude == doctest::Approx(size));
    CHECK(sum.terms(w).count == count);
    SparseVector psi;
    sum.merge(psi);
    const CancellingTerms cancelling = sum.cancelling(psi);
    CHECK(terms_of(psi, cancelling, w).magnitude == doctest::Approx(size));
    CHECK(cancelling.count == count);
    CHECK(cancelling.magnitude.index.empty() != both_signs);
  }
}
