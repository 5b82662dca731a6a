// Where the indices of features count from, in all datasets that read rows `index:value`.
#include <doctest/doctest.h>

#include "live_component.hpp"
#include "refusals.hpp"

using namespace plugin_test;

namespace {

// A dataset, and what its rows have before and around the entries.
struct Format {
  const char* dataset;
  std::string head;   // of the file
  std::string first;  // before the entries of the first row
  std::string second;
  nlohmann::json parameters = nlohmann::json::object();
};

const std::vector<Format>& formats() {
  static const std::vector<Format> all = {{"svmlight", "", "1 ", "2 "},
                                          {"mlsvml", "", "1,2 ", "2 "},
                                          {"ranking#svmrank", "", "1 qid:1 ", "2 qid:1 "},
                                          {"contingency#svmlight_set", "", "1 ", "-1 "},
                                          {"clustering#item_pairs", "", "1 0 1 1 ", "1 1 2 -1 "},
                                          {"graph#graph", "graph g\n", "a ", "b "}};
  return all;
}

std::string text_of(const Format& format, const std::string& first, const std::string& second) {
  return format.head + format.first + first + "\n" + format.second + second + "\n";
}

LiveComponent& loaded(LiveComponent& dataset, const std::string& split, const std::string& text) {
  dataset.load(split, text);
  return dataset;
}

// The index and value of every entry.
std::vector<std::pair<std::int32_t, double>> entries_of(const LiveComponent& dataset) {
  std::vector<std::pair<std::int32_t, double>> entries;
  for (std::int64_t example = 0; example < example_count(dataset); ++example) {
    const sculpt_sites sites = sites_of(dataset, example);
    for (std::int64_t j = sites.row_from[0]; j < sites.row_from[sites.site_count]; ++j) {
      entries.emplace_back(sites.index[j], sites.value[j]);
    }
  }
  return entries;
}

}  // namespace

TEST_CASE("features count from 0 if an index of the training data is 0, else from 1") {
  for (const Format& format : formats()) {
    CAPTURE(format.dataset);
    LiveComponent from_1(format.dataset, format.parameters, SCULPT_KIND_DATASET);
    loaded(from_1, "train", text_of(format, "1:5 3:2", "2:4"));
    LiveComponent from_0(format.dataset, format.parameters, SCULPT_KIND_DATASET);
    loaded(from_0, "train", text_of(format, "0:5 2:2", "1:4"));
    CHECK(shape_of(from_1).feature_count == 3);
    CHECK(shape_of(from_0).feature_count == 3);
    CHECK(entries_of(from_0) == entries_of(from_1));
    CHECK(feature_name(from_1, 2).find("3") != std::string::npos);
    CHECK(feature_name(from_0, 2).find("2") != std::string::npos);
    LiveComponent restored(format.dataset, format.parameters, SCULPT_KIND_DATASET);
    restored.restore(from_0.save());
    loaded(restored, "predict", text_of(format, "1:7", "2:8"));
    CHECK(entries_of(restored) == std::vector<std::pair<std::int32_t, double>>{{1, 7}, {2, 8}});
  }
}

TEST_CASE("an index 0 with the value 0 counts too") {
  LiveComponent dataset("svmlight");
  dataset.load("train", "1 0:0 2:1\n2 1:1\n");
  CHECK(shape_of(dataset).feature_count == 3);
}

TEST_CASE("an index 0 that the training data do not have is refused, with the key") {
  for (const Format& format : formats()) {
    CAPTURE(format.dataset);
    const std::string refusal = refused_data(format.dataset, text_of(format, "0:1", "1:1"),
                                             text_of(format, "1:1", "2:1"), format.parameters);
    CHECK(contains(refusal,
                   ": index 0, but no row of the training data has an index 0, so features count "
                   "from 1; correct it, or train again with --set dataset.first_index=0"));
  }
}

TEST_CASE("first_index says where features count from") {
  for (const Format& format : formats()) {
    CAPTURE(format.dataset);
    nlohmann::json parameters = format.parameters;
    parameters["first_index"] = "0";
    LiveComponent from_0(format.dataset, parameters, SCULPT_KIND_DATASET);
    loaded(from_0, "train", text_of(format, "1:5 3:2", "2:4"));
    CHECK(shape_of(from_0).feature_count == 4);
    const std::string state = from_0.save();
    parameters["first_index"] = "1";
    const std::string refusal =
        refused_data(format.dataset, text_of(format, "0:1", "1:1"), "", parameters);
    CHECK(contains(refusal,
                   "index 0, but \"first_index\" is 1; count features from 1, "
                   "or add --set dataset.first_index=0"));
    CHECK(
        contains(refusal_of([&] {
                   LiveComponent(format.dataset, parameters, SCULPT_KIND_DATASET).restore(state);
                 }),
                 "first_index is 1, but the model was trained with 0; remove it, or train again"));
  }
}

TEST_CASE("a model from before first_index counts features from 1") {
  LiveComponent dataset("svmlight", nlohmann::json::object(), SCULPT_KIND_DATASET);
  std::string state = loaded(dataset, "train", "1 1:5 3:2\n2 2:4\n").save();
  state[0] = 1;                                                 // the version
  state.erase(2 * sizeof(std::int64_t), sizeof(std::int64_t));  // the first index
  const auto restore = [&](const char* first_index) {
    LiveComponent restored("svmlight", {{"first_index", first_index}}, SCULPT_KIND_DATASET);
    restored.restore(state);
    CHECK(shape_of(restored).feature_count == 3);
  };
  restore("learned");
  restore("1");
  CHECK(contains(refusal_of([&] { restore("0"); }),
                 "first_index is 0, but the model was trained with 1; remove it, or train again"));
}

TEST_CASE("files of kernel values are not taken for features from 0") {
  CHECK(contains(refused_data("svmlight", "1 0:1 1:4 2:1\n2 0:2 1:1 2:9\n"),
                 "data.txt:1:3: each row has its own number at index 0, as LIBSVM writes values of "
                 "kernels; remove these entries"));
}
