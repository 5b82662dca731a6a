// Problem: the order of calls, the errors of components, and the checks before training.

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
  return training_refusal(toy_spec(toy_oracle()));
}

}  // namespace

TEST_CASE("components are created, loaded, bound and sealed in the order of the contract") {
  toy_plan() = random_toy(3, 1);
  std::vector<std::string> calls;
  std::mutex mutex;
  toy_plan().inject_error = [&](const std::string& function, std::int64_t) {
    const std::lock_guard<std::mutex> lock(mutex);
    if (function.find("accumulate") == std::string::npos &&
        function.find("truth") == std::string::npos &&
        function.find("count") == std::string::npos &&
        function.find("graph") == std::string::npos &&
        function.find("session") == std::string::npos &&
        function.find("loss.loss") == std::string::npos) {
      calls.push_back(function);
    }
    return SCULPT_OK;
  };
  ProblemSpec spec = toy_spec(toy_oracle());
  spec.features.state = "bytes";
  const Problem problem(spec, Purpose::training, 1, {});
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

TEST_CASE("every error status of every function becomes a failure with its exit code") {
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
      toy_plan().inject_error = [&](const std::string& called, std::int64_t) {
        return called == function.first ? one.first : SCULPT_OK;
      };
      const Refusal refusal = training_refusal();
      CHECK(refusal.exit == one.second);
      CHECK(refusal.text == function.second);
    }
  }
}

TEST_CASE("errors about factor graphs before the first example name no example") {
  for (const auto& [name, owner] : {std::pair{"features.classes", "counts"},
                                    {"map_solver.demands", "search"},
                                    {"map_solver.frontier_demands", "search"},
                                    {"loss.demands", "errors"},
                                    {"loss.count_demands", "errors"},
                                    {"loss.counts", "errors"}}) {
    const std::string function = name;
    const std::string component = owner;
    CAPTURE(function);
    toy_plan() = random_toy(3, 1);
    toy_plan().offers_frontier = true;
    toy_plan().counts = {{"errors", INT64_MAX, 0, 0}};
    toy_plan().inject_error = [&function](const std::string& called, std::int64_t) {
      return called == function ? SCULPT_E_UNSUPPORTED : SCULPT_OK;
    };
    const Refusal refusal = training_refusal(toy_spec(toy_map_solver()));
    CHECK(refusal.exit == Exit::config);
    CHECK(refusal.text == std::string(component) + ": toy trouble");
  }
}

TEST_CASE("an extension with a function that is NULL is refused with the number of the function") {
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

TEST_CASE("an extension is found by its id and that of its draft, not by those of other layouts") {
  static const sculpt_ext_cut cut = {[](void*, const sculpt_query*, sculpt_accumulator*,
                                        sculpt_cut*,
                                        sculpt_error*) -> sculpt_status { return SCULPT_OK; }};
  static std::string known;
  sculpt_life life = *toy_loss().life;
  life.extension = [](const void*, const char* id) -> const void* {
    return id == known ? &cut : nullptr;
  };
  sculpt_component description = toy_loss();
  description.life = &life;
  Workers workers(1);
  Services services({}, workers);
  const Component component(description, {}, services);
  for (const auto& [id, is_found] : {std::pair{"sculpt.cut/1", true},
                                     {"sculpt.cut/0", false},
                                     {"sculpt.cut/2", false},
                                     {"sculpt.cut/draft-1", true},
                                     {"sculpt.cut/draft-2", false}}) {
    known = id;
    CAPTURE(known);
    CHECK((component.extension<sculpt_ext_cut>() != nullptr) == is_found);
  }
}

TEST_CASE("a problem whose setup is stopped ends in Cancelled") {
  toy_plan() = random_toy(3, 1);
  toy_plan().inject_error = [](const std::string& function, std::int64_t) {
    return function == "dataset.load" ? SCULPT_E_CANCELLED : SCULPT_OK;
  };
  CHECK_THROWS_AS(Problem(toy_spec(toy_oracle()), Purpose::training, 1, {}), Cancelled);
  toy_plan().inject_error = nullptr;
  Callbacks stop;
  stop.cancelled = [] { return true; };
  CHECK_THROWS_AS(Problem(toy_spec(toy_oracle()), Purpose::training, 1, stop), Cancelled);
}

TEST_CASE("impossible dimensions are refused with the bytes of a weight vector") {
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

TEST_CASE("a training without examples or with unlabelled ones is a data error") {
  toy_plan() = random_toy(0, 1);
  const Refusal empty = training_refusal();
  CHECK(empty.exit == Exit::data);
  CHECK(empty.text == "chains: /data/toy.txt: the split \"train\" contains no examples");

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
    ProblemSpec spec = toy_spec(toy_oracle());
    spec.sources.push_back({"validation", "/data/validation.txt", std::nullopt});
    spec.sources.push_back({"test", "/data/test.txt", std::nullopt});
    CHECK_NOTHROW(Problem(spec, Purpose::training, 1, {}));
    toy_plan().splits[split].clear();
    const Refusal empty = training_refusal(spec);
    CHECK(empty.exit == Exit::data);
    CHECK(empty.text ==
          "chains: /data/" + split + ".txt: the split \"" + split + "\" contains no examples");
  }
  // A prediction may have no examples.
  toy_plan() = random_toy(0, 1);
  CHECK_NOTHROW(Problem(toy_spec(toy_oracle(), "predict"), Purpose::prediction, 1, {}));
}

TEST_CASE("the weight bounds of the features reach the solver, and wrong ones are refused") {
  toy_plan() = random_toy(3, 1);
  const auto bounds = [] {
    Problem problem(toy_spec(toy_oracle()), Purpose::training, 1, {});
    const ProblemPlanes source(problem, 1);
    return std::vector<std::uint8_t>(source.nonnegative().begin(), source.nonnegative().end());
  };
  CHECK(bounds().empty());
  toy_plan().bounds.assign(toy_weight_count, 0);
  CHECK(bounds().empty());  // no weight is bounded, so this is as if no bounds were offered
  toy_plan().bounds[5] = 1;
  CHECK(bounds() == toy_plan().bounds);
  toy_plan().bounds[20] = 2;
  const Refusal refusal = training_refusal();
  CHECK(refusal.exit == Exit::plugin);
  CHECK(refusal.text == "counts: the bound of weight 20 is 2; it must be 0 or 1");
}

// A model may claim any dimension. Only its weights show the true one.
TEST_CASE("prediction does not ask for weight bounds") {
  toy_plan() = random_toy(3, 1);
  toy_plan().bounds.assign(toy_weight_count, 1);
  bool bounds_are_called = false;
  toy_plan().inject_error = [&bounds_are_called](const std::string& function, std::int64_t) {
    bounds_are_called = bounds_are_called || function == "features.bounds";
    return SCULPT_OK;
  };
  const Problem predicting(toy_spec(toy_oracle(), "predict"), Purpose::prediction, 1, {});
  CHECK_FALSE(bounds_are_called);
  CHECK(predicting.nonnegative().empty());
  const Problem training(toy_spec(toy_oracle()), Purpose::training, 1, {});
  CHECK(bounds_are_called);
}

TEST_CASE("a truth with an unknown label is refused in training before features read it") {
  toy_plan() = random_toy(40, 1);
  toy_plan().training[11] = {{1, 2}, {0, -1}};
  bool seen = false;
  toy_plan().inject_error = [&](const std::string& function, std::int64_t example) {
    seen = seen || (function == "features.accumulate" && example == 11);
    return SCULPT_OK;
  };
  const Refusal refusal = training_refusal();
  CHECK(refusal.exit == Exit::data);
  CHECK(
      refusal.says("chains: example 11: label 2 of its truth is unknown (-1); training "
                   "needs complete truths"));
  CHECK_FALSE(seen);
}

TEST_CASE("features that are NaN at a truth are a data error with the example") {
  toy_plan() = random_toy(40, 1);
  toy_plan().training[11] = {{1, 2}, {0, 0}};
  toy_plan().change_feature = [](std::int64_t example, std::int32_t&, double& value) {
    if (example == 11) value = std::nan("");
  };
  const Refusal refusal = training_refusal();
  CHECK(refusal.exit == Exit::data);
  CHECK(refusal.says("counts: example 11: feature "));
  CHECK(refusal.says("is NaN"));
}

TEST_CASE("a feature index out of range at a truth is an error of the plugin") {
  toy_plan() = random_toy(40, 1);
  toy_plan().training[11] = {{1, 2}, {0, 0}};
  for (const std::int32_t wrong : {-1, 21, 1 << 30}) {
    toy_plan().change_feature = [&](std::int64_t example, std::int32_t& index, double&) {
      if (example == 11) index = wrong;
    };
    const Refusal refusal = training_refusal();
    CHECK(refusal.exit == Exit::plugin);
    CHECK(refusal.says("counts: example 11: feature index " + std::to_string(wrong) +
                       " is outside [0, 21)"));
  }
}

TEST_CASE("a loss of the truth against itself that is not 0 is refused") {
  toy_plan() = random_toy(5, 1);
  toy_plan().change_loss = [](std::int64_t example, double& loss) { loss += example == 2 ? 1 : 0; };
  const Refusal refusal = training_refusal();
  CHECK(refusal.exit == Exit::plugin);
  CHECK(refusal.says("errors: example 2: the loss of the truth against itself"));
}

TEST_CASE("a training without oracle or loss is refused") {
  toy_plan() = random_toy(5, 1);
  ProblemSpec spec = toy_spec(toy_oracle());
  spec.oracles.clear();
  CHECK(training_refusal(spec).says("an oracle or a map_solver is needed under \"oracle\""));
  spec = toy_spec(toy_oracle());
  spec.loss.reset();
  CHECK(training_refusal(spec).text == "training needs a loss");
}

TEST_CASE("a saved state of a component that has no state is refused") {
  toy_plan() = random_toy(5, 1);
  ProblemSpec spec = toy_spec(toy_oracle());
  spec.loss->state = "x";
  CHECK(training_refusal(spec).says("errors: the model holds a state for it"));
}

TEST_CASE("with a serial component all calls are made on the calling thread") {
  toy_plan() = random_toy(200, 1);
  std::mutex mutex;
  std::set<std::thread::id> threads;
  toy_plan().inject_error = [&](const std::string&, std::int64_t) {
    const std::lock_guard<std::mutex> lock(mutex);
    threads.insert(std::this_thread::get_id());
    return SCULPT_OK;
  };
  sculpt_component serial = toy_parallel_oracle();
  serial.traits = SCULPT_TRAIT_SERIAL;
  Problem problem(toy_spec(serial), Purpose::training, 4, {});
  CHECK(problem.workers().threads() == 1);
  CHECK(problem.serial_warning().find("together") != std::string::npos);
  ProblemPlanes source(problem, 1);
  JointSeparation joint;
  source.separate_jointly(zero_weights(), 1, JointWeight::one, joint);
  CHECK(threads == std::set<std::thread::id>{std::this_thread::get_id()});
}
