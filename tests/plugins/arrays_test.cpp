// The dataset arrays: rows, labels and names of memory, through the C ABI.
#include <doctest/doctest.h>
#include <sculpt/ext/draft/edge_kinds.h>
#include <sculpt/ext/draft/memory_source.h>
#include <sculpt/ext/example_weights.h>
#include <sculpt/ext/items.h>

#include "live_component.hpp"

using namespace plugin_test;
using nlohmann::json;

namespace {

// Two sequences or graphs: of two sites, then of three.
struct Arrays {
  std::vector<std::int64_t> first_site{0, 2, 5};
  std::vector<std::int64_t> row_from{0, 1, 3, 3, 4, 5};
  std::vector<std::int32_t> index{0, 0, 1, 1, 0};
  std::vector<double> value{1, 0.5, 2, -1, 4};
  std::vector<std::int64_t> first_edge{0, 1, 3};
  std::vector<std::int32_t> edge{1, 0, 0, 2, 1, 2};
  std::vector<std::int32_t> edge_kind{1, 0, 1};
  std::vector<std::int32_t> label{0, 1, 2, -1, 0};
  std::vector<double> weight{2, 0.5};
  std::vector<const char*> state_name{"sun", "rain", "snow"};
  std::vector<const char*> feature_name{"cloud", "wind"};
  std::vector<const char*> edge_kind_name{"near", "far"};

  sculpt_memory_rows sequences() const {
    sculpt_memory_rows rows = {};
    rows.struct_size = sizeof rows;
    rows.state_count = 3;
    rows.example_count = static_cast<std::int64_t>(first_site.size()) - 1;
    rows.site_count = first_site.back();
    rows.feature_count = 2;
    rows.first_site = first_site.data();
    rows.row_from = row_from.data();
    rows.index = index.data();
    rows.value = value.data();
    rows.label = label.data();
    return rows;
  }
  sculpt_memory_rows graphs() const {
    sculpt_memory_rows rows = sequences();
    rows.first_edge = first_edge.data();
    rows.edge = edge.data();
    rows.edge_kind = edge_kind.data();
    rows.edge_kind_count = 2;
    rows.weight = weight.data();
    rows.state_name = state_name.data();
    rows.feature_name = feature_name.data();
    rows.edge_kind_name = edge_kind_name.data();
    return rows;
  }
};

// Four examples with a row, and a set of three labels each.
struct Sets {
  std::vector<double> value{1, 2, 3, 4, 5, 6, 7, 8};
  std::vector<std::int32_t> label{1, 0, 1, 0, 0, 0, -1, -1, -1, 1, 1, 1};
  std::vector<const char*> variable_name{"red", "green", "light blue"};
  sculpt_memory_rows raw() const {
    sculpt_memory_rows rows = {};
    rows.struct_size = sizeof rows;
    rows.state_count = 2;
    rows.example_count = rows.site_count = 4;
    rows.feature_count = 2;
    rows.value = value.data();
    rows.label = label.data();
    rows.variable_count = 3;
    rows.variable_name = variable_name.data();
    return rows;
  }
};

void lend(LiveComponent& dataset, const std::string& split, const sculpt_memory_rows& rows) {
  const auto& table = dataset.extension<sculpt_ext_memory_source>(SCULPT_EXT_MEMORY_SOURCE);
  ErrorText error;
  error.check(table.load(dataset.self(), split.c_str(), &rows, error.raw()));
}

// Arrays that were loaded as the split train, and sealed.
struct Loaded {
  explicit Loaded(const sculpt_memory_rows& rows, const json& parameters = json::object())
      : dataset("arrays", parameters) {
    lend(dataset, "train", rows);
    dataset.bind(nullptr);
    dataset.seal();
  }
  LiveComponent dataset;
};

const std::int32_t* kinds_of(const LiveComponent& dataset, std::int64_t example) {
  const auto& table = dataset.extension<sculpt_ext_edge_kinds>(SCULPT_EXT_EDGE_KINDS);
  const std::int32_t* kinds = nullptr;
  ErrorText error;
  error.check(table.kinds(dataset.self(), example, &kinds, error.raw()));
  return kinds;
}
std::string kind_name(const LiveComponent& dataset, std::int32_t kind) {
  const auto& table = dataset.extension<sculpt_ext_edge_kinds>(SCULPT_EXT_EDGE_KINDS);
  char text[64] = "";
  sculpt_byte_buffer out = {text, 0, sizeof text, nullptr};
  ErrorText error;
  error.check(table.name(dataset.self(), kind, &out, error.raw()));
  return {text, static_cast<std::size_t>(out.size)};
}

// What loading these rows after `train` says.
std::string refused_after(const sculpt_memory_rows& train, const sculpt_memory_rows& rows,
                          const json& parameters = json::object()) {
  LiveComponent dataset("arrays", parameters);
  lend(dataset, "train", train);
  try {
    lend(dataset, "test", rows);
  } catch (const CallFailed& failure) {
    CHECK(failure.status() == SCULPT_E_DATA);
    return failure.what();
  }
  return "(accepted)";
}

}  // namespace

TEST_CASE("arrays lends rows, edges and labels as it got them") {
  const Arrays arrays;
  const Loaded loaded(arrays.graphs());
  const LiveComponent& dataset = loaded.dataset;
  const sculpt_sites second = sites_of(dataset, 1);
  CHECK(second.site_count == 3);
  CHECK(second.value == arrays.value.data());
  CHECK(second.index == arrays.index.data());
  CHECK(second.row_from == arrays.row_from.data() + 2);
  CHECK(second.edge_count == 2);
  CHECK(second.edge == arrays.edge.data() + 2);
  CHECK(kinds_of(dataset, 1) == arrays.edge_kind.data() + 1);
  CHECK(truth_of(dataset, 1) == Outputs{2, -1, 0});
  CHECK(shape_of(dataset).state_count == 3);
  CHECK(shape_of(dataset).feature_count == 2);
  CHECK(shape_of(dataset).variable_count == 0);
}

TEST_CASE("names of arrays come from the caller, or are numbers") {
  const Arrays arrays;
  const Loaded named(arrays.graphs());
  CHECK(state_name(named.dataset, 1) == "rain");
  CHECK(feature_name(named.dataset, 1) == "wind");
  CHECK(kind_name(named.dataset, 1) == "far");
  sculpt_memory_rows rows = arrays.graphs();
  rows.state_name = rows.feature_name = rows.edge_kind_name = nullptr;
  const Loaded numbered(rows);
  CHECK(state_name(numbered.dataset, 1) == "1");
  CHECK(feature_name(numbered.dataset, 1) == "feature 1");
  CHECK(kind_name(numbered.dataset, 1) == "edge 1");
  rows.edge_kind = nullptr;
  rows.edge_kind_count = 1;
  const Loaded plain(rows);
  CHECK(kind_name(plain.dataset, 0) == "edge");
  CHECK(kinds_of(plain.dataset, 1)[1] == 0);
}

TEST_CASE("labels of arrays are written and read by name") {
  const Arrays arrays;
  const Loaded loaded(arrays.graphs());
  CHECK(format(loaded.dataset, 1, {2, 0, 1}) == "snow sun rain");
  CHECK(parse(loaded.dataset, 1, "snow sun rain") == Outputs{2, 0, 1});
  CHECK_THROWS_WITH(parse(loaded.dataset, 1, "snow fog rain"),
                    "'fog' does not occur in the training data (sun, rain, snow)");
  CHECK_THROWS_WITH(parse(loaded.dataset, 1, "snow sun"),
                    "there are 2 labels where 3 are expected");
  CHECK(format(loaded.dataset, 0, {7, 0}) == "7 0");  // an order of other features
}

TEST_CASE("names with blanks are separated by tabs") {
  Arrays arrays;
  arrays.state_name[1] = "light rain";
  const Loaded loaded(arrays.graphs());
  CHECK(format(loaded.dataset, 0, {1, 0}) == "light rain\tsun");
  CHECK(parse(loaded.dataset, 0, "light rain\tsun") == Outputs{1, 0});
}

TEST_CASE("a set is the names of its labels that are on") {
  const Sets sets;
  const Loaded loaded(sets.raw());
  const LiveComponent& dataset = loaded.dataset;
  CHECK(shape_of(dataset).variable_count == 3);
  CHECK(state_name(dataset, 1) == "on");
  CHECK(truth_of(dataset, 0) == Outputs{1, 0, 1});
  CHECK_FALSE(is_labelled(dataset, 2));
  CHECK(format(dataset, 0, {1, 0, 1}) == "red,light blue");
  CHECK(format(dataset, 0, {0, 0, 0}) == "-");
  CHECK(parse(dataset, 0, "light blue,red") == Outputs{1, 0, 1});
  CHECK(parse(dataset, 0, "-") == Outputs{0, 0, 0});
}

TEST_CASE("a set of one label for one row is a label of the row") {
  Sets sets;
  sculpt_memory_rows rows = sets.raw();
  rows.variable_count = 1;
  const Loaded loaded(rows);
  CHECK(shape_of(loaded.dataset).variable_count == 0);
  CHECK(format(loaded.dataset, 0, {1}) == "red");
  CHECK(format(loaded.dataset, 0, {0}) == "-");
}

std::vector<std::int64_t> items_of(const LiveComponent& dataset, const Outputs& y) {
  const auto& table = dataset.extension<sculpt_ext_items>(SCULPT_EXT_ITEMS);
  std::vector<std::int64_t> items(8);
  std::int64_t count = 0;
  ErrorText error;
  error.check(table.items(dataset.self(), 0, view(y), items.data(), 8, &count, error.raw()));
  items.resize(static_cast<std::size_t>(count));
  return items;
}

TEST_CASE("items of sets are the labels that are on, and of sites each label") {
  const Sets sets;
  const Loaded loaded(sets.raw());
  CHECK(items_of(loaded.dataset, {1, 0, 1}) == std::vector<std::int64_t>{0, 2});
  const Arrays arrays;
  const Loaded graphs(arrays.graphs());
  CHECK(items_of(graphs.dataset, {2, 1}) == std::vector<std::int64_t>{2, 4});
  CHECK_THROWS_WITH(items_of(graphs.dataset, {2}), "an output has 2 labels");
}

TEST_CASE("numbers of an output that are no labels, such as ranks, are no items") {
  const Arrays arrays;
  const Loaded graphs(arrays.graphs());
  CHECK(items_of(graphs.dataset, {2, 3}) == std::vector<std::int64_t>{2});
}

TEST_CASE("examples of arrays count by their weights") {
  const Arrays arrays;
  const Loaded loaded(arrays.graphs());
  const auto& table =
      loaded.dataset.extension<sculpt_ext_example_weights>(SCULPT_EXT_EXAMPLE_WEIGHTS);
  std::vector<double> weights(2);
  ErrorText error;
  error.check(table.weights(loaded.dataset.self(), 0, 2, weights.data(), error.raw()));
  CHECK(weights == std::vector<double>{2, 0.5});
}

TEST_CASE("dense rows that are mostly zeros are kept as sparse ones") {
  const std::vector<double> value{0, 0, 3, 0, 0, 0, 0, -2, 0, 1, 0, 0};
  const std::vector<std::int32_t> label{0, 1};
  sculpt_memory_rows rows = {};
  rows.struct_size = sizeof rows;
  rows.state_count = 2;
  rows.example_count = rows.site_count = 2;
  rows.feature_count = 6;
  rows.value = value.data();
  rows.label = label.data();
  const Loaded loaded(rows);
  const sculpt_sites second = sites_of(loaded.dataset, 1);
  REQUIRE(second.row_from[1] - second.row_from[0] == 2);
  CHECK(second.index[0] == 1);
  CHECK(second.index[1] == 3);
  CHECK(second.value[0] == -2);
  CHECK(truth_of(loaded.dataset, 1) == Outputs{1});
}

TEST_CASE("dense sequences number their columns anew in each row") {
  const Arrays arrays;
  sculpt_memory_rows rows = arrays.sequences();
  const std::vector<double> value{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  rows.row_from = nullptr;
  rows.index = nullptr;
  rows.value = value.data();
  const Loaded loaded(rows);
  const sculpt_sites second = sites_of(loaded.dataset, 1);
  CHECK(second.value == value.data() + 4);
  CHECK(second.row_from[2] == 4);
  CHECK(std::vector<std::int32_t>(second.index, second.index + 6) == Outputs{0, 1, 0, 1, 0, 1});
}

TEST_CASE("arrays scales columns without a change of the lent values") {
  const Arrays arrays;
  const Loaded loaded(arrays.graphs(), {{"scaling", "max_abs"}});
  const sculpt_sites first = sites_of(loaded.dataset, 0);
  CHECK(first.value[first.row_from[0]] == 0.25);  // 1 of at most 4
  CHECK(first.value[first.row_from[1] + 1] == 1);
  CHECK(first.edge == arrays.edge.data());
  CHECK(arrays.value == Arrays().value);
  CHECK(feature_name(loaded.dataset, 0) == "cloud (/ 4)");
}

TEST_CASE("a restored arrays dataset knows numbers and names of the training data") {
  const Arrays arrays;
  const Loaded trained(arrays.graphs());
  LiveComponent restored("arrays");
  restored.restore(trained.dataset.save());
  sculpt_memory_rows rows = arrays.sequences();
  rows.label = nullptr;
  rows.state_count = 0;
  lend(restored, "predict", rows);
  restored.bind(nullptr);
  restored.seal();
  CHECK(shape_of(restored).state_count == 3);
  CHECK(state_name(restored, 2) == "snow");
  CHECK(feature_name(restored, 0) == "cloud");
  CHECK(kind_name(restored, 1) == "far");
  CHECK_FALSE(is_labelled(restored, 0));
  CHECK(restored.save() == trained.dataset.save());
}

TEST_CASE("later arrays may have less than the training data, but no more") {
  const Arrays arrays;
  const sculpt_memory_rows train = arrays.graphs();
  Arrays more;
  const auto refused = [&] { return refused_after(train, more.graphs()); };
  CHECK(refused() == "(accepted)");
  sculpt_memory_rows rows = arrays.graphs();
  rows.feature_count = 9;  // which no row uses
  rows.feature_name = nullptr;
  CHECK(refused_after(train, rows) == "(accepted)");
  more.index[3] = 5;
  rows = more.graphs();
  rows.feature_count = 6;
  rows.feature_name = nullptr;
  CHECK(refused_after(train, rows) ==
        "example 1: has the feature 5, but the training data have 2 features, from 0 on; leave it "
        "out");
  more = Arrays();
  more.edge_kind[2] = 2;
  rows = more.graphs();
  rows.edge_kind_count = 3;
  rows.edge_kind_name = nullptr;
  CHECK(refused_after(train, rows) ==
        "example 1: has an edge of kind 2, but the training data have 2 kinds of edges; leave it "
        "out");
  more = Arrays();
  more.feature_name = {"wind", "cloud"};
  CHECK(refused() ==
        "example 0: feature 0 is named 'wind', but 'cloud' in the training data; "
        "give the same order as there");
  const Sets sets;
  CHECK(refused_after(train, sets.raw()) ==
        "example 0: its output is a set of 3 labels, but that of training examples is one label "
        "for each site");
}

TEST_CASE("labels of arrays that training does not have are refused, wrong or free") {
  const Arrays arrays;
  Arrays more;
  more.label[4] = 3;
  sculpt_memory_rows rows = more.graphs();
  rows.state_count = 4;
  rows.state_name = nullptr;
  CHECK(refused_after(arrays.graphs(), rows)
            .rfind("example 1: label 3 does not occur in the training data (sun, rain, snow); "
                   "correct it",
                   0) == 0);
  const auto truth = [&](const char* choice) {
    LiveComponent dataset("arrays", {{"unseen_labels", choice}});
    lend(dataset, "train", arrays.graphs());
    lend(dataset, "test", rows);
    REQUIRE(dataset.log().size() == 1);
    CHECK(dataset.log()[0].find("test: 1 example has a label that does not occur") !=
          std::string::npos);
    return truth_of(dataset, 3);
  };
  CHECK(truth("wrong") == Outputs{2, -1, -2});
  CHECK(truth("free") == Outputs{2, -1, -1});
}

TEST_CASE("arrays without labels cannot train, and train comes first") {
  const Arrays arrays;
  sculpt_memory_rows rows = arrays.graphs();
  rows.label = nullptr;
  LiveComponent dataset("arrays");
  CHECK_THROWS_WITH(lend(dataset, "train", rows),
                    "example 0: no example has a label, so there is nothing to learn; give labels "
                    "from 0 on");
  CHECK_THROWS_WITH(lend(dataset, "test", arrays.graphs()),
                    "has no labels before the split 'train' is loaded; load it first");
  lend(dataset, "train", arrays.graphs());
  CHECK_THROWS_WITH(lend(dataset, "train", arrays.graphs()), "the split 'train' is loaded twice");
}

TEST_CASE("an example without sites has the empty output") {
  Arrays arrays;
  arrays.first_site = {0, 0, 5};
  arrays.label = {0, 1, 2, 0, 1};
  const Loaded loaded(arrays.sequences());
  CHECK(is_labelled(loaded.dataset, 0));
  CHECK(truth_of(loaded.dataset, 0).empty());
  CHECK(format(loaded.dataset, 0, {}).empty());
}
