// Predictor: outputs, metrics and refusals on the toy.

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "core/problem/toy.hpp"
#include "core/refusal.hpp"
#include "problem/prediction/predictor.hpp"

using namespace sculpt::core;

namespace {

Vector weights_that_copy_observations() {
  Vector w = zero_weights();
  for (std::size_t k = 0; k < 3; ++k) w[k * 3 + k] = 1;  // observation k, label k
  return w;
}

const Metric* metric(const Evaluation& evaluation, const std::string& name) {
  for (const Metric& metric : evaluation.metrics) {
    if (metric.name == name) return &metric;
  }
  return nullptr;
}

// Predicts the split "predict" and returns all outputs as text.
std::string predict(const ProblemSpec& spec, int threads, const Vector& w, Evaluation& evaluation) {
  Problem problem(spec, Purpose::prediction, threads, {});
  Predictor predictor(problem, w, 1);
  std::string text;
  evaluation = predictor.run(problem.dataset().split("predict"),
                             [&](std::int64_t example, const Prediction& prediction) {
                               text += std::to_string(example) + ": " +
                                       problem.dataset().format(example, prediction.raw()) + "\n";
                             });
  return text;
}

}  // namespace

TEST_CASE("outputs come in order, and metrics are summed over labelled examples") {
  toy_plan() = {};
  toy_plan().prediction = {{{0, 1, 2}, {0, 1, 2}},
                           {{1}, {0}},
                           {{2, 2}, {}, false},
                           {{}, {}},
                           {{0, 1, 2, 0}, {1, 0, 1, 1}}};
  for (const sculpt_component* oracle : {&toy_oracle(), &toy_map_solver()}) {
    Evaluation evaluation;
    CHECK(predict(toy_spec(*oracle, "predict"), 2, weights_that_copy_observations(), evaluation) ==
          "0: 0 1 2\n1: 1\n2: 2 2\n3: \n4: 0 1 2 0\n");
    CHECK(evaluation.examples == 5);
    CHECK(evaluation.labelled_count == 4);
    CHECK(evaluation.unlabelled_count == 1);
    CHECK(evaluation.no_output_count == 0);
    REQUIRE(evaluation.metrics.size() == 4);
    CHECK(evaluation.metrics[0].name == "loss");
    CHECK(evaluation.metrics[0].value == doctest::Approx((0 + 1 + 0 + 4) / 4.0));
    // The losses 0, 1, 0, 4 have the mean 5/4. The sum of squares is divided by n - 1, then by n.
    const double variance = (2 * 1.25 * 1.25 + 0.25 * 0.25 + 2.75 * 2.75) / 3;
    CHECK(evaluation.loss_standard_error == doctest::Approx(std::sqrt(variance / 4)));
    CHECK(evaluation.metrics[1].name == "wrong");
    CHECK(evaluation.metrics[1].value == doctest::Approx(5 / 8.0));
    CHECK(evaluation.metrics[2].name == "length");
    CHECK(evaluation.metrics[2].value == doctest::Approx(8 / 4.0));
    // The dataset has a metric with the name of one of the loss. So the name of the dataset is put
    // in front.
    CHECK(evaluation.metrics[3].name == "chains.wrong");
    CHECK(evaluation.metrics[3].value == -1);
  }
}

TEST_CASE("prediction needs no loss and no labels") {
  toy_plan() = {};
  toy_plan().prediction = {{{0, 1, 2}, {}, false}};
  ProblemSpec spec = toy_spec(toy_map_solver(), "predict");
  spec.loss.reset();
  Evaluation evaluation;
  CHECK(predict(spec, 1, weights_that_copy_observations(), evaluation) == "0: 0 1 2\n");
  CHECK(evaluation.unlabelled_count == 1);
  CHECK(evaluation.metrics.empty());
  toy_plan().prediction[0] = {{0, 1}, {0, 0}};
  predict(spec, 1, weights_that_copy_observations(), evaluation);
  CHECK(metric(evaluation, "loss") == nullptr);
  CHECK(metric(evaluation, "length") != nullptr);
}

TEST_CASE("queries of a prediction carry no truth and no loss") {
  toy_plan() = {};
  toy_plan().prediction = {{{0, 1}, {1, 1}}};
  toy_plan().change_answer = [](const sculpt_query& query, sculpt_answer&) {
    CHECK(query.truth.data == nullptr);
    CHECK(query.loss_weight == 0);
    CHECK(query.weights.stamp != 0);
  };
  Evaluation evaluation;
  predict(toy_spec(toy_oracle(), "predict"), 1, weights_that_copy_observations(), evaluation);
}

TEST_CASE("examples without output have no loss, and metrics count them as entirely wrong") {
  toy_plan() = {};
  toy_plan().prediction = {{{0, 1, 2}, {0, 1, 2}}, {{1, 1}, {1, 0}}, {{2}, {2}}};
  toy_plan().change_answer = [](const sculpt_query& query, sculpt_answer& answer) {
    if (query.example == 0) answer.flags = SCULPT_ANSWER_NO_OUTPUT;
  };
  Evaluation evaluation;
  predict(toy_spec(toy_oracle(), "predict"), 2, weights_that_copy_observations(), evaluation);
  CHECK(evaluation.labelled_count == 3);
  CHECK(evaluation.measured_count == 2);
  CHECK(evaluation.no_output_count == 1);
  CHECK(metric(evaluation, "loss")->value == doctest::Approx(1 / 2.0));
  CHECK(metric(evaluation, "wrong")->value == doctest::Approx((3 + 1 + 0) / 6.0));
}

TEST_CASE("examples without output are counted, labelled or not") {
  toy_plan() = random_toy(30, 6);
  std::swap(toy_plan().training, toy_plan().prediction);
  toy_plan().change_answer = [](const sculpt_query& query, sculpt_answer& answer) {
    if (query.example < 10) answer.flags = SCULPT_ANSWER_NO_OUTPUT;
  };
  Evaluation evaluation;
  predict(toy_spec(toy_oracle(), "predict"), 2, weights_that_copy_observations(), evaluation);
  CHECK(evaluation.no_output_count == 10);
  CHECK(evaluation.labelled_count == 30);
  CHECK(evaluation.measured_count == 20);
  toy_plan().change_answer = [](const sculpt_query&, sculpt_answer& answer) {
    answer.flags = SCULPT_ANSWER_NO_OUTPUT;
  };
  predict(toy_spec(toy_oracle(), "predict"), 2, weights_that_copy_observations(), evaluation);
  CHECK(evaluation.no_output_count == 30);
  CHECK(evaluation.measured_count == 0);
  CHECK(std::isnan(metric(evaluation, "loss")->value));
  CHECK(metric(evaluation, "wrong")->value == 1);
}

TEST_CASE("metrics whose names are missing, taken or not unique are refused") {
  toy_plan() = random_toy(3, 1);
  Problem problem(toy_spec(toy_oracle()), Purpose::prediction, 1, {});
  const Vector w = zero_weights();
  const auto refusal_with = [&](std::vector<sculpt_metric> named) {
    toy_plan().change_metrics = [=](std::vector<sculpt_metric>& metrics) { metrics = named; };
    return refusal_of([&] { Predictor(problem, w, 1); });
  };
  for (const char* name : {"loss", "examples", "unlabelled", "no_output", "log_loss"}) {
    const Refusal refusal = refusal_with({{name, "taken", 0, 0}});
    CHECK(refusal.exit == Exit::plugin);
    CHECK(refusal.text == "errors: offers a metric \"" + std::string(name) +
                              "\"; that name is reserved, choose another");
  }
  CHECK(refusal_with({{nullptr, "none", 0, 0}}).text == "errors: offers a metric without a name");
  CHECK(refusal_with({{"", "none", 0, 0}}).text == "errors: offers a metric without a name");
  CHECK(refusal_with({{"f1", "one", 0, 0}, {"f1", "two", 0, 0}}).text ==
        "errors: offers two metrics \"f1\"");
  CHECK(refusal_with({{"f1", "one", 0, 0}, {"f2", nullptr, 0, 0}}).text == "(accepted)");
  for (const sculpt_metric& later : {sculpt_metric{"f1", "one", 4, 0}, {"f1", "one", 0, 1}}) {
    CHECK(refusal_with({later}).text ==
          "errors: offers the metric \"f1\" with flags that this host does not know; set unknown "
          "flags and the reserved field to 0");
  }
  CHECK(refusal_with({{"f1", "one", 3, 0}}).text ==
        "errors: offers the metric \"f1\", of which both higher and lower are better");
}

TEST_CASE("threads: one, two and four threads predict and measure the same bytes") {
  toy_plan() = random_toy(3000, 7);
  std::swap(toy_plan().training, toy_plan().prediction);
  toy_plan().change_loss = [](std::int64_t example, double& loss) {
    loss *= 1 + std::sin(static_cast<double>(example)) / 3;
  };
  const ProblemSpec spec = toy_spec(toy_oracle(), "predict");
  Evaluation one;
  const std::string text = predict(spec, 1, weights_that_copy_observations(), one);
  for (int threads : {2, 4}) {
    Evaluation other;
    CHECK(predict(spec, threads, weights_that_copy_observations(), other) == text);
    CHECK(other.metrics[0].value == one.metrics[0].value);
    CHECK(other.metrics[1].value == one.metrics[1].value);
  }
}

TEST_CASE("weights of another dimension are refused") {
  toy_plan() = random_toy(3, 1);
  Problem problem(toy_spec(toy_oracle()), Purpose::prediction, 1, {});
  const Vector w(20, 0.0);
  const Refusal refusal = refusal_of([&] { Predictor(problem, w, 1); });
  CHECK(refusal.exit == Exit::plugin);
  CHECK(refusal.says("counts: has 21 weights, but the model has 20"));
}

TEST_CASE("predictions that are all the same give a warning, if the truths differ") {
  const auto text_of = [](const Vector& w) {
    Evaluation evaluation;
    predict(toy_spec(toy_map_solver(), "predict"), 2, w, evaluation);
    return evaluation.warning;
  };
  const std::string remedy = "; try a larger C, other features or another loss";
  Vector always_one = zero_weights();
  for (std::size_t k = 0; k < 4; ++k) always_one[k * 3 + 1] = 1;  // every observation, label 1
  toy_plan() = {};
  toy_plan().prediction = {{{0, 1}, {0, 1}}, {{2, 2}, {1, 1}}, {{0, 0}, {}, false}};
  CHECK(text_of(always_one) == "all 2 predictions are the same, '1 1'" + remedy);
  CHECK(text_of(weights_that_copy_observations()).empty());
  toy_plan().prediction.push_back({{0, 1, 2}, {2, 1, 0}});
  CHECK(text_of(always_one) ==
        "all 3 predictions have one label everywhere, such as '1 1'" + remedy);
  toy_plan().prediction = {{{0, 1}, {1, 1}}, {{2}, {1}}};  // they are right
  CHECK(text_of(always_one).empty());
  toy_plan().prediction = {{{0, 1}, {0, 1}}};  // one example tells nothing
  CHECK(text_of(always_one).empty());
  // More examples than the predictor holds at a time. The last one differs.
  toy_plan().prediction.assign(3000, {{0, 1}, {0, 1}});
  toy_plan().prediction.push_back({{2}, {2}});
  CHECK(text_of(always_one) ==
        "all 3001 predictions have one label everywhere, such as '1 1'" + remedy);
  CHECK(text_of(weights_that_copy_observations()).empty());
}
