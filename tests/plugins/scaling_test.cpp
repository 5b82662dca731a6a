// The parameter `scaling` of datasets with rows: each choice gives numbers computed by hand. Also
// the learned state, and columns that are constant, huge or tiny.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "live_component.hpp"
#include "refusals.hpp"

using namespace plugin_test;
using doctest::Approx;
using nlohmann::json;

namespace {

constexpr const char* learned_scalings[] = {"max_abs", "standard", "standard_centred", "min_max"};

using DenseRow = std::vector<double>;

json scaled_by(const std::string& scaling) {
  return {{"scaling", scaling}};
}

// The row of a site of an example, with zeros filled in.
DenseRow dense_row(const LiveComponent& dataset, std::int64_t example, std::int64_t site = 0) {
  const sculpt_sites sites = sites_of(dataset, example);
  DenseRow row(static_cast<std::size_t>(shape_of(dataset).feature_count), 0.0);
  for (std::int64_t j = sites.row_from[site]; j < sites.row_from[site + 1]; ++j) {
    row[static_cast<std::size_t>(sites.index[j])] = sites.value[j];
  }
  return row;
}

std::int64_t entries_of(const LiveComponent& dataset, std::int64_t example) {
  const sculpt_sites sites = sites_of(dataset, example);
  return sites.row_from[sites.site_count] - sites.row_from[0];
}

// The scaled first column of svmlight training rows with these values.
DenseRow scaled_column(const std::string& scaling, const std::vector<std::string>& values) {
  std::string text;
  for (const std::string& value : values) text += "2 1:" + value + " 2:1\n";
  LiveComponent dataset("svmlight", scaled_by(scaling));
  dataset.load("train", text);
  DenseRow column;
  for (std::size_t e = 0; e < values.size(); ++e) {
    column.push_back(dense_row(dataset, static_cast<std::int64_t>(e))[0]);
  }
  return column;
}

void check_rows(const LiveComponent& dataset, const std::vector<DenseRow>& expected) {
  for (std::size_t e = 0; e < expected.size(); ++e) {
    const DenseRow row = dense_row(dataset, static_cast<std::int64_t>(e));
    REQUIRE(row.size() == expected[e].size());
    for (std::size_t j = 0; j < row.size(); ++j) CHECK(row[j] == Approx(expected[e][j]));
  }
}

// Columns 1: 2, 4, 0; 2: -1, 0, 0; 3: 5, 1, 3.
const std::string three_scaled_rows = "1 1:2 2:-1 3:5\n2 1:4 3:1\n1 3:3\n";

std::string refused_state(const std::string& scaling, const std::string& state) {
  LiveComponent dataset("svmlight", scaled_by(scaling));
  return refusal_of([&] { dataset.restore(state); });
}

}  // namespace

TEST_CASE("scaling max_abs divides each column by its largest value") {
  LiveComponent dataset("svmlight", scaled_by("max_abs"));
  dataset.load("train", three_scaled_rows);
  check_rows(dataset, {{0.5, -1, 1}, {1, 0, 0.2}, {0, 0, 0.6}});
  CHECK(entries_of(dataset, 2) == 1);
  CHECK(feature_name(dataset, 2) == "feature 3 (/ 5)");
}

TEST_CASE("scaling standard divides by the deviation, counting zeros, and keeps zeros") {
  LiveComponent dataset("svmlight", scaled_by("standard"));
  dataset.load("train", three_scaled_rows);
  const double first = std::sqrt(8.0 / 3);   // of 2, 4, 0 around 2
  const double second = std::sqrt(2.0) / 3;  // of -1, 0, 0 around -1/3
  const double third = std::sqrt(8.0 / 3);   // of 5, 1, 3 around 3
  check_rows(dataset,
             {{2 / first, -1 / second, 5 / third}, {4 / first, 0, 1 / third}, {0, 0, 3 / third}});
  CHECK(entries_of(dataset, 1) == 2);
  CHECK(dataset.log().empty());
}

TEST_CASE("scaling standard_centred subtracts the mean, also from zeros") {
  LiveComponent dataset("svmlight", scaled_by("standard_centred"));
  dataset.load("train", three_scaled_rows);
  const double s = std::sqrt(8.0 / 3);
  const double root = std::sqrt(2.0);
  check_rows(dataset, {{0, -root, 2 / s}, {2 / s, 1 / root, -2 / s}, {-2 / s, 1 / root, 0}});
  CHECK(entries_of(dataset, 0) == 2);  // entries that become 0 are dropped
}

TEST_CASE("scaling min_max maps each column to 0 to 1, counting zeros") {
  LiveComponent dataset("svmlight", scaled_by("min_max"));
  dataset.load("train", three_scaled_rows);
  check_rows(dataset, {{0.5, 0, 1}, {1, 1, 0}, {0, 1, 0.5}});
  CHECK(feature_name(dataset, 1) == "feature 2 (- -1, / 1)");
}

TEST_CASE("scaling min_max_by_query uses the least and the largest value of each query") {
  LiveComponent dataset("ranking#svmrank", scaled_by("min_max_by_query"));
  dataset.load("train",
               "2 qid:7 1:10 2:3\n1 qid:7 1:30 2:3\n0 qid:7 1:20 2:3 3:-4\n"
               "1 qid:8 1:1000\n0 qid:8 1:4000 3:2\n");
  const std::vector<DenseRow> first = {{0, 0, 1}, {1, 0, 1}, {0.5, 0, 0}};
  for (std::size_t s = 0; s < 3; ++s) {
    CHECK(dense_row(dataset, 0, static_cast<std::int64_t>(s)) == first[s]);
  }
  CHECK(dense_row(dataset, 1, 0) == DenseRow{0, 0, 0});
  CHECK(dense_row(dataset, 1, 1) == DenseRow{1, 0, 1});
  CHECK(feature_name(dataset, 0) == "feature 1");

  LiveComponent restored("ranking#svmrank", scaled_by("min_max_by_query"));
  restored.restore(dataset.save());
  restored.load("predict", "qid:1 1:5 3:1\nqid:1 1:7\n");
  CHECK(dense_row(restored, 0, 0) == DenseRow{0, 0, 1});
  CHECK(dense_row(restored, 0, 1) == DenseRow{1, 0, 0});
}

TEST_CASE("scaling is learned only from train, and never after restore") {
  for (const std::string scaling : learned_scalings) {
    CAPTURE(scaling);
    LiveComponent dataset("svmlight", scaled_by(scaling));
    dataset.load("train", three_scaled_rows);
    const std::string state = dataset.save();
    const std::string others = "1 1:-8 2:2 3:100\n2 2:-7\n";
    dataset.load("test", others);
    CHECK(dataset.save() == state);

    LiveComponent restored("svmlight", scaled_by(scaling));
    restored.restore(state);
    restored.load("predict", others);
    CHECK(restored.save() == state);
    for (std::int64_t e = 0; e < 2; ++e) CHECK(dense_row(restored, e) == dense_row(dataset, 3 + e));
    restored.load("train", three_scaled_rows + others);
    CHECK(restored.save() == state);
    CHECK(dense_row(restored, 2) == dense_row(dataset, 0));
    CHECK(feature_name(restored, 0) == feature_name(dataset, 0));
  }
  LiveComponent dataset("svmlight", scaled_by("max_abs"));
  dataset.load("train", three_scaled_rows);
  dataset.load("test", "1 1:-8\n");
  CHECK(dense_row(dataset, 3)[0] == -2);  // larger than in training, and not cut off
}

TEST_CASE("scaling none does not change rows or the saved state") {
  LiveComponent plain("svmlight", scaled_by("none"));
  plain.load("train", three_scaled_rows);
  check_rows(plain, {{2, -1, 5}, {4, 0, 1}, {0, 0, 3}});
  CHECK(feature_name(plain, 0) == "feature 1");
  LiveComponent scaled("svmlight", scaled_by("max_abs"));
  scaled.load("train", three_scaled_rows);
  CHECK(scaled.save().starts_with(plain.save()));
  CHECK(scaled.save().size() == plain.save().size() + (3 + 3 * 3) * 8);
}

TEST_CASE("scaling: a constant column becomes 1 or is left out") {
  for (const std::string scaling : {"max_abs", "standard"}) {
    CHECK(scaled_column(scaling, {"4e4", "4e4"}) == DenseRow{1, 1});
    CHECK(scaled_column(scaling, {"-0.1", "-0.1", "-0.1"}) == DenseRow{-1, -1, -1});
    CHECK(scaled_column(scaling, {"7"}) == DenseRow{1});
  }
  for (const std::string scaling : {"standard_centred", "min_max"}) {
    CHECK(scaled_column(scaling, {"0.1", "0.1", "0.1"}) == DenseRow{0, 0, 0});
    LiveComponent dataset("svmlight", scaled_by(scaling));
    dataset.load("train", "1 1:3\n2 1:3 2:1\n");
    dataset.load("test", "1 1:4 2:1\n");
    CHECK(dense_row(dataset, 2)[0] == 0);
    CHECK(feature_name(dataset, 0) == "feature 1 (constant, left out)");
    CHECK(dataset.log().empty());
    LiveComponent nothing("svmlight", scaled_by(scaling));
    nothing.load("train", "1 1:3 2:8\n2 1:3 2:8\n");
    REQUIRE(nothing.log().size() == 1);
    CHECK(nothing.log()[0] ==
          "scaling " + scaling +
              " leaves all columns out: each is constant in the training data; set \"scaling\": "
              "\"max_abs\" or \"standard\" to keep them");
  }
}

TEST_CASE("scaling: a column whose values differ only by rounding is constant") {
  CHECK(scaled_column("standard", {"1", "1.0000000000000002"})[0] == Approx(1));
  CHECK(scaled_column("standard_centred", {"1", "1.0000000000000002"}) == DenseRow{0, 0});
  CHECK(scaled_column("min_max", {"1", "1.0000000000000002"}) == DenseRow{0, 0});
  CHECK(scaled_column("min_max", {"1000000", "1000001"}) == DenseRow{0, 1});
  const DenseRow centred = scaled_column("standard_centred", {"1000000.001", "1000000.003"});
  CHECK(centred[0] == Approx(-1));
  CHECK(centred[1] == Approx(1));
}

TEST_CASE("scaling: columns near the largest and the least numbers are scaled like others") {
  const auto check = [](const std::string& scaling, const std::vector<std::string>& values,
                        const DenseRow& expected) {
    CAPTURE(scaling);
    const DenseRow column = scaled_column(scaling, values);
    for (std::size_t k = 0; k < expected.size(); ++k) CHECK(column[k] == Approx(expected[k]));
  };
  for (const std::string power : {"e300", "e-300"}) {
    check("max_abs", {"1" + power, "4" + power}, {0.25, 1});
    check("standard", {"1" + power, "3" + power}, {1, 3});
    check("standard_centred", {"1" + power, "3" + power}, {-1, 1});
    check("min_max", {"1" + power, "3" + power, "2" + power}, {0, 1, 0.5});
  }
  check("standard", {"-1.7e308", "1.7e308"}, {-1, 1});
  check("standard_centred", {"-1.7e308", "1.7e308"}, {-1, 1});
  check("standard_centred", {"1.7e308", "1.7e308", "1.6e308"},
        {1 / std::sqrt(2), 1 / std::sqrt(2), -std::sqrt(2)});
  // the range 3.4e308 overflows, so it counts as the largest double
  const DenseRow widest = scaled_column("min_max", {"-1.7e308", "1.7e308", "0"});
  CHECK(widest[0] == 0);
  CHECK(widest[1] == Approx(2 * (1.7e308 / std::numeric_limits<double>::max())));
  CHECK(widest[2] == Approx(1.7e308 / std::numeric_limits<double>::max()));
}

TEST_CASE("scaling: columns below the least normal number are scaled") {
  const auto check = [](const std::string& scaling, const std::vector<std::string>& values,
                        const DenseRow& expected) {
    CAPTURE(scaling);
    const DenseRow column = scaled_column(scaling, values);
    for (std::size_t k = 0; k < expected.size(); ++k) CHECK(column[k] == Approx(expected[k]));
  };
  check("max_abs", {"1e-310", "4e-310"}, {0.25, 1});
  check("standard", {"1e-310", "3e-310"}, {1, 3});
  check("standard_centred", {"1e-310", "3e-310"}, {-1, 1});
  check("min_max", {"1e-310", "3e-310", "2e-310"}, {0, 1, 0.5});
  check("max_abs", {"5e-324", "-1e-323"}, {0.5, -1});  // once and twice the least double
  // deviation and mean of these round to 0 or to the least double
  check("standard", {"5e-324", "0", "0", "0", "0", "0", "0", "0"}, {1, 0, 0, 0, 0, 0, 0, 0});
  check("min_max", {"5e-324", "0"}, {1, 0});
  check("standard_centred", {"5e-324", "0", "0", "0", "0", "0", "0", "0"}, {1, 0, 0, 0});
  check("standard_centred", {"3e-310", "3e-310"}, {0, 0});  // constant
  LiveComponent dataset("svmlight", scaled_by("max_abs"));
  dataset.load("train", "1 1:1e-310 2:1\n2 1:4e-310 2:1\n");
  CHECK(feature_name(dataset, 0) == "feature 1 (/ 4e-310)");
  LiveComponent restored("svmlight", scaled_by("max_abs"));
  restored.restore(dataset.save());
  restored.load("predict", "1 1:2e-310\n");
  CHECK(dense_row(restored, 0)[0] == Approx(0.5));
}

TEST_CASE("scaling: a value that overflows when scaled is refused, with the divisor") {
  LiveComponent dataset("svmlight", scaled_by("max_abs"));
  dataset.load("train", "1 1:1e-200\n2 2:1\n");
  CHECK_THROWS_WITH(dataset.load("test", "1 2:1\n1 1:1e200\n"),
                    "example 3: data.txt:2: the value 1e+200 of column 1 overflows when it is "
                    "scaled (/ 1e-200) as in training; correct it");
}

TEST_CASE("scaling: columns that training did not have stay as they are") {
  for (const std::string scaling : learned_scalings) {
    LiveComponent dataset("svmlight", scaled_by(scaling));
    dataset.load("train", "1 1:2 4:3\n2 1:5 4:7\n");
    dataset.load("test", "1 2:9 3:-8\n");
    CHECK(dense_row(dataset, 2)[1] == 9);
    CHECK(dense_row(dataset, 2)[2] == -8);
    CHECK(feature_name(dataset, 1) == "feature 2");
  }
}

TEST_CASE("scaling warns before it fills sparse rows") {
  std::string text = "1 1:-1\n";
  for (int k = 2; k <= 9; ++k) text += "2 " + std::to_string(k) + ":-1\n";
  LiveComponent filled("svmlight", scaled_by("min_max"));
  filled.load("train", text);
  REQUIRE(filled.log().size() == 1);
  CHECK(filled.log()[0] ==
        "scaling min_max fills sparse rows: 9 entries of the training data become up to 90, of 12 "
        "bytes each; set \"scaling\": \"max_abs\" or \"standard\" to keep zeros");
  CHECK(entries_of(filled, 0) == 8);  // its only entry becomes 0
  LiveComponent sparse("svmlight", scaled_by("standard"));
  sparse.load("train", text);
  CHECK(sparse.log().empty());
  CHECK(entries_of(sparse, 0) == 1);
}

TEST_CASE("scaling: a damaged state, or one of another scaling, is refused") {
  LiveComponent dataset("svmlight", scaled_by("standard_centred"));
  dataset.load("train", three_scaled_rows);
  const std::string state = dataset.save();
  const std::string damaged =
      "its state in the model is damaged or of another version; use the plugin version that wrote "
      "the model, or train again";
  const std::size_t begin = state.size() - (3 + 3 * 3) * 8;  // version, scaling, count; columns
  CHECK(refused_state("standard_centred", state) == "accepted");
  for (std::size_t size = begin + 1; size < state.size(); ++size) {
    CHECK(refused_state("standard_centred", state.substr(0, size)) == damaged);
  }
  CHECK(refused_state("standard_centred", state + "x") == damaged);
  const auto with = [&](std::size_t word, auto value) {
    std::string changed = state;
    static_assert(sizeof value == 8);
    std::memcpy(changed.data() + begin + 8 * word, &value, sizeof value);
    return refused_state("standard_centred", changed);
  };
  CHECK(with(0, std::int64_t{2}) == damaged);        // version
  CHECK(with(1, std::int64_t{9}) == damaged);        // scaling
  CHECK(with(2, std::int64_t{1} << 40) == damaged);  // columns
  CHECK(with(6, std::int64_t{0}) == damaged);        // indices increase
  CHECK(with(9, std::int64_t{1} << 31) == damaged);  // and fit
  CHECK(with(4, std::nan("")) == damaged);           // shift
  CHECK(with(5, std::nan("")) == damaged);           // divisor
  CHECK(with(5, -1.0) == damaged);
  CHECK(with(5, std::numeric_limits<double>::infinity()) == damaged);
  CHECK(refused_state("max_abs", state) ==
        "scaling is max_abs, but the model was trained with standard_centred; remove it, because "
        "the model contains its scaling");
  CHECK(refused_state("none", state) ==
        "scaling is none, but the model was trained with standard_centred; remove it, because the "
        "model contains its scaling");
  CHECK(refused_state("max_abs", state.substr(0, begin)) ==
        "scaling is max_abs, but the model was trained with none; remove it, because the model "
        "contains its scaling");
}

TEST_CASE("scaling: every dataset with rows of numbers supports it") {
  const auto largest = [](const sculpt_sites& sites) {
    double most = 0;
    for (std::int64_t j = sites.row_from[0]; j < sites.row_from[sites.site_count]; ++j) {
      most = std::max(most, std::abs(sites.value[j]));
    }
    return most;
  };
  const std::vector<std::array<std::string, 2>> all = {
      {"svmlight", "1 1:200\n2 1:4\n"},
      {"mlsvml", "1,2 1:200\n2 1:4\n"},
      {"contingency#svmlight_set", "1 1:200\n-1 1:4\n"},
      {"ranking#svmrank", "1 qid:1 1:200\n0 qid:1 1:4\n"},
      {"graph", "graph a\nx 1:200\ny 1:4\nedge 1 2\n"},
      {"letters", "1 0 0 a 1 200 7\n1 0 1 b 0 4 -7\n"},
      {"grid", "image a 1 2\n200 4\nx y\n"}};
  for (const auto& dataset_and_text : all) {
    const std::string& name = dataset_and_text[0];
    const std::string& text = dataset_and_text[1];
    CAPTURE(name);
    const std::uint32_t kind = SCULPT_KIND_DATASET;
    json parameters = scaled_by("max_abs");
    if (name == "grid") parameters["mode"] = "values";
    LiveComponent dataset(name, parameters, kind);
    dataset.load("train", text);
    CHECK(largest(sites_of(dataset, 0)) == 1);
    CHECK(feature_name(dataset, 0).ends_with(" (/ 200)"));
    LiveComponent restored(name, parameters, kind);
    restored.restore(dataset.save());
    CHECK(restored.save() == dataset.save());
  }
  LiveComponent pairs("clustering#item_pairs", scaled_by("max_abs"));
  pairs.load("train", "1 0 1 1 1:200\n1 0 2 -1 1:4\n1 1 2 -1 1:50 2:1\n");
  LiveComponent features("clustering", json::object(), SCULPT_KIND_FEATURES);
  features.bind(&pairs);
  features.seal();
  CHECK(weight_name(features, 0) == "feature 1 (/ 200)");
  CHECK(weight_name(features, 1) == "feature 2");
  CHECK(psi(features, 0, {0, 0, 1})[0] == Approx(1.0 / 3));
}

TEST_CASE("scaling: letters learns it only from its training folds") {
  LiveComponent dataset("letters", {{"scaling", "max_abs"}, {"test_folds", {1}}});
  dataset.load("train", "1 0 0 a 1 2 3\n1 0 1 b 0 4 -6\n2 1 0 a 0 100 3\n");
  CHECK(dense_row(dataset, 0, 1) == DenseRow{1, -1});
  CHECK(dense_row(dataset, 1, 0) == DenseRow{25, 0.5});
}
