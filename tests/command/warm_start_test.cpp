// Runs that start with the planes of another run (warm_start).

#include <doctest/doctest.h>

#include <csignal>
#include <sstream>

#include "command/interrupted_run.hpp"

using namespace sculpt::test;

namespace {

Json first_pass(const Scratch& scratch, const std::string& run) {
  std::istringstream lines(scratch.read(run + "/events.jsonl"));
  for (std::string line; std::getline(lines, line);) {
    Json event = Json::parse(line);
    if (event["event"] == "pass") return event;
  }
  return {};
}

std::string model(const Scratch& scratch, const std::string& run) {
  return scratch.read(run + "/model.sculpt");
}

}  // namespace

TEST_CASE("a warm start is certified from its first pass and needs fewer passes") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "5");
  for (const std::string solver : {"n_slack", "one_slack", "frank_wolfe"}) {
    CAPTURE(solver);
    const std::string gap = solver == "n_slack" ? "1e-5" : solver == "one_slack" ? "0.02" : "1e-4";
    const std::vector<std::string> sets{"solver.use=" + solver, "solver.relative_gap=" + gap};
    const auto with = [&](const std::vector<std::string>& more) {
      std::vector<std::string> all = sets;
      all.insert(all.end(), more.begin(), more.end());
      return all;
    };
    CHECK(train_noisy(scratch, solver, with({"solver.C=50"})).exit == 0);
    CHECK(train_noisy(scratch, solver + "-cold", sets).exit == 0);
    const Outcome outcome =
        train_noisy(scratch, solver + "-warm", with({"solver.warm_start=" + solver}));
    INFO(outcome.err);
    CHECK(outcome.exit == 0);
    CHECK(outcome.err.find("starting with") != std::string::npos);
    CHECK(first_pass(scratch, solver + "-warm")["certified"] == true);
    const Json warm = scratch.finished(solver + "-warm");
    const Json cold = scratch.finished(solver + "-cold");
    CHECK(warm["passes"].get<int>() < cold["passes"].get<int>());
    CHECK(warm["primal"].get<double>() ==
          doctest::Approx(cold["primal"].get<double>()).epsilon(std::stod(gap)));
    CHECK(scratch.sculpt({"verify", solver + "-warm"}).exit == 0);
  }
}

namespace {

Outcome train_crf(const Scratch& scratch, const std::string& run,
                  const std::vector<std::string>& sets,
                  const std::vector<std::string>& options = {}) {
  std::string words;
  for (int i = 0; i < 40; ++i) {
    for (int k = 0; k < 3; ++k) {
      const int label = (i * 7 + k * 5 + i * k) % 3;
      words += std::to_string(i) + " 0 " + std::to_string(k) + " " + "abc"[label] +
               (k < 2 ? " 1 " : " 0 ") + std::to_string((label + (i % 5 == 0 ? 1 : 0)) % 2) +
               std::to_string(i % 2) + std::to_string(label / 2) + "\n";
    }
  }
  scratch.write("words.txt", words);
  scratch.write("words.json", R"({"dataset": {"use": "letters", "train": "words.txt"},
      "features": "chain", "loss": "hamming", "oracle": "viterbi",
      "solver": {"use": "crf", "C": 30, "relative_gap": 1e-6}})");
  std::vector<std::string> all = {"train", "words.json", "--output", run};
  for (const std::string& set : sets) all.insert(all.end(), {"--set", set});
  all.insert(all.end(), options.begin(), options.end());
  return scratch.sculpt(all);
}

}  // namespace

TEST_CASE("crf begins with the weights of another run by each method, and needs fewer passes") {
  const Scratch scratch;
  REQUIRE(train_crf(scratch, "earlier", {"solver.C=25"}).exit == 0);
  for (const std::string method : {"lbfgs", "sdca"}) {
    CAPTURE(method);
    const std::string use = "solver.method=" + method;
    REQUIRE(train_crf(scratch, method, {use}).exit == 0);
    const Outcome outcome =
        train_crf(scratch, "warm", {use, "solver.warm_start=earlier"}, {"--force"});
    INFO(outcome.err);
    CHECK(outcome.exit == 0);
    CHECK(contains(outcome.err, "starting with the weights of"));
    CHECK(scratch.started("warm")["warm_start"]["weights"] == scratch.started("warm")["dimension"]);
    const Json warm = scratch.finished("warm");
    const Json cold = scratch.finished(method);
    CHECK(warm["passes"].get<int>() < cold["passes"].get<int>());
    CHECK(warm["primal"].get<double>() ==
          doctest::Approx(cold["primal"].get<double>()).epsilon(1e-6));
    CHECK(scratch.sculpt({"verify", "warm"}).exit == 0);
  }
  const auto primal_by_sgd = [&](const std::vector<std::string>& more) {
    std::vector<std::string> sets = {"solver.method=sgd", "solver.sgd_passes=1"};
    sets.insert(sets.end(), more.begin(), more.end());
    train_crf(scratch, "sgd", sets, {"--force"});
    return scratch.finished("sgd")["primal"].get<double>();
  };
  CHECK(primal_by_sgd({"solver.warm_start=earlier/model.sculpt"}) < primal_by_sgd({}));
}

TEST_CASE("crf that begins with weights is resumed without the earlier run, to the same bytes") {
  const Scratch scratch;
  REQUIRE(train_crf(scratch, "earlier", {"solver.C=2"}).exit == 0);
  for (const std::string method : {"lbfgs", "sdca", "sgd"}) {
    CAPTURE(method);
    const Scratch other;
    fs::copy(scratch / "earlier", other / "earlier", fs::copy_options::recursive);
    const std::vector<std::string> sets = {"solver.method=" + method, "solver.warm_start=earlier"};
    auto limited = sets;
    limited.push_back("solver.max_passes=2");
    train_crf(other, "whole", sets);
    CHECK(train_crf(other, "run", limited).exit == 3);
    fs::remove_all(other / "earlier");
    const Outcome outcome = train_crf(other, "run", sets, {"--resume"});
    INFO(outcome.err);
    CHECK(model(other, "run") == model(other, "whole"));
    CHECK(train_crf(other, "run", {"solver.method=" + method}, {"--resume"}).exit == 78);
  }
}

TEST_CASE("weights of other features or data are refused with the key warm_start") {
  const Scratch scratch;
  REQUIRE(train_crf(scratch, "earlier", {}).exit == 0);
  const auto refused = [&](const std::vector<std::string>& sets, int exit, const char* text) {
    check_refused(scratch, train_crf(scratch, "run", sets), exit, {"\"warm_start\": ", text});
    CHECK_FALSE(fs::exists(scratch / "run"));
  };
  refused({"solver.warm_start=earlier", R"(features={"use": "chain", "order": 2})"}, 78,
          "features.order is 2");
  refused({"solver.warm_start=nowhere"}, 66, "nowhere");
  scratch.write("damaged.sculpt", "damaged");
  refused({"solver.warm_start=damaged.sculpt"}, 65, "damaged.sculpt");
  // Loss, oracle and solver may differ: the weights mean the same.
  REQUIRE(train_crf(scratch, "svm", {R"(solver={"use": "n_slack", "C": 3})"}).exit == 0);
  CHECK(train_crf(scratch, "run", {"solver.warm_start=svm", "oracle=enumerate"}).exit == 0);
}

TEST_CASE("warm starts from equal runs in different folders leave equal models without paths") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "5");
  CHECK(train_noisy(scratch, "a", {"solver.C=50"}).exit == 0);
  CHECK(train_noisy(scratch, "b/c", {"solver.C=50"}, {"--threads", "1"}).exit == 0);
  CHECK(train_noisy(scratch, "from-a", {"solver.warm_start=a"}).exit == 0);
  CHECK(train_noisy(scratch, "from-c", {"solver.warm_start=b/c"}).exit == 0);
  CHECK(model(scratch, "from-a") == model(scratch, "from-c"));
  CHECK(model(scratch, "from-a").find(scratch.folder().string()) == std::string::npos);
  CHECK(train_noisy(scratch, "cold", {}).exit == 0);
  CHECK(model(scratch, "from-a") != model(scratch, "cold"));
}

TEST_CASE("a warm start from a damaged checkpoint is refused with the key warm_start") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "5");
  CHECK(train_noisy(scratch, "earlier", {"solver.C=2"}).exit == 0);
  scratch.write("earlier/checkpoints/last.sculpt", "damaged");
  const Outcome outcome = train_noisy(scratch, "run", {"solver.warm_start=earlier"});
  INFO(outcome.err);
  CHECK(outcome.exit == 65);
  CHECK(outcome.err.find("leave \"warm_start\" out") != std::string::npos);
  CHECK(outcome.err.find("--resume") == std::string::npos);
}

TEST_CASE("a run with a warm start is resumed without the earlier run") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "5");
  CHECK(train_noisy(scratch, "earlier", {"solver.C=2"}).exit == 0);
  const std::vector<std::string> warm{"solver.warm_start=earlier"};
  CHECK(train_noisy(scratch, "plain", warm).exit == 0);
  CHECK(train_noisy(scratch, "run", {warm[0], "solver.max_passes=2"}).exit == 3);
  fs::remove_all(scratch / "earlier");
  const Outcome other = train_noisy(scratch, "run", {}, {"--resume"});
  CHECK(other.exit == 78);
  CHECK(other.err.find("\"warm_start\" is not set") != std::string::npos);
  const Outcome outcome = train_noisy(scratch, "run", warm, {"--resume"});
  INFO(outcome.err);
  CHECK(outcome.exit == 0);
  CHECK(model(scratch, "run") == model(scratch, "plain"));
  CHECK(train_noisy(scratch, "plain", {}, {"--resume"}).exit == 78);
}

TEST_CASE("threads: frank_wolfe with a warm start and a limit on planes leaves equal models") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "5");
  const std::vector<std::string> sets{"solver.use=frank_wolfe", "solver.relative_gap=5e-3",
                                      "solver.max_planes_megabytes=0.1"};
  const auto with = [&](const std::string& set) {
    std::vector<std::string> all = sets;
    all.push_back(set);
    return all;
  };
  REQUIRE(train_noisy(scratch, "earlier", with("solver.C=20")).exit == 0);
  const std::vector<std::string> warm = with("solver.warm_start=earlier");
  for (const std::string threads : {"1", "2", "4"}) {
    CHECK(train_noisy(scratch, "run" + threads, warm, {"--threads", threads}).exit == 0);
    CHECK(same_model(scratch, "run1", "run" + threads));
  }
  const Json whole = scratch.finished("run1");
  CHECK(whole["passes"].get<int>() > 2);
  // 270 kB without the limit
  CHECK(fs::file_size(scratch / "run1/checkpoints/last.sculpt") < 110'000);
  std::vector<std::string> limited = warm;
  limited.emplace_back("solver.max_passes=1");
  CHECK(train_noisy(scratch, "run", limited, {"--threads", "4"}).exit == 3);
  CHECK(first_pass(scratch, "run")["certified"] == true);
  fs::remove_all(scratch / "earlier");
  CHECK(train_noisy(scratch, "run", warm, {"--resume", "--threads", "2"}).exit == 0);
  CHECK(same_model(scratch, "run1", "run"));
}

TEST_CASE("a warm start from another problem is refused with the key and the difference") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "5");
  CHECK(train_noisy(scratch, "earlier", {"solver.C=50"}).exit == 0);
  const auto refused = [&](const std::vector<std::string>& sets, int exit,
                           const std::string& text) {
    std::vector<std::string> all{"solver.warm_start=earlier"};
    all.insert(all.end(), sets.begin(), sets.end());
    check_refused(scratch, train_noisy(scratch, "runs/x", all), exit,
                  {"--set solver.warm_start=earlier: \"warm_start\": ", text});
  };
  refused({"solver.rescaling=slack"}, 78, "solver.rescaling is \"slack\"");
  refused({"solver.slack_norm=2"}, 78, "solver.slack_norm is 2");
  refused({"oracle=icm"}, 78, "oracle.use is \"icm\"");
  refused({"features.bias=false"}, 78, "features.bias is false");
  refused({"dataset.unit=letter"}, 78, "dataset.unit is");
  refused({"solver.use=one_slack"}, 78, "a slack for each example");
  check_refused(scratch, train_noisy(scratch, "runs/x", {"solver.warm_start=nowhere"}), 66,
                {"nowhere is not a run folder"});
  fs::remove_all(scratch / "earlier/checkpoints");
  refused({}, 66, "contains no checkpoint");
}

TEST_CASE("a warm start from a run with cut_sample is refused, because its planes bound nothing") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "5");
  const std::string use = "solver.use=one_slack";
  REQUIRE(
      train_noisy(scratch, "sampled", {use, "solver.cut_sample=20", "solver.max_passes=3"}).exit ==
      3);
  check_refused(scratch, train_noisy(scratch, "runs/x", {use, "solver.warm_start=sampled"}), 78,
                {"\"warm_start\": ", "sampled was trained with cut_sample"});
}

TEST_CASE("under slack rescaling a warm start from a finite C to hard margins is refused") {
  const Scratch scratch;
  write_small_experiment(scratch);
  const auto train_small = [&](const std::string& output, const std::vector<std::string>& sets) {
    std::vector<std::string> words{"train", "small.json", "--output", output};
    for (const std::string& set : sets) words.insert(words.end(), {"--set", set});
    return scratch.sculpt(words);
  };
  const std::string slack = "solver.rescaling=slack";
  REQUIRE(train_small("earlier", {slack}).exit == 0);
  check_refused(scratch,
                train_small("runs/x", {slack, "solver.C=inf", "solver.warm_start=earlier"}), 78,
                {"under slack rescaling"});
}
