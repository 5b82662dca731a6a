#include <doctest/doctest.h>

#include <cmath>
#include <mutex>
#include <set>
#include <thread>

#include "base/cancelled.hpp"
#include "core/problem/training_refusal.hpp"
#include "problem/sources/problem_planes.hpp"

using namespace sculpt::core;

namespace {

Refusal training_refusal() {
  return training_refusal(toy_choices(toy_oracle()));
}

}  // namespace

TEST_CASE("components live in the order of the contract") {
  toy_plan() = random_toy(3, 1);
  std::vector<std::string> calls;
  std::mutex mutex;
  toy_plan().trouble = [&](const std::string& function, std::int64_t) {
    const std::lock_guard<std::mutex> lock(mutex);
    if (function.find("accumulate") == std::string::npos &&
        function.find("truth") == std::string::npos &&
        function.find("count") == std::string::npos &&
        function.find("session") == std::string::npos &&
        function.find("loss.loss") == std::string::npos) {
      calls.push_back(function);
    }
    return SCULPT_OK;
  };
  ProblemSpec choices = toy_choices(toy_oracle());
  choices.features.state = "bytes";
  const Problem problem(choices, Purpose::training, 1, {});
  CHECK(calls == std::vector<std::string>{"dataset.create", "features.create", "loss.create",
                                          "oracle.create", "features.restore", "dataset.load",
                                          "dataset.bind", "dataset.seal", "dataset.split",
                                          "features.bind", "features.seal", "features.dimension",
                                          "loss.bind", "loss.seal", "oracle.bind", "oracle.seal"});
  CHECK(toy_plan().restored == "bytes");
  CHECK(problem.dimension() == 21);
  CHECK(problem.training().size() == 3);
  REQUIRE(problem.states().size() == 1);
  CHECK(problem.states()[0].kind == "features");
  CHECK(problem.states()[0].bytes == "learned");
}

TEST_CASE("every status of every function becomes a failure with its exit") {
  const std::vector<std::pair<sculpt_status, Exit>> exits = {
      {SCULPT_E_INVALID, Exit::plugin},  {SCULPT_E_PARAMETER, Exit::config},
      {SCULPT_E_DATA, Exit::data},       {SCULPT_E_UNSUPPORTED, Exit::config},
      {SCULPT_E_MEMORY, Exit::memory},   {SCULPT_E_MISSING, Exit::missing},
      {SCULPT_E_INTERNAL, Exit::plugin}, {77, Exit::plugin}};
  const std::vector<std::pair<std::string, std::string>> functions = {
      {"dataset.create", "chains: toy trouble"},
      {"features.create", "counts: toy trouble"},
      {"loss.create", "errors: toy trouble"},
      {"oracle.create", "all: toy trouble"},
      {"dataset.load", "chains: toy trouble"},
      {"dataset.bind", "chains: toy trouble"},
      {"dataset.seal", "chains: toy trouble"},
      {"features.bind", "counts: toy trouble"},
      {"features.seal", "counts: toy trouble"},
      {"loss.bind", "errors: toy trouble"},
      {"loss.seal", "errors: toy trouble"},
      {"oracle.bind", "all: toy trouble"},
      {"oracle.seal", "all: toy trouble"},
      {"dataset.split", "chains: toy trouble"},
      {"dataset.count", "chains: toy trouble"},
      {"features.dimension", "counts: toy trouble"},
      {"dataset.truth", "chains: example 0: toy trouble"},
      {"features.accumulate", "counts: example 0: toy trouble"},
      {"loss.loss", "errors: example 0: toy trouble"},
      {"session", "counts: toy trouble"}};
  for (const auto& one : exits) {
    for (const auto& function : functions) {
      CAPTURE(function.first);
      CAPTURE(one.first);
      toy_plan() = random_toy(3, 1);
      toy_plan().trouble = [&](const std::string& called, std::int64_t) {
        return called == function.first ? one.first : SCULPT_OK;
      };
      const Refusal refusal = training_refusal();
      CHECK(refusal.exit == one.second);
      CHECK(refusal.text == function.second);
    }
  }
}

TEST_CASE("what factor graphs are asked for before any example names none") {
  for (const auto& [name, owner] : {std::pair{"features.classes", "counts"},
                                    {"map_solver.demands", "search"},
                                    {"map_solver.alternatives", "search"},
                                    {"map_solver.frontier_demands", "search"},
                                    {"loss.demands", "errors"},
                                    {"loss.count_demands", "errors"},
                                    {"loss.counts", "errors"}}) {
    const std::string function = name;
    const std::string component = owner;
    CAPTURE(function);
    toy_plan() = random_toy(3, 1);
    toy_plan().offers_frontier = true;
    toy_plan().counts = {{"errors", INT64_MAX}};
    if (function != "map_solver.demands") toy_plan().solver_alternatives = {1};
    toy_plan().trouble = [&function](const std::string& called, std::int64_t) {
      return called == function ? SCULPT_E_UNSUPPORTED : SCULPT_OK;
    };
    const Refusal refusal = training_refusal(toy_choices(toy_map_solver()));
    CHECK(refusal.exit == Exit::config);
    CHECK(refusal.text == std::string(component) + ": toy trouble");
  }
}

TEST_CASE("an extension of which any function is NULL is refused by its place") {
  static const sculpt_ext_factor_counts* table = nullptr;
  sculpt_life life = *toy_loss().life;
  life.extension = [](const void*, const char*) -> const void* { return table; };
  sculpt_component description = toy_loss();
  description.life = &life;
  Workers workers(1);
  Services services({}, workers);
  Component component(description, {}, services);
  CHECK(component.extension<sculpt_ext_factor_counts>() == nullptr);
  const sculpt_ext_factor_counts whole = {
      [](const void*, std::uint32_t*, sculpt_error*) -> sculpt_status { return SCULPT_OK; },
      [](void*, std::int64_t, const sculpt_factor_graph*, sculpt_labels, std::int32_t* const*,
         sculpt_error*) -> sculpt_status { return SCULPT_OK; }};
  const auto refused = [&](const sculpt_ext_factor_counts& offered) {
    table = &offered;
    return refusal_of([&] { component.extension<sculpt_ext_factor_counts>(); });
  };
  const std::string id = SCULPT_EXT_FACTOR_COUNTS;
  CHECK(refused(whole).exit == Exit::reached);
  CHECK(refused({nullptr, whole.add}).text == "errors: function 1 of its " + id + " is NULL");
  CHECK(refused({whole.demands, nullptr}).text == "errors: function 2 of its " + id + " is NULL");
  table = nullptr;
}

TEST_CASE("a component that was asked to stop ends in Cancelled") {
  toy_plan() = random_toy(3, 1);
  toy_plan().trouble = [](const std::string& function, std::int64_t) {
    return function == "dataset.load" ? SCULPT_E_CANCELLED : SCULPT_OK;
  };
  CHECK_THROWS_AS(Problem(toy_choices(toy_oracle()), Purpose::training, 1, {}), Cancelled);
  toy_plan().trouble = nullptr;
  Callbacks stop;
  stop.cancelled = [] { return true; };
  CHECK_THROWS_AS(Problem(toy_choices(toy_oracle()), Purpose::training, 1, stop), Cancelled);
}

TEST_CASE("dimensions that cannot be are refused with the bytes they would take") {
  toy_plan() = random_toy(3, 1);
  toy_plan().pretended_dimension = 3000000000;
  const Refusal large = training_refusal();
  CHECK(large.exit == Exit::config);
  CHECK(large.text ==
        "counts: has 3000000000 weights, 24000000000 bytes (22.4 GiB) for one weight vector; the "
        "limit is 2147483647 weights");
  toy_plan().pretended_dimension = -1;
  CHECK(training_refusal().says("counts: has no weights to learn"));
}

TEST_CASE("no training examples, and unlabelled ones, are refused as data") {
  toy_plan() = random_toy(0, 1);
  const Refusal empty = training_refusal();
  CHECK(empty.exit == Exit::data);
  CHECK(empty.text == "chains: /data/toy.txt: the split \"train\" holds no examples");

  toy_plan() = random_toy(40, 1);
  toy_plan().training[17].labelled = false;
  toy_plan().training[30].labelled = false;
  const Refusal unlabelled = training_refusal();
  CHECK(unlabelled.exit == Exit::data);
  CHECK(unlabelled.says("chains: example 17: unlabelled"));
}

TEST_CASE("a split of the experiment without examples is refused by its name and path") {
  for (const std::string split : {"validation", "test"}) {
    toy_plan() = random_toy(3, 1);
    toy_plan().splits["validation"] = toy_plan().splits["test"] = random_toy(2, 2).training;
    ProblemSpec choices = toy_choices(toy_oracle());
    choices.sources.push_back({"validation", "/data/validation.txt", std::nullopt});
    choices.sources.push_back({"test", "/data/test.txt", std::nullopt});
    CHECK_NOTHROW(Problem(choices, Purpose::training, 1, {}));
    toy_plan().splits[split].clear();
    const Refusal empty = training_refusal(choices);
    CHECK(empty.exit == Exit::data);
    CHECK(empty.text ==
          "chains: /data/" + split + ".txt: the split \"" + split + "\" holds no examples");
  }
  // Nothing to predict is no mistake.
  toy_plan() = random_toy(0, 1);
  CHECK_NOTHROW(Problem(toy_choices(toy_oracle(), "predict"), Purpose::prediction, 1, {}));
}

TEST_CASE("the weight bounds of the features reach the solver, and wrong ones are refused") {
  toy_plan() = random_toy(3, 1);
  const auto bounds = [] {
    Problem problem(toy_choices(toy_oracle()), Purpose::training, 1, {});
    const ProblemPlanes source(problem, 1);
    return std::vector<std::uint8_t>(source.nonnegative().begin(), source.nonnegative().end());
  };
  CHECK(bounds().empty());
  toy_plan().bounds.assign(21, 0);
  CHECK(bounds().empty());  // nowhere, as good as not offered
  toy_plan().bounds[5] = 1;
  CHECK(bounds() == toy_plan().bounds);
  toy_plan().bounds[20] = 2;
  const Refusal refusal = training_refusal();
  CHECK(refusal.exit == Exit::plugin);
  CHECK(refusal.text == "counts: the bound of weight 20 is 2; it must be 0 or 1");
}

// A model may claim any dimension; its weights show which one is true.
TEST_CASE("prediction makes no room for weight bounds") {
  toy_plan() = random_toy(3, 1);
  toy_plan().bounds.assign(21, 1);
  bool asked = false;
  toy_plan().trouble = [&asked](const std::string& function, std::int64_t) {
    asked = asked || function == "features.bounds";
    return SCULPT_OK;
  };
  const Problem predicting(toy_choices(toy_oracle(), "predict"), Purpose::prediction, 1, {});
  CHECK_FALSE(asked);
  CHECK(predicting.nonnegative().empty());
  const Problem training(toy_choices(toy_oracle()), Purpose::training, 1, {});
  CHECK(asked);
}

TEST_CASE("a truth with an unknown label is refused in the split train, before features see it") {
  toy_plan() = random_toy(40, 1);
  toy_plan().training[11] = {{1, 2}, {0, -1}};
  bool seen = false;
  toy_plan().trouble = [&](const std::string& function, std::int64_t example) {
    seen = seen || (function == "features.accumulate" && example == 11);
    return SCULPT_OK;
  };
  const Refusal refusal = training_refusal();
  CHECK(refusal.exit == Exit::data);
  CHECK(
      refusal.says("chains: example 11: label 2 of its truth is unknown (-1); partial labels "
                   "need an oracle that completes them"));
  CHECK_FALSE(seen);
}

TEST_CASE("features that are NaN at a truth are refused as data, naming the example") {
  toy_plan() = random_toy(40, 1);
  toy_plan().training[11] = {{1, 2}, {0, 0}};
  toy_plan().bend_feature = [](std::int64_t example, std::int32_t&, double& value) {
    if (example == 11) value = std::nan("");
  };
  const Refusal refusal = training_refusal();
  CHECK(refusal.exit == Exit::data);
  CHECK(refusal.says("counts: example 11: feature "));
  CHECK(refusal.says("is NaN"));
}

TEST_CASE("a loss of the truth against itself that is not 0 is refused") {
  toy_plan() = random_toy(5, 1);
  toy_plan().bend_loss = [](std::int64_t example, double& loss) { loss += example == 2 ? 1 : 0; };
  const Refusal refusal = training_refusal();
  CHECK(refusal.exit == Exit::plugin);
  CHECK(refusal.says("errors: example 2: the loss of the truth against itself"));
}

TEST_CASE("a training without oracle or loss is refused") {
  toy_plan() = random_toy(5, 1);
  ProblemSpec choices = toy_choices(toy_oracle());
  choices.oracles.clear();
  CHECK(training_refusal(choices).says("an oracle or a map_solver is needed under \"oracle\""));
  choices = toy_choices(toy_oracle());
  choices.loss.reset();
  CHECK(training_refusal(choices).text == "training needs a loss");
}

TEST_CASE("a state for a component that offers none is refused") {
  toy_plan() = random_toy(5, 1);
  ProblemSpec choices = toy_choices(toy_oracle());
  choices.loss->state = "x";
  CHECK(training_refusal(choices).says("errors: the model holds a state of it"));
}

TEST_CASE("with a serial component everything happens on the calling thread") {
  toy_plan() = random_toy(200, 1);
  std::mutex mutex;
  std::set<std::thread::id> threads;
  toy_plan().trouble = [&](const std::string&, std::int64_t) {
    const std::lock_guard<std::mutex> lock(mutex);
    threads.insert(std::this_thread::get_id());
    return SCULPT_OK;
  };
  sculpt_component serial = toy_parallel_oracle();
  serial.traits = SCULPT_TRAIT_SERIAL;
  Problem problem(toy_choices(serial), Purpose::training, 4, {});
  CHECK(problem.workers().threads() == 1);
  CHECK(problem.serial_note().find("together") != std::string::npos);
  ProblemPlanes source(problem, 1);
  JointSeparation joint;
  source.separate_jointly(Vector(21, 0.0), 1, JointWeight::one, joint);
  CHECK(threads == std::set<std::thread::id>{std::this_thread::get_id()});
}
