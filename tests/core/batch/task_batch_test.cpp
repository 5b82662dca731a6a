#include <doctest/doctest.h>
#include <sculpt/host/batch_task.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "base/failure.hpp"
#include "core/batch/listed_batch.hpp"

namespace sculpt::core {
namespace {

constexpr int task_losses[] = {SCULPT_BATCH_HINGE, SCULPT_BATCH_PERCEPTRON, SCULPT_BATCH_LOG_LOSS,
                               SCULPT_BATCH_SOFTMAX_MARGIN};

struct TaskCall {
  std::vector<std::int64_t> examples;
  std::vector<double> weights;
  std::vector<double> example_weights = {};
};

struct TaskResult {
  std::vector<double> values, gradient, upper_bounds;
  std::vector<std::int32_t> exact;
  std::vector<std::vector<std::int32_t>> outputs;

  bool operator==(const TaskResult&) const = default;
};

class OpenTaskHandle {
 public:
  explicit OpenTaskHandle(const std::string& experiment, int threads = 1) {
    sculpt_batch_task_options options = {};
    options.struct_size = sizeof options;
    options.threads = threads;
    options.experiment = experiment.c_str();
    const char* const folder = SCULPT_PLUGIN_FOLDER;
    options.plugin_path = &folder;
    options.plugin_path_count = 1;
    sculpt_failure* failure = nullptr;
    const sculpt_exit exit = sculpt_batch_task_open(&options, &task_, &failure);
    require_success(exit, failure);
  }
  ~OpenTaskHandle() { sculpt_batch_task_free(task_); }
  OpenTaskHandle(const OpenTaskHandle&) = delete;
  OpenTaskHandle& operator=(const OpenTaskHandle&) = delete;
  sculpt_batch_task* get() { return task_; }
  std::size_t dimension() const {
    return static_cast<std::size_t>(sculpt_batch_task_dimension(task_));
  }

  // `kind`: a loss, or ListedBatch::best or log_z.
  TaskResult compute(int kind, const TaskCall& call) {
    sculpt_batch_task_input input = {};
    input.struct_size = sizeof input;
    input.examples = call.examples.data();
    input.example_count = static_cast<std::int64_t>(call.examples.size());
    input.weights = call.weights.data();
    input.weights_size = static_cast<std::int64_t>(call.weights.size());
    if (!call.example_weights.empty()) input.example_weights = call.example_weights.data();
    TaskResult out;
    out.values.resize(call.examples.size(), -1);
    out.upper_bounds.resize(call.examples.size(), -1);
    out.exact.resize(call.examples.size(), -1);
    out.gradient.resize(call.weights.size(), -1);
    sculpt_batch_task_output output = {};
    output.struct_size = sizeof output;
    output.values = out.values.data();
    output.gradient = out.gradient.data();
    output.exact = out.exact.data();
    output.upper_bounds = out.upper_bounds.data();
    sculpt_failure* failure = nullptr;
    const sculpt_exit exit = kind == ListedBatch::best
                                 ? sculpt_batch_task_decode(task_, &input, &output, &failure)
                             : kind == ListedBatch::log_z
                                 ? sculpt_batch_task_expectations(task_, &input, &output, &failure)
                                 : sculpt_batch_task_loss(task_, kind, &input, &output, &failure);
    require_success(exit, failure);
    const std::int64_t* label_from = nullptr;
    const std::int32_t* labels = nullptr;
    sculpt_batch_task_outputs(task_, &label_from, &labels);
    for (std::size_t k = 0; label_from != nullptr && k < call.examples.size(); ++k) {
      out.outputs.emplace_back(labels + label_from[k], labels + label_from[k + 1]);
    }
    return out;
  }

 private:
  sculpt_batch_task* task_ = nullptr;
};

// Three rows of two features, with one of three classes each.
constexpr double rows[3][2] = {{1, 0.5}, {0, 1}, {-1, 2}};
constexpr std::size_t classes[3] = {0, 1, 2};
const char* const points = R"({
  "dataset": {"use": "svmlight", "train": {"text": "1 1:1 2:0.5\n2 2:1\n3 1:-1 2:2\n"}},
  "features": "multiclass", "loss": "zero_one", "oracle": "viterbi"})";

// Value and gradient by the formulas, at w[feature][class]. Adds scale times the gradient.
double point_value(int kind, std::size_t example, const double* w, double scale, double* gradient) {
  const bool has_delta = kind == SCULPT_BATCH_HINGE || kind == SCULPT_BATCH_SOFTMAX_MARGIN;
  const bool is_loss = kind != ListedBatch::best && kind != ListedBatch::log_z;
  const bool sums = kind == SCULPT_BATCH_LOG_LOSS || kind == SCULPT_BATCH_SOFTMAX_MARGIN ||
                    kind == ListedBatch::log_z;
  const double* const x = rows[example];
  const std::size_t truth = classes[example];
  double score[3];
  double sum = 0;
  std::size_t best = 0;
  for (std::size_t y = 0; y < 3; ++y) {
    score[y] = w[y] * x[0] + w[3 + y] * x[1] + (has_delta && y != truth ? 1 : 0);
    sum += std::exp(score[y]);
    if (score[y] > score[best]) best = y;
  }
  for (std::size_t y = 0; y < 3; ++y) {
    const double p = sums ? std::exp(score[y]) / sum : static_cast<double>(y == best);
    const double slope = p - (is_loss && y == truth ? 1 : 0);
    for (std::size_t j = 0; j < 2; ++j) gradient[3 * j + y] += scale * slope * x[j];
  }
  return (sums ? std::log(sum) : score[best]) - (is_loss ? score[truth] : 0);
}

std::vector<double> drawn(std::size_t size, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> numbers(size);
  for (double& number : numbers) number = normal(random);
  return numbers;
}

void require_points(OpenTaskHandle& task, int kind, const TaskCall& call) {
  CAPTURE(kind);
  const TaskResult found = task.compute(kind, call);
  const bool shares = call.weights.size() == task.dimension();
  std::vector<double> gradient(call.weights.size(), 0.0);
  for (std::size_t k = 0; k < call.examples.size(); ++k) {
    const std::size_t from = shares ? 0 : 6 * k;
    const double scale = call.example_weights.empty() ? 1 : call.example_weights[k];
    const double value = point_value(kind, static_cast<std::size_t>(call.examples[k]),
                                     call.weights.data() + from, scale, gradient.data() + from);
    CHECK(found.values[k] == doctest::Approx(value).epsilon(1e-9).scale(1));
    CHECK(found.upper_bounds[k] == doctest::Approx(value).epsilon(1e-9).scale(1));
    CHECK(found.exact[k] == 1);
  }
  for (std::size_t j = 0; j < gradient.size(); ++j) {
    CHECK(found.gradient[j] == doctest::Approx(gradient[j]).epsilon(1e-9).scale(1));
  }
}

const char* const trees = R"({
  "dataset": {"use": "trees", "train": {"text":
    "(S (NP (N a)) (VP (V b) (NP (NP (N c)) (PP (P d) (NP (N e))))))\n(S (VP (V b) (NP (N c))))\n(S (NP (N a)) (VP (VP (V b) (NP (N c))) (PP (P d) (NP (N e)))))\n"}},
  "features": "grammar", "loss": "f1", "oracle": "grammar"})";

void require_refused(Exit exit, const std::string& text, const std::function<void()>& call) {
  try {
    call();
    FAIL("not refused: " << text);
  } catch (const Failure& failure) {
    CHECK(failure.exit_code() == exit);
    CHECK_MESSAGE(std::string(failure.what()).find(text) != std::string::npos, failure.what());
  }
}

}  // namespace

TEST_CASE("task batch: values and gradients of classes are those of the formulas") {
  OpenTaskHandle task(points);
  REQUIRE(task.dimension() == 6);
  REQUIRE(sculpt_batch_task_examples(task.get()) == 3);
  for (std::uint32_t seed = 1; seed <= 3; ++seed) {
    const std::vector<std::int64_t> examples = {2, 0, 0, 1};
    for (const std::size_t size : {std::size_t{6}, std::size_t{24}}) {  // shared, or each its own
      TaskCall call{examples, drawn(size, seed)};
      for (const int kind : task_losses) require_points(task, kind, call);
      require_points(task, ListedBatch::best, call);
      call.example_weights = {0.5, 2, 1, -1};
      require_points(task, SCULPT_BATCH_HINGE, call);
      require_points(task, ListedBatch::log_z, call);
    }
  }
}

TEST_CASE("task batch: a network gives weights to the rules of a grammar") {
  OpenTaskHandle task(trees);
  const std::size_t dimension = task.dimension();
  TaskCall call{{0, 1, 2}, drawn(3 * dimension, 5)};
  for (const int kind :
       {SCULPT_BATCH_LOG_LOSS + 0, SCULPT_BATCH_PERCEPTRON + 0, SCULPT_BATCH_HINGE + 0}) {
    const TaskResult found = task.compute(kind, call);
    CHECK(*std::min_element(found.values.begin(), found.values.end()) >= 0);
    constexpr double step = 1e-5;
    for (std::size_t j = 0; j < call.weights.size(); ++j) {
      TaskCall changed = call;
      changed.weights[j] += step;
      const double above = task.compute(kind, changed).values[j / dimension];
      changed.weights[j] -= 2 * step;
      const double below = task.compute(kind, changed).values[j / dimension];
      CHECK(found.gradient[j] ==
            doctest::Approx((above - below) / (2 * step)).epsilon(1e-5).scale(1));
    }
  }
  // Gradient steps on each sentence's own weights make its tree the best one.
  for (int k = 0; k < 100; ++k) {
    const TaskResult found = task.compute(SCULPT_BATCH_LOG_LOSS, call);
    for (std::size_t j = 0; j < call.weights.size(); ++j) call.weights[j] -= found.gradient[j];
  }
  for (const double value : task.compute(SCULPT_BATCH_PERCEPTRON, call).values) CHECK(value == 0);
}

TEST_CASE("task batch: a truth with an unknown label is compared with the best that agrees") {
  const auto graph = [](const std::string& last) {
    return "graph g\\na 1:1\\nb 2:1\\n" + last + "1:0.5 2:1\\nedge 1 2\\nedge 2 3\\nedge 3 1\\n";
  };
  OpenTaskHandle task(R"({"dataset": {"use": "graph", "train": {"text": ")" + graph("") +
                      graph("a ") + graph("b ") +
                      R"("}}, "features": "graph", "loss": "hamming", "oracle": "enumerate"})");
  for (std::uint32_t seed = 1; seed <= 5; ++seed) {
    const TaskCall call{{0, 1, 2}, drawn(task.dimension(), seed)};
    const std::vector<double> values = task.compute(SCULPT_BATCH_PERCEPTRON, call).values;
    CHECK(values[0] == doctest::Approx(std::min(values[1], values[2])));
    CHECK(task.compute(SCULPT_BATCH_HINGE, call).values[0] >= values[0]);
    require_refused(Exit::data, "use the hinge or the perceptron",
                    [&] { (void)task.compute(SCULPT_BATCH_LOG_LOSS, call); });
  }
}

TEST_CASE("task batch: weights that must not be negative are checked") {
  OpenTaskHandle task(R"({"dataset": {"use": "graph", "train": {"text":
    "graph g\na 1:1\nb 2:1\nedge 1 2\n"}},
    "features": {"use": "graph", "pairs": "potts", "nonnegative": ["pairs"]},
    "loss": "hamming", "oracle": "graph_cut"})");
  TaskCall call{{0}, std::vector<double>(task.dimension(), 1.0)};
  CHECK(task.compute(SCULPT_BATCH_HINGE, call).exact[0] == 1);
  call.weights.assign(task.dimension(), -1.0);
  require_refused(Exit::data, "is not negative",
                  [&] { (void)task.compute(SCULPT_BATCH_HINGE, call); });
}

TEST_CASE("threads: a task batch gives the same bytes on one and two threads") {
  std::string text;
  for (int k = 0; k < 100; ++k) {
    text += std::to_string(1 + k % 3) + " 1:" + std::to_string(k % 7) +
            " 2:" + std::to_string(0.1 * k) + "\\n";
  }
  const std::string experiment = R"({"dataset": {"use": "svmlight", "train": {"text": ")" + text +
                                 R"("}}, "features": "multiclass", "loss": "zero_one",
                                 "oracle": "viterbi"})";
  OpenTaskHandle one(experiment, 1);
  OpenTaskHandle two(experiment, 2);
  TaskCall call{{}, drawn(6, 1)};
  for (std::int64_t k = 0; k < 100; ++k) call.examples.push_back(k);
  for (const int kind : task_losses) CHECK(one.compute(kind, call) == two.compute(kind, call));
}

TEST_CASE("task batch: wrong calls and experiments are refused") {
  OpenTaskHandle task(points);
  const TaskCall right{{0, 1}, drawn(6, 1)};
  const auto refused = [&](Exit exit, const char* text, const std::function<void(TaskCall&)>& f) {
    TaskCall call = right;
    f(call);
    require_refused(exit, text, [&] { (void)task.compute(SCULPT_BATCH_HINGE, call); });
  };
  refused(Exit::usage, "examples[1] is 3; there are 3 examples",
          [](TaskCall& c) { c.examples[1] = 3; });
  refused(Exit::usage, "weights_size is 7; it must be 6", [](TaskCall& c) { c.weights.resize(7); });
  refused(Exit::data, "weight 2 of element 0 is nan",
          [](TaskCall& c) { c.weights[2] = std::nan(""); });
  refused(Exit::data, "weight 1 of element 1 is inf", [](TaskCall& c) {
    c.weights.assign(12, 0.0);
    c.weights[7] = INFINITY;
  });
  refused(Exit::data, "example_weights[1]", [](TaskCall& c) { c.example_weights = {1, INFINITY}; });
  CHECK(sculpt_batch_task_loss(task.get(), 9, nullptr, nullptr, nullptr) == SCULPT_EXIT_USAGE);
  CHECK(sculpt_batch_task_decode(nullptr, nullptr, nullptr, nullptr) == SCULPT_EXIT_USAGE);
  OpenTaskHandle parsing(trees);
  const TaskCall rules{{0}, drawn(parsing.dimension(), 1)};
  require_refused(Exit::config,
                  "grammar: ", [&] { (void)parsing.compute(SCULPT_BATCH_SOFTMAX_MARGIN, rules); });
  require_refused(Exit::config, "experiment:1:1", [] { OpenTaskHandle("[]"); });
  require_refused(Exit::config, "features", [] { OpenTaskHandle(R"({"dataset": "svmlight"})"); });
}

}  // namespace sculpt::core
