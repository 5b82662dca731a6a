// The kernel of a problem: scores of atoms, models, and their support atoms, compared with plain
// sums over a made-up kernel. The components are classes of the SDK.

#include "problem/kernel/problem_kernel.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <sculpt/cpp/site_store.hpp>
#include <sculpt/sculpt.hpp>

#include "base/random.hpp"
#include "core/problem/kernel/point_kernel.hpp"
#include "core/refusal.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

// Examples of 1 to 9 rows: a line has the number of its rows.
class CountedRows {
 public:
  static constexpr sculpt::About about{"org.test.counted_rows", "1.0.0", "empty rows"};
  void load(std::string_view split, const sculpt::Source& source) {
    store_.begin_split(split);
    sculpt::LineReader reader(source);
    while (reader.next()) {
      for (int row = 0; row < reader.line()[0] - '0'; ++row) store_.end_site();
      const std::int32_t label = 0;
      store_.end_example({&label, 1});
    }
  }
  std::int64_t count() const { return store_.count(); }
  sculpt::Range split(std::string_view name) const { return store_.split(name); }
  sculpt::Labels truth(std::int64_t example) const { return store_.truth(example); }
  std::int64_t feature_count() const { return 1; }
  std::int32_t state_count() const { return 1; }
  std::int64_t variable_count() const { return 1; }
  sculpt_sites sites(std::int64_t example) const { return store_.sites(example); }

 private:
  sculpt::SiteStore store_;
};

constexpr std::int64_t first_block_weight = 2;
constexpr std::int64_t block_count = 3;
constexpr std::int64_t linear = 5;  // two weights before those of atoms

// Features with blocks; nobody asks for their psi.
struct Blocks {
  static constexpr sculpt::About about{"org.test.blocks", "1.0.0", "three blocks"};
  std::int64_t dimension() const { return 0; }
  void features(std::int64_t, sculpt::Labels, sculpt::Sum&) const {}
  sculpt::RowBlocks row_blocks() const { return {first_block_weight, block_count}; }
};
struct NoBlocks {
  static constexpr sculpt::About about{"org.test.no_blocks", "1.0.0", "no blocks"};
  std::int64_t dimension() const { return 0; }
  void features(std::int64_t, sculpt::Labels, sculpt::Sum&) const {}
};

// Keeps atoms by their numbers, as bytes.
class NumberedKernel : public PointKernel {
 public:
  void keep(const KeptAtoms& kept) {
    for (std::int64_t k = 0; k < kept.count(); ++k) {
      std::int64_t& number = kept_.emplace_back();
      std::memcpy(&number, kept.bytes.data() + kept.from[static_cast<std::size_t>(k)],
                  sizeof number);
    }
  }
  void kept_rows(int, std::span<const std::int64_t> atoms, sculpt::core::Range kept,
                 std::span<double> out) override {
    std::size_t k = 0;
    for (const std::int64_t atom : atoms) {
      for (std::int64_t j = kept.begin; j < kept.end; ++j) {
        out[k++] = value_of(atom, kept_[static_cast<std::size_t>(j)]);
      }
    }
  }
  void store(std::span<const std::int64_t> atoms, std::vector<KeptAtoms>& out) override {
    KeptAtoms& kept = out.emplace_back();
    for (const std::int64_t atom : atoms) {
      kept.bytes.append(reinterpret_cast<const char*>(&atom), sizeof atom);
      kept.from.push_back(std::ssize(kept.bytes));
    }
  }

 private:
  std::vector<std::int64_t> kept_;
};

// Test data of 3 atoms before training data of 12 atoms, in examples of 2, 1, 4 and 5.
struct Parts {
  Parts()
      : workers(2),
        services(Callbacks(), workers),
        data_component(sculpt::Dataset<CountedRows>::component, {}, services),
        features_component(sculpt::Features<Blocks>::component, {}, services),
        dataset(data_component, 2),
        features(features_component, 2) {
    dataset.load({"test", "test", "1\n2\n"});
    dataset.load({"train", "train", "2\n1\n4\n5\n"});
    for (Component* component : {&data_component, &features_component}) {
      sculpt_bindings bindings = {};
      bindings.struct_size = sizeof bindings;
      if (component != &data_component) bindings.dataset = data_component.ref();
      component->bind(bindings);
      component->seal();
    }
    atoms.emplace(dataset);
  }
  ProblemKernel kernel(const KeptAtoms* kept = nullptr) {
    auto numbered = std::make_unique<NumberedKernel>();
    if (kept != nullptr) numbered->keep(*kept);
    return ProblemKernel(std::move(numbered), *atoms, features,
                         block_count * atoms->atom_count() + linear,
                         ExampleList(dataset.split("train")), workers);
  }

  Workers workers;
  Services services;
  Component data_component;
  Component features_component;
  Dataset dataset;
  Features features;
  std::optional<AtomDataset> atoms;
};

constexpr std::int64_t training_begin = 3;
constexpr std::int64_t training_count = 12;

// Coefficients of training atoms, some of them 0 in all blocks, and of the linear part.
Vector random_coefficients() {
  Random random(3, "problem kernel");
  Vector v(static_cast<std::size_t>(block_count * training_count + linear));
  for (double& value : v) value = random.normal();
  for (const std::int64_t unused : {0, 5, 11}) {
    for (std::int64_t b = 0; b < block_count; ++b) {
      v[static_cast<std::size_t>(b * training_count + unused)] = 0;
    }
  }
  return v;
}

double coefficient(const Vector& v, std::int64_t t, std::int64_t b) {
  return v[static_cast<std::size_t>(b * training_count + t)];
}

// The score of an atom of the dataset in block b, by its definition.
double score_of(const Vector& v, std::int64_t atom, std::int64_t b) {
  double sum = 0;
  for (std::int64_t t = 0; t < training_count; ++t) {
    sum += coefficient(v, t, b) * value_of(atom, training_begin + t);
  }
  return sum;
}

void check_scores(const Vector& weights, const Vector& v) {
  REQUIRE(weights.size() == 3 * 15 + 5);
  for (std::int64_t atom = 0; atom < 15; ++atom) {
    for (std::int64_t b = 0; b < block_count; ++b) {
      CHECK(weights[static_cast<std::size_t>(first_block_weight + atom * block_count + b)] ==
            doctest::Approx(score_of(v, atom, b)).epsilon(1e-12));
    }
  }
  // The linear part: two weights before those of atoms, three behind them.
  for (std::size_t l = 0; l < 5; ++l) {
    CHECK(weights[l < 2 ? l : l + 45] ==
          v[static_cast<std::size_t>(block_count * training_count) + l]);
  }
}

}  // namespace

TEST_CASE("the weights of a problem with a kernel are the scores of all its atoms") {
  Parts parts;
  ProblemKernel kernel = parts.kernel();
  const Vector v = random_coefficients();
  const Vector weights = kernel.weights_of(v);
  check_scores(weights, v);

  // The solvers see the training atoms alone, block by block.
  const Vector of_solver = kernel.solver_weights(weights);
  REQUIRE(of_solver.size() == v.size());
  double squared_norm = 0;
  for (std::int64_t b = 0; b < block_count; ++b) {
    for (std::int64_t t = 0; t < training_count; ++t) {
      CHECK(coefficient(of_solver, t, b) ==
            doctest::Approx(score_of(v, training_begin + t, b)).epsilon(1e-12));
      squared_norm += coefficient(v, t, b) * score_of(v, training_begin + t, b);
    }
  }
  for (std::size_t l = v.size() - 5; l < v.size(); ++l) {
    CHECK(of_solver[l] == v[l]);
    squared_norm += v[l] * v[l];
  }
  CHECK(kernel.squared_norm(v, weights) == doctest::Approx(squared_norm).epsilon(1e-12));
}

TEST_CASE("training examples have ranges of atoms, counted from the first training atom") {
  Parts parts;
  const ProblemKernel kernel = parts.kernel();
  const std::vector<std::pair<std::int64_t, std::int64_t>> expected{
      {0, 2}, {2, 3}, {3, 7}, {7, 12}};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto range = kernel.atoms_of_training(static_cast<std::int64_t>(i));
    CHECK(range.begin == expected[i].first);
    CHECK(range.end == expected[i].second);
  }
  CHECK(kernel.layout().training.begin == training_begin);
  CHECK(kernel.layout().linear_count() == linear);
}

TEST_CASE("a model keeps the support atoms alone, and gives the same scores and coefficients") {
  Parts parts;
  const Vector v = random_coefficients();
  const ProblemKernel::Stored stored = parts.kernel().stored(v);
  const StoredAtoms atoms = load_atoms(stored.atoms);
  // Atoms 0, 5 and 11 have no coefficients. The others belong to these examples of the dataset.
  CHECK(atoms.examples == std::vector<std::int64_t>{2, 3, 4, 4, 4, 5, 5, 5, 5});
  REQUIRE(atoms.entries.size() == 1);
  CHECK(atoms.entries[0].count() == 9);
  CHECK(stored.weights.size() == 9 * 3 + 5);

  ProblemKernel predicting = parts.kernel(&atoms.entries[0]);
  check_scores(predicting.weights_of_model(stored.weights, 9), v);
  CHECK(parts.kernel().coefficients_of_model(stored.weights, stored.atoms) == v);
}

TEST_CASE("models with other weights or damaged support atoms are refused") {
  Parts parts;
  const ProblemKernel::Stored stored = parts.kernel().stored(random_coefficients());
  const Refusal other_count =
      refusal_of([&] { parts.kernel().weights_of_model(stored.weights, 8); });
  CHECK(other_count.exit == Exit::data);
  CHECK(
      other_count.says("the model has 32 weights, but its 8 support atoms and its features need"));
  for (std::size_t size = 0; size < stored.atoms.size(); size += 7) {
    const Refusal cut = refusal_of([&] { load_atoms(stored.atoms.substr(0, size)); });
    CHECK(cut.exit == Exit::data);
  }
  CHECK(refusal_of([&] { load_atoms(stored.atoms + "x"); }).says("support atoms"));

  std::string other = stored.atoms;
  other[other.size() - 8] = 77;  // the number of the last atom
  const Refusal unknown =
      refusal_of([&] { parts.kernel().coefficients_of_model(stored.weights, other); });
  CHECK(unknown.exit == Exit::data);
  CHECK(unknown.says("support atom 8 of the model is no row of the training data"));
}

TEST_CASE("features without row blocks, or with blocks beyond their weights, are refused") {
  Parts parts;
  const auto with = [&](const Features& features, std::int64_t dimension) {
    return refusal_of([&] {
      ProblemKernel(std::make_unique<PointKernel>(), *parts.atoms, features, dimension,
                    ExampleList(parts.dataset.split("train")), parts.workers);
    });
  };
  const Refusal beyond = with(parts.features, 3 * 15 + 1);
  CHECK(beyond.exit == Exit::plugin);
  CHECK(beyond.says("blocks: says that the weights of rows begin at 2, in 3 blocks"));
  Component component(sculpt::Features<NoBlocks>::component, {}, parts.services);
  const Features without(component, 1);
  const Refusal none = with(without, 50);
  CHECK(none.exit == Exit::config);
  CHECK(none.says("no_blocks: does not work with a kernel"));
}
