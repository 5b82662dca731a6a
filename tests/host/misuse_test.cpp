// Wrong calls of libsculpt: NULL, records of another size, counts below 0, unknown choices, handles
// of a parent process. They are refused by name, and nothing is read or written.

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstring>

#include "host/caller.hpp"

using namespace sculpt::test;

namespace {

void check_usage(const Ended& end, const std::string& text) {
  CHECK(end.exit == SCULPT_EXIT_USAGE);
  CHECK(end.text == text);
}

// A session, a model and examples, and the records of calls.
struct Ready {
  SessionHandle session = open_session();
  ModelHandle model = trained(session.get());
  ExamplesHandle examples = read_text(session.get(), model, points);
  sculpt_outputs outputs = record<sculpt_outputs>();
  sculpt_rows rows = record<sculpt_rows>();
  sculpt_examples* none = nullptr;

  Ended read(const sculpt_examples_source* source) {
    return ended([&](sculpt_failure** failure) {
      return sculpt_examples_read(session.get(), model.get(), source, &none, failure);
    });
  }
  Ended predict(const sculpt_predict_options* options) {
    return ended([&](sculpt_failure** failure) {
      return sculpt_predict(examples.get(), options, &outputs, failure);
    });
  }
};

}  // namespace

TEST_CASE("what is asked of NULL is empty, and freeing NULL does nothing") {
  std::int64_t size = 7;
  CHECK(sculpt_model_bytes(nullptr, &size) == nullptr);
  CHECK(size == 0);
  CHECK(sculpt_model_weights(nullptr, nullptr) == nullptr);
  CHECK(std::strlen(sculpt_model_header(nullptr)) == 0);
  CHECK(sculpt_examples_count(nullptr) == 0);
  CHECK(std::strlen(sculpt_failure_text(nullptr)) == 0);
  CHECK(std::strlen(sculpt_failure_advice(nullptr)) == 0);
  CHECK(sculpt_failure_exit(nullptr) == SCULPT_EXIT_REACHED);
  CHECK(sculpt_failure_example(nullptr) == -1);
  sculpt_session_stop(nullptr);
  sculpt_session_request_checkpoint(nullptr);
  sculpt_session_free(nullptr);
  sculpt_model_free(nullptr);
  sculpt_examples_free(nullptr);
  sculpt_failure_free(nullptr);
  sculpt_batch_free(nullptr);
  sculpt_batch_graphs_free(nullptr);
  sculpt_batch_task_free(nullptr);
  sculpt_batch_stop(nullptr);
  sculpt_batch_task_stop(nullptr);
}

TEST_CASE("arguments that are NULL are named") {
  Ready ready;
  sculpt_model* model = nullptr;
  const char* text = nullptr;
  const auto call = [](const auto& function) { return ended(function); };
  using F = sculpt_failure**;
  check_usage(call([&](F f) { return sculpt_session_open(nullptr, nullptr, f); }),
              "sculpt_session_open: session is NULL");
  check_usage(call([&](F f) { return sculpt_train(ready.session.get(), nullptr, &model, f); }),
              "sculpt_train: options is NULL");
  check_usage(call([&](F f) { return sculpt_model_open(nullptr, &model, f); }),
              "sculpt_model_open: path is NULL");
  check_usage(call([&](F f) { return sculpt_model_open("x", nullptr, f); }),
              "sculpt_model_open: model is NULL");
  check_usage(call([&](F f) { return sculpt_model_from_bytes(nullptr, 3, &model, f); }),
              "sculpt_model_from_bytes: bytes is NULL");
  check_usage(call([&](F f) { return sculpt_model_save(nullptr, "x", f); }),
              "sculpt_model_save: the model is NULL");
  check_usage(call([&](F f) { return sculpt_model_save(ready.model.get(), nullptr, f); }),
              "sculpt_model_save: path is NULL");
  check_usage(
      call([&](F f) { return sculpt_model_weight_names(nullptr, ready.model.get(), &text, f); }),
      "sculpt_model_weight_names: the session is NULL");
  check_usage(
      call([&](F f) { return sculpt_model_weight_names(ready.session.get(), nullptr, &text, f); }),
      "sculpt_model_weight_names: the model is NULL");
  check_usage(ready.read(nullptr), "sculpt_examples_read: source is NULL");
  check_usage(call([&](F f) {
                auto source = record<sculpt_examples_source>();
                return sculpt_examples_read(ready.session.get(), nullptr, &source, &ready.none, f);
              }),
              "sculpt_examples_read: the model is NULL");
  check_usage(call([&](F f) { return sculpt_predict(ready.examples.get(), nullptr, nullptr, f); }),
              "sculpt_predict: outputs is NULL");
  check_usage(call([&](F f) { return sculpt_predict_scores(nullptr, &ready.rows, f); }),
              "sculpt_predict_scores: the examples is NULL");
  check_usage(call([&](F f) { return sculpt_predict_marginals(ready.examples.get(), nullptr, f); }),
              "sculpt_predict_marginals: rows is NULL");
  check_usage(call([&](F f) { return sculpt_evaluate(ready.examples.get(), nullptr, nullptr, f); }),
              "sculpt_evaluate: json is NULL");
  check_usage(call([&](F f) { return sculpt_run_command(nullptr, nullptr, 0, f); }),
              "sculpt_run_command: the session is NULL");
  check_usage(call([&](F f) { return sculpt_run_command(ready.session.get(), nullptr, 1, f); }),
              "sculpt_run_command: words is NULL");
  CHECK(model == nullptr);
}

TEST_CASE("records of a size that none has are refused, and their fields stay") {
  Ready ready;
  for (const std::uint32_t size : {0U, 4U, 5000U}) {
    auto source = record<sculpt_examples_source>();
    source.struct_size = size;
    check_usage(ready.read(&source), "sculpt_examples_read: source->struct_size is " +
                                         std::to_string(size) +
                                         "; set it to the sizeof of the record (56)");
    auto options = record<sculpt_predict_options>();
    options.struct_size = size;
    CHECK(ready.predict(&options).exit == SCULPT_EXIT_USAGE);
  }
  ready.outputs.struct_size = 0;
  ready.outputs.example_count = 7;
  CHECK(ready.predict(nullptr).exit == SCULPT_EXIT_USAGE);
  CHECK(ready.outputs.example_count == 7);
}

TEST_CASE("a shorter record of a caller of an older version is filled as far as it goes") {
  Ready ready;
  ready.outputs.struct_size = offsetof(sculpt_outputs, label);
  std::memset(&ready.outputs.label, 0x55, sizeof ready.outputs.label);
  const auto* const before = ready.outputs.label;
  REQUIRE(ready.predict(nullptr).reached());
  CHECK(ready.outputs.example_count == 5);
  CHECK(ready.outputs.first_label[5] == 5);
  CHECK(ready.outputs.label == before);
}

TEST_CASE("counts below 0 and unknown choices are named") {
  Ready ready;
  auto source = record<sculpt_examples_source>();
  source.text = points;
  source.text_size = -1;
  check_usage(ready.read(&source), "sculpt_examples_read: text_size is below 0");
  source.text_size = 3;
  source.set_count = -2;
  check_usage(ready.read(&source),
              "sculpt_examples_read: the number of set is -2, which is below 0");
  auto options = record<sculpt_predict_options>();
  options.choice = 2;
  check_usage(ready.predict(&options),
              "sculpt_predict: choice is 2; it must be SCULPT_BEST or SCULPT_BEST_MARGINALS");
  auto training = record<sculpt_training_options>();
  const std::string experiment = experiment_of_points();
  training.json = experiment.c_str();
  training.lent_count = -1;
  sculpt_model* model = nullptr;
  const auto train = [&](sculpt_failure** failure) {
    return sculpt_train(ready.session.get(), &training, &model, failure);
  };
  check_usage(ended(train), "sculpt_train: lent_count is below 0");
  training.lent_count = 1;
  check_usage(ended(train), "sculpt_train: lent is NULL");
  training.lent_count = 0;
  training.existing = 9;
  check_usage(ended(train), "sculpt_train: existing is 9; it must be one of SCULPT_RUN_*");
  training.existing = SCULPT_RUN_REFUSE;
  const char* const hole[] = {nullptr};
  training.set = hole;
  training.set_count = 1;
  check_usage(ended(train), "sculpt_train: set[0] is NULL");
  check_usage(ended([&](sculpt_failure** failure) {
                return sculpt_model_from_bytes(points, -1, &model, failure);
              }),
              "sculpt_model_from_bytes: size is below 0");
  check_usage(ended([&](sculpt_failure** failure) {
                return sculpt_run_command(ready.session.get(), hole, -1, failure);
              }),
              "sculpt_run_command: the number of words is -1, which is below 0");
  for (const std::int64_t count : {0, -5}) {
    check_usage(
        ended([&](sculpt_failure** failure) {
          return sculpt_predict_sample(ready.examples.get(), count, 1, nullptr, &ready.outputs,
                                       failure);
        }),
        "sculpt_predict_sample: count is " + std::to_string(count) + "; it must be at least 1");
  }
  CHECK(model == nullptr);
}

TEST_CASE("arrays that contradict themselves are refused with the array") {
  const SessionHandle session = open_session();
  const std::vector<double> values = {1, 0, 0, 1};
  const std::vector<std::int32_t> labels = {0, 1};
  auto rows = record<sculpt_memory_rows>();
  rows.feature_count = rows.state_count = 2;
  rows.example_count = rows.site_count = 2;
  rows.value = values.data();
  rows.label = labels.data();
  const auto text = [&](const sculpt_memory_rows& given) {
    const sculpt_lent_rows lent[] = {{"points", &given}};
    auto options = record<sculpt_training_options>();
    options.json = R"({"dataset": {"use": "arrays", "train": {"memory": "points"}},
      "features": "multiclass", "loss": "zero_one", "oracle": "enumerate", "solver": "n_slack"})";
    options.lent = lent;
    options.lent_count = 1;
    sculpt_model* model = nullptr;
    const Ended end = ended([&](sculpt_failure** failure) {
      return sculpt_train(session.get(), &options, &model, failure);
    });
    sculpt_model_free(model);
    return end.text;
  };
  CHECK(text(rows).empty());
  sculpt_memory_rows wrong = rows;
  wrong.struct_size = 12;
  CHECK(text(wrong) ==
        "the arrays \"points\": struct_size is 12; set it to sizeof(sculpt_memory_rows)");
  wrong = rows;
  wrong.value = nullptr;
  CHECK(text(wrong) == "the arrays \"points\": value is missing (NULL), but must have 4 elements");
  wrong = rows;
  wrong.site_count = -1;
  CHECK(text(wrong).find("site_count is -1; it must be from 0") != std::string::npos);
  wrong = rows;
  wrong.site_count = 3;
  CHECK(text(wrong).find("there are 2 examples, but 3 rows") != std::string::npos);
  const std::array<std::int64_t, 3> first = {0, 3, 2};
  wrong = rows;
  wrong.first_site = first.data();
  CHECK(text(wrong).find("example 1: first_site[2] is 2, but first_site[1] is 3; offsets must not "
                         "fall") != std::string::npos);
}

TEST_CASE("a child process leaves examples of its parent alone, and works with its own") {
  Ready ready;
  const SessionHandle session = open_session(2);
  const ExamplesHandle examples = read_text(session.get(), ready.model, points);
  const pid_t child = ::fork();
  if (child == 0) {
    auto outputs = record<sculpt_outputs>();
    sculpt_failure* failure = nullptr;
    const bool is_refused =
        sculpt_predict(examples.get(), nullptr, &outputs, &failure) == SCULPT_EXIT_USAGE &&
        std::string(sculpt_failure_text(failure)) ==
            "sculpt_predict: the examples were read by the parent of this process; read them "
            "after fork()";
    sculpt_examples_free(ready.examples.release());
    const SessionHandle own_session = open_session(2);
    const ExamplesHandle own = read_text(own_session.get(), ready.model, points);
    const bool works = sculpt_predict(own.get(), nullptr, &outputs, nullptr) == 0;
    ::_exit(is_refused && works ? 0 : 1);
  }
  int status = -1;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  auto outputs = record<sculpt_outputs>();
  CHECK(sculpt_predict(examples.get(), nullptr, &outputs, nullptr) == SCULPT_EXIT_REACHED);
}
