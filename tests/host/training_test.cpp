// sculpt_train(): the model of the program, stopped and resumed, in several threads.

#include <atomic>
#include <cmath>
#include <thread>

#include "command/host_process.hpp"
#include "host/caller.hpp"

using namespace sculpt::test;

namespace {

// A file with the experiment of the points, for the program.
void write_experiment(const Scratch& scratch) {
  scratch.write("points.json", experiment_of_points());
}

}  // namespace

TEST_CASE("a model in memory has the bytes that the program writes") {
  const Scratch scratch;
  write_experiment(scratch);
  REQUIRE(scratch.sculpt({"train", "points.json", "--output", "run"}).exit == 0);
  const SessionHandle session = open_session();
  sculpt_training_options options = {};
  const std::string name = "name=points";  // else the program takes it from the name of the file
  const char* const set[] = {name.c_str()};
  options.set = set;
  options.set_count = 1;
  const ModelHandle model = trained(session.get(), options);
  CHECK(bytes_of(model) == scratch.read("run/model.sculpt"));
}

TEST_CASE("each pass is reported, and the last one has the gap of the model") {
  struct Reports {
    std::vector<sculpt_pass> passes;
  } reports;
  sculpt_training_options options = {};
  options.user = &reports;
  options.pass_done = [](void* user, const sculpt_pass* pass) {
    CHECK(pass->struct_size == sizeof *pass);
    static_cast<Reports*>(user)->passes.push_back(*pass);
  };
  const SessionHandle session = open_session();
  const ModelHandle model = trained(session.get(), options);
  REQUIRE(!reports.passes.empty());
  for (std::size_t k = 0; k < reports.passes.size(); ++k) {
    CHECK(reports.passes[k].pass == static_cast<std::int64_t>(k) + 1);
  }
  const sculpt_pass& last = reports.passes.back();
  CHECK(last.is_certified == 1);
  CHECK(last.relative_gap <= 1e-6);
  CHECK(last.gap == doctest::Approx(last.primal - last.dual));
  const Json header = Json::parse(sculpt_model_header(model.get()));
  std::int64_t dimension = 0;
  const double* const w = sculpt_model_weights(model.get(), &dimension);
  CHECK(dimension == 4);  // two classes, two columns
  double norm = 0;
  for (std::int64_t k = 0; k < dimension; ++k) norm += w[k] * w[k];
  CHECK(norm > 0);
  CHECK(norm / 2 <= last.primal);
  CHECK(header["config"]["solver"]["use"] == "n_slack");
}

TEST_CASE("a run folder is as the program leaves it, and is resumed after a stop") {
  const Scratch scratch;
  write_experiment(scratch);
  REQUIRE(scratch.sculpt({"train", "points.json", "--output", "whole"}).exit == 0);

  const std::string output = (scratch / "run").string();
  const std::string path = (scratch / "points.json").string();
  const SessionHandle session = open_session();
  sculpt_training_options options = {};
  options.path = path.c_str();
  options.output = output.c_str();
  options.user = session.get();
  options.pass_done = [](void* user, const sculpt_pass*) {
    sculpt_session_stop(static_cast<sculpt_session*>(user));
  };
  options.struct_size = sizeof options;
  sculpt_model* model = nullptr;
  CHECK(sculpt_train(session.get(), &options, &model, nullptr) == SCULPT_EXIT_NOT_REACHED);
  ModelHandle stopped(model);
  CHECK(bytes_of(stopped) == scratch.read("run/model.sculpt"));
  CHECK(scratch.finished("run")["stopped_by"] == "signal");

  options.pass_done = nullptr;
  const auto again = [&](sculpt_failure** failure) {
    return sculpt_train(session.get(), &options, nullptr, failure);
  };
  CHECK(ended(again).exit == SCULPT_EXIT_CANNOT_CREATE);
  options.existing = SCULPT_RUN_RESUME;
  CHECK(ended(again).reached());
  CHECK(scratch.read("run/model.sculpt") == scratch.read("whole/model.sculpt"));
  options.existing = SCULPT_RUN_REPLACE;
  CHECK(ended(again).reached());
  CHECK(scratch.read("run/model.sculpt") == scratch.read("whole/model.sculpt"));
}

// The loss slow measures without end, unless it is stopped.
TEST_CASE("who stops a training does not wait for its metrics") {
  const Scratch scratch;
  Json experiment = Json::parse(experiment_of_points());
  experiment["loss"] = {{"use", "slow"}, {"at", "measure"}};
  const std::string text = experiment.dump();
  const std::string output = (scratch / "run").string();
  Said said;
  auto session_options = record<sculpt_session_options>();
  const char* const folder = SCULPT_TEST_PLUGINS;
  session_options.plugin_path = &folder;
  session_options.plugin_path_count = 1;
  session_options.write = Said::write;
  session_options.user = &said;
  sculpt_session* session = nullptr;
  REQUIRE(sculpt_session_open(&session_options, &session, nullptr) == SCULPT_EXIT_REACHED);
  const SessionHandle owner(session);
  sculpt_training_options options = {};
  options.json = text.c_str();
  options.output = output.c_str();
  options.user = session;
  options.pass_done = [](void* user, const sculpt_pass*) {
    sculpt_session_stop(static_cast<sculpt_session*>(user));
  };
  trained(session, options);
  const Json event = scratch.finished("run");
  CHECK(event["stopped_by"] == "signal");
  CHECK(event["all_measured"] == false);
  CHECK(said.messages.find("stopped on request: not all splits are measured") != std::string::npos);
}

TEST_CASE("threads: two trainings at once, each with its own session, stop and talk apart") {
  const std::string expected = bytes_of(trained(open_session().get()));
  std::vector<std::string> bytes(2);
  std::vector<Said> said(2);
  std::atomic<int> ready{0};
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < 2; ++k) {
    threads.emplace_back([&, k] {
      const SessionHandle session = open_session(2, &said[k]);
      ++ready;
      while (ready < 2) std::this_thread::yield();
      for (int repeat = 0; repeat < 3; ++repeat) bytes[k] = bytes_of(trained(session.get()));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t k = 0; k < 2; ++k) {
    CHECK(bytes[k] == expected);
    CHECK(said[k].messages.find("pass") != std::string::npos);
    CHECK(said[k].results.find("certified, target reached") != std::string::npos);
  }
}

TEST_CASE("arrays give the model of the same text, and predict from arrays") {
  const SessionHandle session = open_session();
  // The points: 1 1:1, 2 2:1, 2 2:2, 1 1:3, 2 1:1 2:2.
  const std::vector<double> values = {1, 0, 0, 1, 0, 2, 3, 0, 1, 2};
  const std::vector<std::int32_t> labels = {0, 1, 1, 0, 1};
  auto rows = record<sculpt_memory_rows>();
  rows.state_count = 2;
  rows.example_count = rows.site_count = 5;
  rows.feature_count = 2;
  rows.value = values.data();
  rows.label = labels.data();
  const sculpt_lent_rows lent[] = {{"points", &rows}};
  auto options = record<sculpt_training_options>();
  options.json = R"({"dataset": {"use": "arrays", "train": {"memory": "points"}},
    "features": "multiclass", "loss": "zero_one", "oracle": "enumerate",
    "solver": {"use": "n_slack", "C": 10, "relative_gap": 1e-6}})";
  options.lent = lent;
  options.lent_count = 1;
  const ModelHandle model = trained(session.get(), options);
  const ModelHandle of_text = trained(session.get());
  std::int64_t dimension = 0;
  const double* const w = sculpt_model_weights(model.get(), &dimension);
  const double* const expected = sculpt_model_weights(of_text.get(), &dimension);
  REQUIRE(dimension == 4);
  CHECK(std::vector(w, w + 4) == std::vector(expected, expected + 4));

  auto source = record<sculpt_examples_source>();
  source.rows = &rows;
  sculpt_examples* read = nullptr;
  REQUIRE(sculpt_examples_read(session.get(), model.get(), &source, &read, nullptr) == 0);
  const ExamplesHandle examples(read);
  auto outputs = record<sculpt_outputs>();
  REQUIRE(sculpt_predict(examples.get(), nullptr, &outputs, nullptr) == 0);
  CHECK(std::vector(outputs.label, outputs.label + 5) == labels);

  options.lent_count = 0;
  sculpt_model* none = nullptr;
  CHECK(ended([&](sculpt_failure** failure) {
          return sculpt_train(session.get(), &options, &none, failure);
        }).text.find("no arrays are lent under the name \"points\"") != std::string::npos);
}

TEST_CASE("wrong calls and experiments of sculpt_train are named") {
  const SessionHandle session = open_session();
  auto options = record<sculpt_training_options>();
  sculpt_model* model = nullptr;
  const auto train = [&](sculpt_failure** failure) {
    return sculpt_train(session.get(), &options, &model, failure);
  };
  CHECK(ended(train).text == "sculpt_train: path and json is NULL");
  options.json = "{\"dataset\": 3,\n  \"features\"}";
  Ended end = ended(train);
  CHECK(end.exit == SCULPT_EXIT_CONFIG);
  CHECK(end.text.starts_with("the experiment:2:13: "));
  options.json = nullptr;
  options.path = "/nowhere.json";
  CHECK(ended(train).exit == SCULPT_EXIT_MISSING);
  options.path = nullptr;
  const std::string text = experiment_of_points();
  options.json = text.c_str();
  const char* const set[] = {"solver.C=-1"};
  options.set = set;
  options.set_count = 1;
  CHECK(ended(train).exit == SCULPT_EXIT_CONFIG);
  options.set_count = 0;
  options.existing = 7;
  CHECK(ended(train).exit == SCULPT_EXIT_USAGE);
  options.existing = SCULPT_RUN_RESUME;
  CHECK(ended(train).text ==
        "sculpt_train: a run is resumed or replaced in a folder; give `output`");
  options.existing = SCULPT_RUN_REFUSE;
  CHECK(ended([&](sculpt_failure** failure) {
          return sculpt_train(nullptr, &options, &model, failure);
        }).text == "sculpt_train: the session is NULL");
  CHECK(ended([&](sculpt_failure** failure) {
          return sculpt_train(session.get(), &options, nullptr, failure);
        }).text == "sculpt_train: model and output is NULL");
  CHECK(model == nullptr);
  // A stop before the call: there is no result.
  sculpt_session_stop(session.get());
  CHECK(ended(train).exit == SCULPT_EXIT_INTERRUPTED);
  CHECK(ended(train).reached());
  sculpt_model_free(model);
}
