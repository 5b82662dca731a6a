// The forms in which planes are stored: their size, exact values, saving and loading.

#include "qp/plane/plane_vector.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <random>
#include <vector>

#include "core/memory_state.hpp"
#include "core/refusal.hpp"
#include "linalg/products.hpp"
#include "qp/plane/plane_products.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

// 16 entries, the last one at `last`. They repeat `values`.
SparseVector sixteen_entries(std::int32_t last, std::vector<double> values) {
  SparseVector a;
  for (std::int32_t k = 0; k < 16; ++k) {
    a.index.push_back(k < 15 ? 3 * k : last);
    a.value.push_back(values[static_cast<std::size_t>(k) % values.size()]);
  }
  return a;
}

// The class difference of `input`: each entry, and its negative `shift` columns later.
SparseVector difference(const SparseVector& input, std::int32_t shift) {
  std::vector<Entry> entries;
  for (std::size_t k = 0; k < input.index.size(); ++k) {
    entries.push_back({input.index[k], input.value[k]});
    entries.push_back({input.index[k] + shift, -input.value[k]});
  }
  SparseVector a;
  merge_entries(entries, a);
  return a;
}

// Entries at 10, 10 + stride and so on, but one of eleven is missing. All values differ, so runs do
// not pay.
SparseVector strided_input(std::int32_t size, std::int32_t stride, double unit) {
  SparseVector input;
  for (std::int32_t k = 0; k < size; ++k) {
    if (k % 11 == 5) continue;
    input.index.push_back(10 + k * stride);
    input.value.push_back(unit * (k + 1));
  }
  return input;
}

// The same, but the indices have no common stride.
SparseVector scattered_input(std::int32_t last, double unit) {
  SparseVector input = strided_input(20, 40, unit);
  input.index[3] += 1;
  input.index.back() = last;
  return input;
}

}  // namespace

TEST_CASE("a plane takes 2 bytes an entry in runs, else 6 or 10, and 2 more for long indices") {
  const auto bytes = [](std::int32_t last, std::vector<double> values) {
    return PlaneVector(sixteen_entries(last, std::move(values))).bytes();
  };
  CHECK(bytes(65535, {-3}) == 16 * 2 + 12);
  CHECK(bytes(65536, {-3}) == 16 * 4 + 12);
  CHECK(bytes(100, {0.1, -0.1}) == 16 * 2 + 2 * 12);  // not floats, but in runs
  CHECK(bytes(100, {1, 2, 3}) == 16 * 6);             // too many values for runs
  CHECK(bytes(65536, {1, 2, 3}) == 16 * 8);
  CHECK(bytes(100, {1, 2, 0.1}) == 16 * 10);
  CHECK(bytes(65536, {1, 2, 0.1}) == 16 * 12);
  CHECK(bytes(100, {1, 2, 16777217}) == 16 * 10);
  CHECK(bytes(100, {1, 2, 1e300}) == 16 * 10);
  CHECK(bytes(100, {1, 2, -1e-300}) == 16 * 10);
  CHECK(bytes(100, {1, 2, 2.0 * FLT_MAX}) == 16 * 10);
  CHECK(bytes(100, {1, 2, std::ldexp(1.0, -149)}) == 16 * 6);
  CHECK(PlaneVector(SparseVector{}).bytes() == 0);
  CHECK(PlaneVector().bytes() == 0);
  CHECK(PlaneVector(Vector(5, 0.0)).bytes() == 40);
}

TEST_CASE("a class difference takes the bytes of its input vector, and few indices") {
  const auto bytes = [](const SparseVector& input, std::int32_t shift) {
    return PlaneVector(difference(input, shift)).bytes();
  };
  constexpr std::size_t stride = 4;
  CHECK(bytes(strided_input(20, 1, 0.1), 300) == 20 * 8 + stride);
  CHECK(bytes(strided_input(20, 1, 1), 70000) == 20 * 4 + stride);
  CHECK(bytes(strided_input(20, 26, 0.1), 3) == 20 * 8 + stride);
  CHECK(bytes(scattered_input(900, 0.1), 3) == 18 * (8 + 2));
  CHECK(bytes(scattered_input(900, 1), 9000) == 18 * (4 + 2));
  CHECK(bytes(scattered_input(10 + 65535, 0.1), 3) == 18 * (8 + 2));
  CHECK(bytes(scattered_input(10 + 65536, 0.1), 3) == 18 * (8 + 4));
  SparseVector other = difference(strided_input(20, 26, 0.1), 3);
  other.value[7] *= 1.5;
  CHECK(PlaneVector(other).bytes() == 36 * 10);
  SparseVector nearer = difference(strided_input(20, 26, 0.1), 3);
  --nearer.index[7];
  CHECK(PlaneVector(nearer).bytes() == 36 * 10);
}

TEST_CASE("a class difference has the values of the sparse vector that it was made of") {
  std::mt19937_64 random(2);
  std::normal_distribution<double> normal;
  constexpr std::size_t dimension = 140100;
  Vector x(dimension);
  for (double& value : x) value = normal(random);
  const auto check = [&](const SparseVector& input, std::int32_t shift) {
    const SparseVector a = difference(input, shift);
    const PlaneVector plane(a);
    CHECK(plane.bytes() <= 7 * a.index.size());
    CHECK(plane.entry_count() >= a.index.size());
    CHECK(plane.dot(x) == doctest::Approx(dot(a, x)).epsilon(1e-12));
    Vector sum = x;
    Vector expected = x;
    plane.add_to(0.3, sum);
    axpy(0.3, a, expected);
    CHECK(sum == expected);
    Vector scattered(dimension, 0.0);
    plane.scatter(scattered);
    CHECK(plane.dot(scattered) == doctest::Approx(squared_norm(a)).epsilon(1e-12));
    plane.unscatter(scattered);
    CHECK(scattered == Vector(dimension, 0.0));
  };
  for (const double unit : {1.0, 0.1}) {
    check(strided_input(40, 1, unit), 50);
    check(strided_input(40, 1, unit), 70000);
    check(strided_input(40, 26, unit), 5);
    check(strided_input(1, 1, unit), 1);
    check(scattered_input(900, unit), 2);
    check(scattered_input(900, unit), 70000);
    check(scattered_input(70000, unit), 70001);
  }
}

TEST_CASE("a plane is stored in runs if it has at most 1000 values, each 8 times on average") {
  std::mt19937_64 random(1);
  for (const int values : {1, 15, 16, 17, 18, 40, 999, 1000, 1001}) {
    CAPTURE(values);
    for (const std::int32_t entries : {8 * values, 8 * values - 1}) {
      SparseVector a;
      for (std::int32_t k = 0; k < entries; ++k) {
        a.index.push_back(k);
        // Each value once, then random ones. Multiples of 0.1 are not exact as floats.
        const auto number = k < values
                                ? (k * 7919) % values
                                : static_cast<int>(random() % static_cast<std::uint64_t>(values));
        a.value.push_back(0.1 * (number + 1));
      }
      const PlaneVector plane(a);
      const auto size = static_cast<std::size_t>(entries);
      const bool in_runs = entries == 8 * values && values <= 1000;
      CHECK(plane.bytes() ==
            (in_runs ? 2 * size + 12 * static_cast<std::size_t>(values) : 10 * size));
      Vector scattered(size, 0.0);
      plane.scatter(scattered);
      CHECK(std::equal(scattered.begin(), scattered.end(), a.value.begin(), a.value.end()));
    }
  }
}

TEST_CASE("every form of a plane has the values of the sparse vector that it was made of") {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  constexpr std::size_t dimension = 70000;
  Vector x(dimension);
  for (double& value : x) value = normal(random);
  const double root = std::sqrt(5.0);
  for (const double unit : {0.0, 1.0, 300.0, root}) {
    for (const std::size_t last : {std::size_t{1000}, dimension}) {
      SparseVector a;
      for (std::size_t k = 0; k < last; k += 1 + random() % 50) {
        a.index.push_back(static_cast<std::int32_t>(k));
        a.value.push_back(unit > 0 ? unit * (static_cast<double>(random() % 4) - 1.5)
                                   : normal(random));
      }
      const PlaneVector plane(a);
      CHECK((plane.bytes() < 5 * a.index.size()) == (unit > 0));  // in runs
      CHECK(plane.entry_count() == a.index.size());
      CHECK(plane.dot(x) == doctest::Approx(dot(a, x)).epsilon(1e-12));
      if (unit == 0) CHECK(plane.dot(x) == dot(a, x));
      Vector sum = x;
      Vector expected = x;
      plane.add_to(0.3, sum);
      axpy(0.3, a, expected);
      CHECK(sum == expected);
      Vector scattered(dimension, 0.0);
      plane.scatter(scattered);
      CHECK(dot(a, scattered) == squared_norm(a));
      plane.unscatter(scattered);
      CHECK(scattered == Vector(dimension, 0.0));
    }
  }
}

TEST_CASE("a saved plane is loaded in the same form") {
  const double root = std::sqrt(3.0);
  const PlaneVector planes[] = {PlaneVector(sixteen_entries(50, {1, -3})),
                                PlaneVector(sixteen_entries(70000, {root, -3 * root})),
                                PlaneVector(SparseVector{{0, 70000}, {1.5, -3}}),
                                PlaneVector(SparseVector{{3, 9}, {1.5, 0.25}}),
                                PlaneVector(SparseVector{{3, 9}, {0.1, 0.3}}),
                                PlaneVector(difference(strided_input(20, 26, 0.1), 3)),
                                PlaneVector(difference(strided_input(20, 26, 1), 3)),
                                PlaneVector(difference(scattered_input(900, 0.1), 5000)),
                                PlaneVector(difference(scattered_input(900, 1), 69000)),
                                PlaneVector(SparseVector{}),
                                PlaneVector(Vector(70001, 0.1))};
  const Vector x(70001, 0.7);
  for (const PlaneVector& plane : planes) {
    MemoryReader in(saved(plane));
    const PlaneVector loaded = PlaneVector::load(in, 70001);
    CHECK(in.bytes_left() == 0);
    CHECK(loaded.bytes() == plane.bytes());
    CHECK(loaded.dot(x) == plane.dot(x));
    CHECK(saved(loaded) == saved(plane));
  }
}

TEST_CASE("a saved plane is refused if it is damaged or has too large indices") {
  const auto refused = [](const std::string& state, std::size_t dimension) {
    MemoryReader in(state);
    return refusal_of([&] { PlaneVector::load(in, dimension); });
  };
  // The form, the form of the indices, the counts of entries and runs; then values and indices.
  constexpr std::size_t entries_at = 2, runs_at = 6, head = 8;
  const std::string good = saved(PlaneVector(SparseVector{{3, 9}, {0.1, 0.3}}));
  CHECK(refused(good, 10).exit == Exit::reached);
  CHECK(refused(good, 9).says("beyond the weights"));
  const auto changed = [](std::string state, std::size_t at, int byte) {
    state[at] = static_cast<char>(byte);
    return state;
  };
  CHECK(refused(changed(good, 0, 9), 10).says("form"));
  CHECK(refused(changed(good, 1, 2), 10).says("form"));  // a stride without a class difference
  CHECK(refused(changed(good, 1, 3), 10).says("form"));
  CHECK(refused(changed(good, entries_at + 3, 127), 10).says("more entries than weights"));
  CHECK(refused(changed(good, entries_at, 9), 10).says("longer than the rest of the state"));
  CHECK(refused(changed(good, runs_at, 1), 10).says("more runs than entries"));
  constexpr std::size_t first_index = head + 16;
  CHECK(refused(changed(good, first_index, 9), 10).says("do not increase"));  // 9, 9
  CHECK(refused(changed(good, first_index + 3, 0x80), 10).says("beyond the weights"));
  CHECK(refused(changed(changed(good, head + 7, 127), head + 6, 0xf0), 10).says("not finite"));

  const std::string runs = saved(PlaneVector(sixteen_entries(50, {1, -3})));
  CHECK(refused(runs, 51).exit == Exit::reached);
  CHECK(refused(runs, 50).says("beyond the weights"));
  constexpr std::size_t ends = head + 16;
  CHECK(refused(changed(runs, ends, 17), 51).says("runs that are not in order"));
  CHECK(refused(changed(runs, ends + 4, 15), 51).says("another number of entries"));
  CHECK(refused(changed(runs, ends + 8, 7), 51).says("do not increase"));  // 7, 6

  const std::string strided = saved(PlaneVector(difference(strided_input(4, 26, 0.1), 3)));
  CHECK(refused(strided, 92).exit == Exit::reached);  // 10, 36, 62, 88, and each plus 3
  CHECK(refused(strided, 91).says("beyond the weights"));
  // The offsets of the input and of its negative, the values, the stride.
  constexpr std::size_t plus = head, minus = head + 4, stride = head + 8 + 4 * 8;
  CHECK(refused(changed(strided, minus, 10), 92).says("negative or equal"));  // 10, 13
  CHECK(refused(changed(strided, plus + 3, 0xff), 92).says("negative or equal"));
  CHECK(refused(changed(strided, plus, 14), 92).says("beyond the weights"));
  CHECK(refused(changed(strided, minus, 14), 92).says("beyond the weights"));
  CHECK(refused(changed(strided, stride, 0), 92).says("do not increase"));
  CHECK(refused(changed(strided, stride, 27), 92).says("beyond the weights"));
  CHECK(refused(changed(strided, stride + 3, 0xff), 92).says("beyond the weights"));
  CHECK(refused(changed(strided, entries_at, 7), 92).says("odd number of entries"));
  const std::string scattered = saved(PlaneVector(difference(scattered_input(900, 0.1), 3)));
  CHECK(refused(scattered, 904).exit == Exit::reached);
  CHECK(refused(changed(scattered, head + 8 + 18 * 8, 1), 904).says("do not increase"));
}

TEST_CASE("planes of one example share an input vector, and products with shared inputs agree") {
  constexpr std::int32_t classes = 7;
  constexpr std::int32_t size = 900;
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  Vector x(static_cast<std::size_t>(classes * size));
  for (double& value : x) value = normal(random);
  const SparseVector inputs[] = {strided_input(20, 26, 0.1), strided_input(20, 26, -0.1),
                                 scattered_input(890, 0.3), strided_input(20, 26, 1)};
  for (const bool side_by_side : {false, true}) {
    std::vector<PlaneVector> planes;
    for (const SparseVector& input : inputs) {
      const std::size_t first = planes.size();
      constexpr std::int32_t truth = 3;
      for (std::int32_t other = 0; other < classes; ++other) {
        if (other == truth) continue;
        SparseVector a;
        std::vector<Entry> entries;
        for (std::size_t k = 0; k < input.index.size(); ++k) {
          const std::int32_t j = input.index[k];
          const auto column = [&](std::int32_t label) {
            return side_by_side ? j * classes + label : label * size + j;
          };
          entries.push_back({column(truth), input.value[k]});
          entries.push_back({column(other), -input.value[k]});
        }
        merge_entries(entries, a);
        planes.emplace_back(a);
        REQUIRE(planes.back().is_class_difference());
        planes.back().share_input(planes[first]);
        CHECK(planes.back().shares_input(planes[first]));
        if (first > 0) {
          planes.back().share_input(planes[first - 1]);
          CHECK_FALSE(planes.back().shares_input(planes[first - 1]));
        }
      }
      planes.emplace_back(sixteen_entries(50, {1, -3}));  // not a class difference
    }
    std::shuffle(planes.begin(), planes.begin() + 6, random);
    PlaneProducts product(x);
    for (const PlaneVector& plane : planes) CHECK(product(plane) == plane.dot(x));
    Vector sum(x.size(), 0.0);
    Vector expected(x.size(), 0.0);
    PlaneSums sums(sum);
    for (const PlaneVector& plane : planes) {
      const double scale = normal(random);
      sums.add(scale, plane);
      plane.add_to(scale, expected);
    }
    sums.finish();
    for (std::size_t j = 0; j < sum.size(); ++j) {
      CHECK(sum[j] == doctest::Approx(expected[j]).epsilon(1e-12));
    }
  }
}
