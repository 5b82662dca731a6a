// A dataset borrows its data from memory of the host (sculpt/ext/draft/memory_source.h): features
// and outputs are those of the same data read from text.

#include <sculpt/ext/draft/memory_source.h>

#include <doctest/doctest.h>

#include "core/refusal.hpp"
#include "problem/components/dataset_rows.hpp"
#include "stub_components.hpp"

namespace sculpt::core {

template <>
struct Extension<sculpt_ext_memory_source> {
  static constexpr const char* id = SCULPT_EXT_MEMORY_SOURCE;
  static constexpr std::size_t required_functions = 1;
};

namespace {

// Arrays of sequences or graphs, as a program holds them.
struct Arrays {
  std::vector<std::int64_t> first_site;
  std::vector<std::int64_t> row_from{0};
  std::vector<std::int32_t> index;
  std::vector<double> value;
  std::vector<std::int64_t> first_edge;
  std::vector<std::int32_t> edge;
  std::vector<std::int64_t> first_label;
  std::vector<std::int32_t> label;

  sculpt_memory_rows rows(std::int32_t states, std::int64_t features) const {
    sculpt_memory_rows rows = {};
    rows.struct_size = sizeof rows;
    rows.state_count = states;
    rows.example_count = static_cast<std::int64_t>(first_label.size()) - 1;
    rows.site_count = static_cast<std::int64_t>(row_from.size()) - 1;
    rows.feature_count = features;
    if (!first_site.empty()) rows.first_site = first_site.data();
    rows.row_from = row_from.data();
    rows.index = index.data();
    rows.value = value.data();
    if (!first_edge.empty()) rows.first_edge = first_edge.data();
    rows.edge = edge.data();
    rows.first_label = first_label.data();
    if (!label.empty()) rows.label = label.data();
    return rows;
  }
};

void lend(const Component& dataset, const std::string& split, const sculpt_memory_rows& rows) {
  const auto* const table = dataset.extension<sculpt_ext_memory_source>();
  REQUIRE(table != nullptr);
  dataset.call("memory-source.load", -1, [&](sculpt_error* error) {
    return table->load(dataset.self(), split.c_str(), &rows, error);
  });
}

std::unique_ptr<Component> lent(const sculpt_memory_rows& rows) {
  auto dataset = stub::create(SCULPT_KIND_DATASET, "memory");
  lend(*dataset, "train", rows);
  stub::bind_and_seal(*dataset);
  return dataset;
}

// Checks that both datasets give the same truths and the same psi of all outputs.
void check_same(Component& dataset, Component& expected, const std::string& features,
                const std::string& keys, std::int32_t states) {
  const auto ours = stub::create(SCULPT_KIND_FEATURES, features, keys);
  const auto theirs = stub::create(SCULPT_KIND_FEATURES, features, keys);
  stub::bind_and_seal(*ours, &dataset);
  stub::bind_and_seal(*theirs, &expected);
  Features psi(*ours, 1);
  Features expected_psi(*theirs, 1);
  REQUIRE(psi.dimension() == expected_psi.dimension());
  const Dataset examples(dataset, 1);
  const Dataset expected_examples(expected, 1);
  REQUIRE(examples.count() == expected_examples.count());
  for (std::int64_t i = 0; i < examples.count(); ++i) {
    const auto truth = stub::vector_of(expected_examples.truth(i));
    CHECK(stub::vector_of(examples.truth(i)) == truth);
    for (const auto& y : stub::all_outputs(truth.size(), states)) {
      CHECK(stub::psi_of(psi, i, y) == stub::psi_of(expected_psi, i, y));
    }
  }
}

Arrays sequences() {
  Arrays arrays;
  arrays.first_site = {0, 1, 4};
  arrays.row_from = {0, 2, 4, 6, 8};
  arrays.index = {0, 1, 0, 1, 0, 1, 0, 1};
  arrays.value = {0.5, -1.0, 1.5, 0.25, -0.5, 2.0, 1.0, 1.0};
  arrays.first_label = {0, 1, 4};
  arrays.label = {2, 0, 1, 2};
  return arrays;
}
const char* const sequences_text = "2 0.5 -1.0\n0 1.5 0.25 | 1 -0.5 2.0 | 2 1.0 1.0\n";

TEST_CASE("sequences in memory are those of a file, and are not copied") {
  const Arrays arrays = sequences();
  const auto dataset = lent(arrays.rows(3, 2));
  const auto expected = stub::loaded("points", sequences_text);
  stub::bind_and_seal(*expected);
  check_same(*dataset, *expected, "sequence", "{}", 3);
  const sculpt_sites second = DatasetRows(*dataset).sites(1);
  CHECK(second.value == arrays.value.data());
  CHECK(second.index == arrays.index.data());
  CHECK(second.row_from == arrays.row_from.data() + 1);
  CHECK(Dataset(*dataset, 1).truth(1).data == arrays.label.data() + 1);
}

TEST_CASE("dense rows in memory are the same inputs as sparse ones") {
  Arrays arrays = sequences();
  sculpt_memory_rows rows = arrays.rows(3, 2);
  rows.row_from = nullptr;
  rows.index = nullptr;
  const auto dataset = lent(rows);
  const auto expected = stub::loaded("points", sequences_text);
  stub::bind_and_seal(*expected);
  check_same(*dataset, *expected, "sequence", "{}", 3);
}

TEST_CASE("one row an example serves shipped features") {
  Arrays arrays;
  arrays.row_from = {0, 2, 3, 3};
  arrays.index = {0, 2, 1};
  arrays.value = {1, 0.5, -2};
  arrays.first_label = {0, 1, 2, 3};
  arrays.label = {1, 0, 1};
  const auto dataset = lent(arrays.rows(2, 3));
  const auto expected = stub::loaded("svmlight", "2 1:1 3:0.5\n1 2:-2\n2 1:0\n");
  stub::bind_and_seal(*expected);
  check_same(*dataset, *expected, "multiclass", "{}", 2);
}

TEST_CASE("graphs in memory lend their edges, from 0 in each graph") {
  Arrays arrays;
  arrays.first_site = {0, 2, 5};
  arrays.row_from = {0, 1, 2, 3, 4, 5};
  arrays.index = {0, 1, 1, 0, 1};
  arrays.value = {1, 1, 2, 1, 3};
  arrays.first_edge = {0, 1, 3};
  arrays.edge = {0, 1, 0, 1, 1, 2};
  arrays.first_label = {0, 2, 5};
  arrays.label = {0, 1, 1, 0, 0};
  const auto dataset = lent(arrays.rows(2, 2));
  const auto expected = stub::loaded("graph",
                                     "graph a\n1 1:1\n2 2:1\nedge 1 2\n"
                                     "graph b\n2 2:2\n1 1:1\n1 2:3\nedge 1 2\nedge 2 3\n");
  stub::bind_and_seal(*expected);
  check_same(*dataset, *expected, "graph", "{}", 2);
  const sculpt_sites second = DatasetRows(*dataset).sites(1);
  CHECK(second.edge_count == 2);
  CHECK(second.edge == arrays.edge.data() + 2);
}

TEST_CASE("a model predicts from memory: the restored state holds in place of the split train") {
  const Arrays train = sequences();
  const auto trained = lent(train.rows(3, 2));
  const auto dataset = stub::create(SCULPT_KIND_DATASET, "memory");
  dataset->restore(trained->save(), "model");
  Arrays data = sequences();
  data.label.clear();
  sculpt_memory_rows unlabelled = data.rows(1, 2);  // the caller knows one state only
  unlabelled.first_label = nullptr;
  lend(*dataset, "predict", unlabelled);
  CHECK(refusal_of([&] { lend(*dataset, "more", data.rows(3, 5)); }).exit == Exit::data);
  stub::bind_and_seal(*dataset);
  CHECK(DatasetRows(*dataset).shape().state_count == 3);
  CHECK(Dataset(*dataset, 1).count() == 2);
  CHECK(Dataset(*dataset, 1).truth(0).data == nullptr);
}

TEST_CASE("a dataset refuses arrays of a shape that it cannot use") {
  Arrays arrays = sequences();
  arrays.first_edge = {0, 0, 1};
  arrays.edge = {0, 1};
  const auto dataset = stub::create(SCULPT_KIND_DATASET, "memory", R"({"edges": false})");
  const Refusal refusal = refusal_of([&] { lend(*dataset, "train", arrays.rows(3, 2)); });
  CHECK(refusal.exit == Exit::config);
  CHECK(refusal.says("memory: takes sequences, but example 0 has edges"));
}

TEST_CASE("later splits follow the first one, and bring no new labels") {
  const Arrays train = sequences();
  Arrays test = sequences();
  test.label.clear();
  const auto dataset = stub::create(SCULPT_KIND_DATASET, "memory");
  lend(*dataset, "train", train.rows(3, 2));
  const Refusal refusal = refusal_of([&] { lend(*dataset, "test", test.rows(4, 2)); });
  CHECK(refusal.exit == Exit::data);
  CHECK(refusal.says("memory: example 0: has more states"));
  lend(*dataset, "test", test.rows(3, 2));
  stub::bind_and_seal(*dataset);
  const Dataset examples(*dataset, 1);
  CHECK(examples.count() == 4);
  CHECK(examples.split("test").begin == 2);
  CHECK(examples.split("test").end == 4);
  CHECK(examples.truth(3).data == nullptr);
  CHECK(DatasetRows(*dataset).sites(3).value == test.value.data());
}

}  // namespace
}  // namespace sculpt::core
