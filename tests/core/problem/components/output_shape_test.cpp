// OutputShapes: where the shape of outputs comes from, and what does not fit it.

#include "problem/components/output_shape.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <string>
#include <vector>

#include "core/problem/separation.hpp"
#include "core/problem/toy.hpp"
#include "core/problem/training_refusal.hpp"
#include "core/refusal.hpp"
#include "problem/prediction/predictor.hpp"

using namespace sculpt::core;

namespace {

ToyPlan::FillShape shape_of(std::int64_t min_size, std::int64_t max_size,
                            std::int32_t state_count) {
  return [=](std::int64_t, sculpt_output_shape& shape) {
    shape.min_size = min_size;
    shape.max_size = max_size;
    shape.state_count = state_count;
  };
}

// A plan with one example of three positions, whose shape comes from nowhere.
ToyPlan without_shape() {
  ToyPlan plan;
  plan.training = {{{0, 1, 2}, {0, 1, 2}}};
  plan.features_offer_graph = false;
  return plan;
}

std::string source() {
  Problem problem(toy_spec(toy_oracle()), Purpose::checking, 1, {});
  return problem.output_shapes().is_known() ? problem.output_shapes().source_text() : "unknown";
}

// What the current plan says of an output of example 0.
std::string fault(std::vector<std::int32_t> y) {
  Problem problem(toy_spec(toy_oracle()), Purpose::checking, 1, {});
  return problem.output_shapes().fault(0, 0, {y.data(), std::ssize(y)});
}

// The refusal of an answer with these labels about an example of three positions.
Refusal answer_refusal(const std::vector<std::int32_t>& labels) {
  toy_plan().change_answer = [&](const sculpt_query&, sculpt_answer& answer) {
    sculpt_resize_labels(&answer.labels, std::ssize(labels));
    std::copy(labels.begin(), labels.end(), answer.labels.data);
  };
  return refusal_of([] { separate_all(toy_oracle(), 1, zero_weights()); });
}

}  // namespace

TEST_CASE("the shape comes from features, then their graph, then the dataset, then its sites") {
  toy_plan() = without_shape();
  CHECK(source() == "unknown");
  toy_plan().rows = {{1}};
  toy_plan().training = {{{0}, {1}}};
  CHECK(source() ==
        "the sites of chains say; features with other outputs offer sculpt.output-shape/1");
  CHECK(fault({0, 1}) ==
        "has 2 labels; the outputs of this example have 1, as the sites of chains say; features "
        "with other outputs offer sculpt.output-shape/1");
  toy_plan().shape_of_dataset = shape_of(1, 1, 3);
  CHECK(source() == "chains says (sculpt.output-shape/1)");
  toy_plan().features_offer_graph = true;
  CHECK(source() == "the factor graph of counts says");
  toy_plan().shape_of_features = shape_of(1, 1, 3);
  CHECK(source() == "counts says (sculpt.output-shape/1)");
}

TEST_CASE("an answer of another size is refused, whatever its shape comes from") {
  for (const char* from : {"features", "graph", "dataset"}) {
    CAPTURE(from);
    toy_plan() = without_shape();
    const std::string where(from);
    if (where == "features") toy_plan().shape_of_features = shape_of(3, 3, 3);
    if (where == "graph") toy_plan().features_offer_graph = true;
    if (where == "dataset") toy_plan().shape_of_dataset = shape_of(3, 3, 3);
    for (const std::vector<std::int32_t>& wrong :
         {std::vector<std::int32_t>{1}, std::vector<std::int32_t>{}, {0, 1, 2, 0}}) {
      const Refusal refusal = answer_refusal(wrong);
      CHECK(refusal.exit == Exit::plugin);
      CHECK(refusal.says("all: example 0: its answer has " + std::to_string(wrong.size()) +
                         (wrong.size() == 1 ? " label" : " labels") +
                         "; the outputs of this example have 3, as "));
    }
    CHECK(answer_refusal({0, 3, 2}).says(
        "its answer has the label 3 at position 1, which is outside [0, 3), as "));
    CHECK(answer_refusal({0, 1, -7})
              .says("its answer has the label -7 at position 2, which is outside [0, 3), as "));
    CHECK(
        answer_refusal({-1, 1, 2})
            .says(
                "its answer has the label -1 at position 0; only truths may have unknown labels"));
  }
}

TEST_CASE("a shape may have a range of sizes, labels of any value, and states of each position") {
  toy_plan() = without_shape();
  toy_plan().shape_of_features = shape_of(2, 4, 0);
  CHECK(fault({0, INT32_MAX}).empty());
  CHECK(fault({0, 0, 0, 0}).empty());
  CHECK(fault({0}) ==
        "has 1 label; the outputs of this example have 2 to 4, as counts says "
        "(sculpt.output-shape/1)");
  CHECK(fault({0, 0, 0, 0, 0}).starts_with("has 5 labels; "));
  CHECK(fault({0, -2}) ==
        "has the label -2 at position 1, which is negative, as counts says "
        "(sculpt.output-shape/1)");
  toy_plan().shape_of_features = shape_of(2, INT64_MAX, 5);
  CHECK(fault({0}).starts_with("has 1 label; the outputs of this example have at least 2, as "));
  CHECK(fault(std::vector<std::int32_t>(1000, 4)).empty());
  CHECK(fault({4, 5}).starts_with("has the label 5 at position 1, which is outside [0, 5), as "));
  static const std::int32_t states[] = {3, 1, 7};
  toy_plan().shape_of_features = [](std::int64_t, sculpt_output_shape& shape) {
    shape.min_size = shape.max_size = 3;
    shape.states = states;
  };
  toy_plan().training[0].truth = {0, 0, 2};
  CHECK(fault({2, 0, 6}).empty());
  CHECK(
      fault({2, 1, 6}).starts_with("has the label 1 at position 1, which is outside [0, 1), as "));
  CHECK(fault({-1, 0, 6}) == "has the label -1 at position 0; only truths may have unknown labels");
}

TEST_CASE("the shape of an example with a truth is asked for once") {
  toy_plan() = without_shape();
  toy_plan().prediction = {{{0, 1, 2}, {0, 1, 2}}, {{0, 1}, {}, false}};
  int asked = 0;
  toy_plan().shape_of_features = [&asked](std::int64_t example, sculpt_output_shape& shape) {
    shape.min_size = shape.max_size = example == 0 ? 3 : 2;
    ++asked;
  };
  Problem problem(toy_spec(toy_oracle(), "predict"), Purpose::prediction, 1, {});
  const int before = asked;
  for (int k = 0; k < 3; ++k) {
    CHECK(problem.output_shapes().of(0, 0).min_size == 3);
    CHECK(problem.output_shapes().of(0, 1).min_size == 2);
  }
  CHECK(asked == before + 3);  // about the example without a truth alone
}

TEST_CASE("if nothing is known of the outputs, only the label -1 is refused") {
  toy_plan() = without_shape();
  CHECK(
      answer_refusal({0, -1, 2})
          .says("its answer has the label -1 at position 1; only truths may have unknown labels"));
}

TEST_CASE("the output of a frontier is held against the shape") {
  toy_plan() = three_positions();
  toy_plan().features_offer_graph = false;
  toy_plan().shape_of_features = shape_of(3, 3, 3);
  Problem problem(toy_spec(toy_oracle(), slack_rescaling), Purpose::training, 1, {});
  toy_plan().change_output = [](sculpt_label_buffer& labels) { labels.size = 1; };
  const Vector w = zero_weights();
  sculpt_query query = {};
  query.struct_size = sizeof query;
  query.truth = problem.dataset().truth(0);
  query.weights = {w.data(), std::ssize(w), 1};
  problem.oracle().begin_frontier(0, query);
  Answer answer;
  const Refusal refusal = refusal_of([&] {
    problem.oracle().frontier_output(0, 0, Counts{3, 0}, answer);
  });
  CHECK(refusal.exit == Exit::plugin);
  CHECK(refusal.says("example 0: its answer has 1 label; the outputs of this example have 3, as "));
}

TEST_CASE("an answer in prediction is held against the shape") {
  toy_plan() = without_shape();
  toy_plan().prediction = {{{0, 1, 2}, {0, 1, 2}}, {{0, 1}, {}, false}};
  toy_plan().shape_of_features = [](std::int64_t example, sculpt_output_shape& shape) {
    shape.min_size = shape.max_size = example == 0 ? 3 : 2;
  };
  toy_plan().change_answer = [](const sculpt_query& query, sculpt_answer& answer) {
    if (query.example == 1) answer.labels.size = 1;
  };
  Problem problem(toy_spec(toy_oracle(), "predict"), Purpose::prediction, 1, {});
  const Vector w = zero_weights();
  const Refusal refusal =
      refusal_of([&] { Predictor(problem, w, 1).run(problem.dataset().split("predict"), {}); });
  CHECK(refusal.exit == Exit::plugin);
  CHECK(refusal.says("example 1: its answer has 1 label; the outputs of this example have 2, as "));
}

TEST_CASE("a truth of another shape is a data error, before the loss reads it") {
  const auto truth_refusal = [](const std::vector<std::int32_t>& truth) {
    toy_plan() = random_toy(10, 1);
    toy_plan().training[4] = {{0, 1}, truth};
    bool is_read = false;
    toy_plan().inject_error = [&](const std::string& function, std::int64_t) {
      is_read = is_read || function == "loss.bind";
      return SCULPT_OK;
    };
    const Refusal refusal = training_refusal(toy_spec(toy_oracle()));
    CHECK_FALSE(is_read);
    return refusal;
  };
  const Refusal short_truth = truth_refusal({0});
  CHECK(short_truth.exit == Exit::data);
  CHECK(short_truth.text ==
        "chains: example 4: its truth has 1 label; the outputs of this example have 2, as the "
        "factor graph of counts says");
  CHECK(truth_refusal({0, 1, 2}).says("its truth has 3 labels; "));
  CHECK(truth_refusal({0, 3}).says("its truth has the label 3 at position 1, which is outside"));
}

TEST_CASE("a factor graph with a negative number of states is refused before its shape is used") {
  toy_plan() = {};
  toy_plan().training = {{{0}, {1}}, {{2}, {0}}};
  toy_plan().change_graph = [](std::int64_t example, ToyPlan::Graph& graph) {
    if (example == 1) graph.states.at(0) = -1;
  };
  const Refusal refusal = training_refusal(toy_spec(toy_oracle()));
  CHECK(refusal.exit == Exit::plugin);
  CHECK(refusal.text == "counts: example 1: variable 0 of its factor graph has -1 states");
}

TEST_CASE("a truth with unknown labels fits a shape, outside of training") {
  toy_plan() = random_toy(3, 1);
  toy_plan().prediction = {{{0, 1}, {-1, 2}}, {{0, 1}, {-1, -1}}, {{2}, {}, false}};
  CHECK_NOTHROW(Problem(toy_spec(toy_oracle(), "predict"), Purpose::prediction, 1, {}));
  toy_plan().prediction[1].truth = {-1, 3};
  CHECK(refusal_of([] {
          Problem(toy_spec(toy_oracle(), "predict"), Purpose::prediction, 1, {});
        }).says("example 1: its truth has the label 3 at position 1, which is outside [0, 3)"));
}

TEST_CASE("an unknown label of a truth is refused where no label is possible") {
  static constexpr std::int32_t states[] = {3, 0};
  toy_plan() = {};
  toy_plan().training = {{{0}, {1}}};
  toy_plan().prediction = {{{0, 1}, {-1, -1}}};
  toy_plan().shape_of_features = [](std::int64_t, sculpt_output_shape& shape) {
    shape.min_size = 1;
    shape.max_size = 2;
    shape.states = states;
  };
  CHECK(refusal_of([] {
          Problem(toy_spec(toy_oracle(), "predict"), Purpose::prediction, 1, {});
        }).says("its truth has an unknown label at position 1, where no label is possible, as"));
}

TEST_CASE("an impossible shape is an error of the component that gives it") {
  const auto shape_refusal = [](const std::function<void(sculpt_output_shape&)>& change) {
    toy_plan() = without_shape();
    toy_plan().shape_of_features = [&](std::int64_t, sculpt_output_shape& shape) {
      shape.min_size = shape.max_size = 3;
      change(shape);
    };
    const Refusal refusal = training_refusal(toy_spec(toy_oracle()));
    CHECK(refusal.exit == Exit::plugin);
    return refusal.text;
  };
  CHECK(shape_refusal([](auto& shape) { shape.min_size = 4; }) ==
        "counts: example 0: gives a shape of outputs of 4 to 3 labels; the sizes must be 0 or "
        "more, the smaller one first");
  CHECK(shape_refusal([](auto& shape) { shape.min_size = -1; }).ends_with("smaller one first"));
  CHECK(shape_refusal([](auto& shape) { shape.state_count = -2; }) ==
        "counts: example 0: gives a shape of outputs with -2 states; set 0 if any label is "
        "possible");
  for (const bool flag : {true, false}) {
    CHECK(shape_refusal([&](auto& shape) { (flag ? shape.flags : shape.reserved) = 4; }) ==
          "counts: example 0: gives a shape of outputs with flags that this host does not know; "
          "set its other flags and reserved fields to 0");
  }
  static const std::int32_t states[] = {3, -1, 3};
  CHECK(shape_refusal([](auto& shape) { shape.states = states; }) ==
        "counts: example 0: gives a shape of outputs with -1 states at position 1; it must be 0 "
        "or more");
  CHECK(shape_refusal([](auto& shape) {
          shape.states = states;
          shape.max_size = INT64_MAX;
        }).find("positions; set states to NULL") != std::string::npos);
}

TEST_CASE("a shape that all examples have is asked for once") {
  for (const bool same : {false, true}) {
    toy_plan() = {};
    toy_plan().training = std::vector<ToyExample>(20, ToyExample{{0, 1, 2}, {0, 1, 2}});
    toy_plan().shape_of_features = [&](std::int64_t, sculpt_output_shape& shape) {
      shape.min_size = shape.max_size = 3;
      shape.flags = same ? SCULPT_SHAPE_SAME | SCULPT_SHAPE_COMPLETE : 0;
    };
    std::atomic<int> calls = 0;
    toy_plan().inject_error = [&](const std::string& function, std::int64_t) {
      if (function == "features.shape") ++calls;
      return SCULPT_OK;
    };
    Problem problem(toy_spec(toy_oracle()), Purpose::training, 2, {});
    CHECK((calls == 1) == same);
    const OutputShape shape = problem.output_shapes().of(0, 7);
    CHECK(shape.is_complete == same);
    CHECK(shape.is_same_for_all == same);
    CHECK(shape.label_limit(2) == std::int64_t{1} << 31);
  }
}

TEST_CASE("an error in the shape of outputs has the function's status and the example") {
  toy_plan() = without_shape();
  toy_plan().shape_of_features = shape_of(3, 3, 3);
  toy_plan().inject_error = [](const std::string& function, std::int64_t) {
    return function == "features.shape" ? SCULPT_E_INTERNAL : SCULPT_OK;
  };
  const Refusal refusal = training_refusal(toy_spec(toy_oracle()));
  CHECK(refusal.exit == Exit::plugin);
  CHECK(refusal.text == "counts: example 0: toy trouble");
}
