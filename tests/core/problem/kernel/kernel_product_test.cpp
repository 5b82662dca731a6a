// Products of planes over atoms and blocks, compared with plain sums; and the layout of weights.

#include "problem/kernel/kernel_product.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "base/file/memory_state_reader.hpp"
#include "base/random.hpp"
#include "core/problem/kernel/point_kernel.hpp"
#include "problem/kernel/joint_product.hpp"
#include "problem/kernel/kernel_layout.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

// 300 training atoms from atom 4 on, in 3 blocks; 2 weights before and 3 behind those of atoms.
constexpr KernelLayout layout{310, {4, 304}, 2, 3, 935};

// Examples of three atoms each.
std::vector<Range> atoms_of_examples() {
  std::vector<Range> ranges;
  for (std::int64_t t = 0; t < layout.training_count(); t += 3) ranges.push_back({t, t + 3});
  return ranges;
}

// M v by its definition. `value(a, b)` is that of two atoms of the dataset.
template <class Value>
Vector product_of(const Vector& v, const Value& value) {
  Vector w = v;  // the linear part
  const std::int64_t count = layout.training_count();
  for (std::int64_t b = 0; b < layout.blocks; ++b) {
    for (std::int64_t t = 0; t < count; ++t) {
      double sum = 0;
      for (std::int64_t s = 0; s < count; ++s) {
        sum += value(layout.training.begin + s, layout.training.begin + t) *
               v[static_cast<std::size_t>(b * count + s)];
      }
      w[static_cast<std::size_t>(b * count + t)] = sum;
    }
  }
  return w;
}

Vector random_vector(Random& random, std::uint64_t zeros_of_ten) {
  Vector v(static_cast<std::size_t>(layout.dimension()), 0.0);
  for (double& value : v) {
    if (random.below(10) >= zeros_of_ten) value = random.normal();
  }
  return v;
}

SparseVector sparse(const Vector& v) {
  SparseVector entries;
  for (std::size_t j = 0; j < v.size(); ++j) {
    if (v[j] == 0) continue;
    entries.index.push_back(static_cast<std::int32_t>(j));
    entries.value.push_back(v[j]);
  }
  return entries;
}

void check_equal(const Vector& found, const Vector& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t j = 0; j < found.size(); ++j) {
    CAPTURE(j);
    CHECK(std::abs(found[j] - expected[j]) <= 1e-12);
  }
}

struct Product {
  explicit Product(int threads, std::int64_t max_bytes = 1 << 20)
      : workers(threads), product(kernel, workers, layout, atoms_of_examples(), max_bytes) {}
  PointKernel kernel;
  Workers workers;
  KernelProduct product;
};

}  // namespace

TEST_CASE("add_product adds M v for few and many entries, with any memory and threads") {
  Random random(3, "product");
  const Vector few = random_vector(random, 9);
  const Vector many = random_vector(random, 2);
  Vector sum = few;
  for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += many[j];
  Vector alone;
  for (const int threads : {1, 3}) {
    for (const std::int64_t max_bytes : {0, 1 << 20}) {
      Product one(threads, max_bytes);
      Vector w(few.size(), 0.0);
      one.product.add_product(sparse(few), InnerProduct::Columns::all, w);
      check_equal(w, product_of(few, rounded_value_of));
      one.product.add_product(sparse(many), InnerProduct::Columns::all, w);
      check_equal(w, product_of(sum, rounded_value_of));
      if (alone.empty()) alone = w;
      CHECK(w == alone);
    }
  }
}

TEST_CASE("columns in use and the others are all columns, also after they are saved and loaded") {
  Random random(9, "columns");
  // A few columns of blocks 0 and 1, and most of block 2.
  Vector used(static_cast<std::size_t>(layout.dimension()), 0.0);
  const auto count = static_cast<std::size_t>(layout.training_count());
  for (const std::size_t j : {3UL, 20UL, 21UL, count + 7, count + 299}) used[j] = 1;
  for (std::size_t t = 0; t < count; t += 2) used[2 * count + t] = 1;
  Vector change = random_vector(random, 5);
  for (std::size_t j = 0; j < used.size(); ++j) change[j] *= used[j];
  change.back() = 0.5;
  const Vector expected = product_of(change, rounded_value_of);
  for (const std::int64_t max_bytes : {0, 1 << 20}) {
    Product one(1, max_bytes);
    one.product.use_columns_of(PlaneVector(sparse(used)));
    StateBuffer saved;
    one.product.save_columns(saved);
    Product loaded(3, max_bytes);
    const std::string bytes(saved.bytes());
    MemoryStateReader reader(bytes, "");
    loaded.product.load_columns(reader);
    Vector alone;
    for (Product* const other : {&one, &loaded}) {
      Vector w(change.size(), 0.0);
      other->product.add_product(sparse(change), InnerProduct::Columns::in_use, w);
      for (std::size_t j = 0; j < w.size(); ++j) {
        CAPTURE(j);
        // All atoms use block 2, because many do.
        const bool is_in_use = used[j] != 0 || j >= 2 * count;
        CHECK(std::abs(w[j] - (is_in_use ? expected[j] : 0)) <= 1e-12);
      }
      other->product.add_product(sparse(change), InnerProduct::Columns::others, w);
      check_equal(w, expected);
      if (alone.empty()) alone = w;
      CHECK(w == alone);
    }
  }
}

TEST_CASE("a chunk follows the changes of its own examples and of the chunk before it") {
  Random random(11, "chunk");
  Product one(2);
  const auto count = static_cast<std::size_t>(layout.training_count());
  const auto linear = static_cast<std::size_t>(layout.linear_from());
  const std::vector<std::int64_t> before{3, 60, 41};
  const std::vector<std::int64_t> examples{40, 2, 77};
  // The columns in use of some examples. All atoms use block 2.
  const auto columns_of = [&](const std::vector<std::int64_t>& chosen) {
    Vector used(static_cast<std::size_t>(layout.dimension()), 0.0);
    for (const std::int64_t example : chosen) {
      const Range atoms = atoms_of_examples()[static_cast<std::size_t>(example)];
      for (std::int64_t t = atoms.begin; t < atoms.end; ++t) {
        const auto atom = static_cast<std::size_t>(t);
        used[atom] = used[atom % 2 * count + atom] = used[2 * count + atom] = 1;
      }
    }
    return used;
  };
  // A random change there, and of the linear part.
  const auto change_of = [&](const std::vector<std::int64_t>& chosen) {
    const Vector used = columns_of(chosen);
    Vector change = random_vector(random, 3);
    for (std::size_t j = 0; j < linear; ++j) change[j] *= used[j];
    return change;
  };
  Vector all(static_cast<std::size_t>(layout.dimension()), 0.0);
  for (std::size_t t = 0; t < count; ++t) all[2 * count + t] = 1;
  for (const Vector& used : {columns_of(before), columns_of(examples), all}) {
    one.product.use_columns_of(PlaneVector(sparse(used)));
  }
  const std::unique_ptr<ChunkProduct> previous = one.product.make_chunk();
  const std::unique_ptr<ChunkProduct> chunk = one.product.make_chunk();
  REQUIRE(previous->start(before, nullptr) == before.size());
  REQUIRE(chunk->start(examples, previous.get()) == examples.size());
  for (std::int64_t task = 0; task < chunk->copy_task_count(); ++task) chunk->copy(task);

  const Vector w = random_vector(random, 0);
  Vector local;
  chunk->copy_w(w, local);
  std::fill(local.begin(), local.begin() + static_cast<std::ptrdiff_t>(linear), 0.0);
  const Vector change_before = change_of(before);
  chunk->follow(sparse(change_before), local);
  Vector total = change_before;
  for (std::size_t k = 0; k < examples.size(); ++k) {
    // Half of the change by each of two equal planes. A third does not move.
    const Vector change = change_of({examples[k]});
    const std::vector<PlaneVector> planes(3, PlaneVector(sparse(change)));
    chunk->move(k, planes, std::vector<double>{0.5, 0, 0.5}, local);
    for (std::size_t j = 0; j < total.size(); ++j) total[j] += change[j];
  }
  for (std::size_t k = 0; k < examples.size(); ++k) chunk->show(k, local);
  const Vector product = product_of(total, rounded_value_of);
  const Vector used = columns_of(examples);
  for (std::size_t j = 0; j < w.size(); ++j) {
    CAPTURE(j);
    const bool is_in_chunk = used[j] != 0 || j >= linear;
    CHECK(std::abs(local[j] - (is_in_chunk ? w[j] + product[j] : 0)) <= 1e-12);
  }
}

TEST_CASE("a chunk takes as many examples as fit") {
  Product one(1);
  std::vector<std::int64_t> examples(100);
  std::iota(examples.begin(), examples.end(), 0);
  CHECK(one.product.make_chunk()->start(examples, nullptr) == 85);  // of 3 atoms each, of 256
  const KernelLayout large{400, {0, 400}, 0, 1, 400};
  PointKernel kernel;
  Workers workers(1);
  KernelProduct product(kernel, workers, large, {{0, 300}, {300, 400}}, 1 << 20);
  const std::unique_ptr<ChunkProduct> chunk = product.make_chunk();
  CHECK(chunk->start(std::vector<std::int64_t>{0, 1}, nullptr) == 0);
  CHECK(chunk->start(std::vector<std::int64_t>{1, 0}, nullptr) == 1);
}

TEST_CASE("tasks beside a product run once, and the product is the same") {
  Random random(12, "beside");
  for (const bool is_empty : {true, false}) {
    CAPTURE(is_empty);
    Vector change(static_cast<std::size_t>(layout.dimension()), 0.0);
    if (!is_empty) change = random_vector(random, 5);
    Vector alone;
    for (const int threads : {1, 2}) {
      Product one(threads);
      one.product.use_columns_of(PlaneVector(sparse(change)));
      Vector w(change.size(), 0.0);
      one.product.add_product(sparse(change), InnerProduct::Columns::in_use, w);
      Vector beside(change.size(), 0.0);
      std::vector<int> calls(3, 0);
      one.product.add_product_beside(
          sparse(change), beside,
          {3, [&](std::int64_t task) { ++calls[static_cast<std::size_t>(task)]; }});
      CHECK(calls == std::vector<int>(3, 1));
      CHECK(beside == w);
      if (alone.empty()) alone = w;
      CHECK(w == alone);
    }
  }
}

TEST_CASE("multiply_exactly uses the values of the kernel without rounding them to floats") {
  Random random(4, "product");
  const Vector v = random_vector(random, 5);
  const Vector expected = product_of(v, value_of);
  Vector alone;
  for (const int threads : {1, 4}) {
    Product one(threads);
    Vector w(v.size(), 7.0);  // is overwritten
    one.product.multiply_exactly(v, w);
    check_equal(w, expected);
    if (alone.empty()) alone = w;
    CHECK(w == alone);
  }
}

TEST_CASE("scatter writes M a at the atoms of the example, and unscatter sets them to 0") {
  Product one(1);
  const std::int64_t count = layout.training_count();
  const std::int64_t example = 5;  // atoms 15, 16, 17
  Vector v(static_cast<std::size_t>(layout.dimension()), 0.0);
  v[15] = 2;
  v[static_cast<std::size_t>(count) + 17] = -3;
  v[static_cast<std::size_t>(2 * count) + 16] = 1;
  v[static_cast<std::size_t>(layout.linear_from()) + 4] = 0.5;
  const PlaneVector a(sparse(v));
  Vector scattered(v.size(), 0.0);
  one.product.scatter(example, a, scattered);
  const Vector product = product_of(v, rounded_value_of);
  for (std::int64_t b = 0; b < layout.blocks; ++b) {
    for (std::int64_t t = 0; t < count; ++t) {
      const auto j = static_cast<std::size_t>(b * count + t);
      const double expected = t >= 15 && t < 18 ? product[j] : 0;
      CHECK(std::abs(scattered[j] - expected) <= 1e-12);
    }
  }
  CHECK(scattered[static_cast<std::size_t>(layout.linear_from()) + 4] == 0.5);
  one.product.unscatter(example, a, scattered);
  CHECK(scattered == Vector(v.size(), 0.0));
}

TEST_CASE("each weight of a training atom or the linear part has one index in the solvers") {
  CHECK(layout.training_count() == 300);
  CHECK(layout.linear_count() == 5);
  CHECK(layout.dimension() == 905);
  std::vector<int> used(static_cast<std::size_t>(layout.dimension()), 0);
  for (std::int64_t atom = layout.training.begin; atom < layout.training.end; ++atom) {
    for (std::int64_t b = 0; b < layout.blocks; ++b) {
      const std::int64_t index = layout.solver_index(layout.first + atom * layout.blocks + b);
      CHECK(index == b * 300 + atom - layout.training.begin);
      ++used[static_cast<std::size_t>(index)];
    }
  }
  for (std::int64_t l = 0; l < layout.linear_count(); ++l) {
    const std::int64_t weight = layout.problem_index_of_linear(l);
    CHECK((weight < 2 || weight >= 932));
    CHECK(layout.solver_index(weight) == layout.linear_from() + l);
    ++used[static_cast<std::size_t>(layout.linear_from() + l)];
  }
  CHECK(used == std::vector<int>(used.size(), 1));
}

TEST_CASE("the product of a joint plane does not depend on the order of its entries") {
  Product found(2);
  Random random(3, "joint plane");
  Vector v(static_cast<std::size_t>(layout.dimension()), 0.0);
  // Few distinct values: such planes are stored by value, so the linear part is not last.
  for (double& value : v) value = static_cast<double>(random.below(3)) / 8;
  const PlaneVector plane(sparse(v));
  std::vector<std::int32_t> columns;
  append_columns(plane, columns);
  REQUIRE_FALSE(std::is_sorted(columns.begin(), columns.end()));
  const JointProduct joint(found.product, false);
  Vector w(v.size(), 0.0);
  joint.scatter(0, plane, w);
  Vector expected(v.size(), 0.0);
  found.product.multiply_exactly(v, expected);
  for (std::size_t j = 0; j < w.size(); ++j) {
    CAPTURE(j);
    CHECK(w[j] == doctest::Approx(expected[j]).epsilon(1e-5));
  }
}
