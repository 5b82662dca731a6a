// sculpt_batch_task_open() with arrays of the caller.

#include <cstddef>

#include "host/caller.hpp"

using namespace sculpt::test;

namespace {

using TaskHandle = std::unique_ptr<sculpt_batch_task, Freed<sculpt_batch_task_free>>;

constexpr const char* parts = R"("features": "multiclass", "loss": "zero_one",
                                 "oracle": "enumerate"})";

std::string with_train(const std::string& use, const std::string& train) {
  return R"({"dataset": {"use": ")" + use + R"(", "train": )" + train + "}, " + parts;
}

TaskHandle opened(const sculpt_batch_task_options& options) {
  sculpt_batch_task* task = nullptr;
  const Ended end = ended(
      [&](sculpt_failure** failure) { return sculpt_batch_task_open(&options, &task, failure); });
  INFO(end.text);
  REQUIRE(end.reached());
  return TaskHandle(task);
}

std::string refusal(const sculpt_batch_task_options& options) {
  sculpt_batch_task* task = nullptr;
  const Ended end = ended(
      [&](sculpt_failure** failure) { return sculpt_batch_task_open(&options, &task, failure); });
  CHECK(task == nullptr);
  return end.text;
}

// The hinge losses of the examples at some weights, then the gradient.
std::vector<double> losses(const TaskHandle& task) {
  REQUIRE(sculpt_batch_task_examples(task.get()) == 3);
  REQUIRE(sculpt_batch_task_dimension(task.get()) == 4);
  const std::vector<std::int64_t> examples = {0, 1, 2};
  const std::vector<double> weights = {-0.5, 1, -2, 0.25};
  std::vector<double> found(3 + weights.size());
  auto input = record<sculpt_batch_task_input>();
  input.examples = examples.data();
  input.example_count = 3;
  input.weights = weights.data();
  input.weights_size = 4;
  auto output = record<sculpt_batch_task_output>();
  output.values = found.data();
  output.gradient = found.data() + 3;
  const Ended end = ended([&](sculpt_failure** failure) {
    return sculpt_batch_task_loss(task.get(), SCULPT_BATCH_HINGE, &input, &output, failure);
  });
  INFO(end.text);
  REQUIRE(end.reached());
  return found;
}

struct Points {
  Points() {
    rows.state_count = 2;
    rows.example_count = rows.site_count = 3;
    rows.feature_count = 2;
    rows.value = values.data();
    rows.label = labels.data();
  }
  std::vector<double> values = {1, 0, 0, 1, 3, 2};
  std::vector<std::int32_t> labels = {0, 1, 1};
  sculpt_memory_rows rows = record<sculpt_memory_rows>();
};

}  // namespace

TEST_CASE("a batch task of lent arrays has the losses of the same text") {
  const std::string of_text = with_train("svmlight", R"({"text": "1 1:1\n2 2:1\n2 1:3 2:2\n"})");
  auto text_options = record<sculpt_batch_task_options>();
  text_options.experiment = of_text.c_str();

  Points points;
  const sculpt_lent_rows lent[] = {{"points", &points.rows}};
  const std::string of_arrays = with_train("arrays", R"({"memory": "points"})");
  auto options = record<sculpt_batch_task_options>();
  options.experiment = of_arrays.c_str();
  options.lent = lent;
  options.lent_count = 1;
  const TaskHandle task = opened(options);
  const std::vector<double> expected = losses(opened(text_options));
  CHECK(losses(task) == expected);
  CHECK(expected[0] > 0);
  points.values[0] = 2;  // borrowed, not copied
  CHECK(losses(task) != expected);
}

TEST_CASE("a batch task names arrays that nobody lends, and wrong ones") {
  Points points;
  const sculpt_lent_rows lent[] = {{"points", &points.rows}};
  const std::string experiment = with_train("arrays", R"({"memory": "points"})");
  auto options = record<sculpt_batch_task_options>();
  options.experiment = experiment.c_str();
  CHECK(refusal(options).find("no arrays are lent under the name \"points\"") != std::string::npos);
  options.lent = lent;
  options.lent_count = 1;
  // A program that was built before has a shorter record.
  options.struct_size = offsetof(sculpt_batch_task_options, lent);
  CHECK(refusal(options).find("no arrays are lent") != std::string::npos);
  options.struct_size = sizeof options;
  options.lent_count = -1;
  CHECK(refusal(options) == "sculpt_batch_task_open: lent_count is below 0");
  options.lent_count = 1;
  options.lent = nullptr;
  CHECK(refusal(options) == "sculpt_batch_task_open: lent is NULL");
  options.lent = lent;
  points.labels[1] = 7;
  CHECK(refusal(options).find("example 1") != std::string::npos);
}
