// Raw tables of people: incomes, a flag, and counts with one outlier. verify confirms the
// certificate of a run, also after a warm start from another C.

#include <doctest/doctest.h>

#include <cstdio>
#include <random>

#include "command/host_process.hpp"

using namespace sculpt::test;

namespace {

// Two classes that age, income and flag separate, except for noise.
std::string people_with_outlier(unsigned seed, int outlier, double noise) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::string text;
  for (int i = 0; i < 200; ++i) {
    const int age = 18 + static_cast<int>(random() % 60);
    const double income = 40000 + 9000 * normal(random);
    const int flag = static_cast<int>(random() % 2);
    const int count = i == 17 ? outlier : static_cast<int>(random() % 2000);
    const double score =
        (age - 45) / 15.0 + (income - 40000) / 9000 + 1.5 * flag - 0.7 + noise * normal(random);
    char row[128];
    std::snprintf(row, sizeof row, "%d 1:%d 2:%.2f 3:%d 4:%d\n", score > 0 ? 1 : 2, age, income,
                  flag, count);
    text += row;
  }
  return text;
}

void write_people(const Scratch& scratch, unsigned seed, int outlier, double noise) {
  scratch.write("people.txt", people_with_outlier(seed, outlier, noise));
  scratch.write("people.json", R"({"dataset": {"use": "svmlight", "train": "people.txt"},
      "features": {"use": "multiclass", "bias": true}, "loss": "zero_one", "oracle": "enumerate",
      "solver": {"use": "n_slack", "C": 1}})");
}

}  // namespace

TEST_CASE("a table with an outlier of 1e8 is certified by every solver, and verified") {
  const Scratch scratch;
  for (unsigned seed = 1; seed <= 4; ++seed) {
    for (const double noise : {0.0, 0.5}) {
      write_people(scratch, seed, 100'000'000, noise);
      for (const std::string solver : {"n_slack", "one_slack", "frank_wolfe"}) {
        for (const std::string C : {"1", "10", "1e4"}) {
          CAPTURE(seed);
          CAPTURE(noise);
          CAPTURE(solver);
          CAPTURE(C);
          const Outcome trained =
              scratch.sculpt({"train", "people.json", "--output", "run", "--force", "--set",
                              "solver.use=" + solver, "--set", "solver.C=" + C});
          INFO(trained.out);
          CHECK(trained.exit == 0);
          const Outcome verified = scratch.sculpt({"verify", "run"});
          INFO(verified.out);
          CHECK(verified.exit == 0);
        }
      }
    }
  }
}

TEST_CASE("a warm start from another C is certified on raw incomes") {
  const Scratch scratch;
  for (unsigned seed = 1; seed <= 6; ++seed) {
    for (const std::string solver : {"n_slack", "one_slack", "frank_wolfe"}) {
      CAPTURE(seed);
      CAPTURE(solver);
      write_people(scratch, seed, 1000, 0.5);
      const std::string use = "solver.use=" + solver;
      REQUIRE(scratch.sculpt({"train", "people.json", "--output", "one", "--force", "--set", use})
                  .exit == 0);
      const Outcome ten =
          scratch.sculpt({"train", "people.json", "--output", "ten", "--force", "--set", use,
                          "--set", "solver.C=10", "--set", "solver.warm_start=one"});
      INFO(ten.out);
      CHECK(ten.exit == 0);
    }
  }
}

TEST_CASE("hard margin finds the weights of a small column beside one of 1e12") {
  const Scratch scratch;
  scratch.write("people.txt", "1 1:1e12 2:1\n2 1:1e12\n");
  scratch.write("people.json", R"({"dataset": {"use": "svmlight", "train": "people.txt"},
      "features": "multiclass", "loss": "zero_one", "oracle": "enumerate",
      "solver": {"use": "n_slack", "C": "inf"}})");
  for (const std::string solver : {"n_slack", "one_slack"}) {
    CAPTURE(solver);
    const Outcome outcome = scratch.sculpt(
        {"train", "people.json", "--output", "run", "--force", "--set", "solver.use=" + solver});
    INFO(outcome.err);
    CHECK(outcome.exit == 0);
    // The large column must favour class 2 by 1, so the small one must favour class 1 by 2.
    CHECK(scratch.finished("run")["primal"].get<double>() == doctest::Approx(1).epsilon(2e-3));
  }
}

TEST_CASE("a number whose square overflows is refused with its column, unless columns are scaled") {
  const Scratch scratch;
  write_people(scratch, 1, 1000, 0.5);
  scratch.write("people.txt", scratch.read("people.txt") + "1 1:30 2:-1e308 3:1 4:7\n");
  for (const std::string solver : {"n_slack", "frank_wolfe", "perceptron"}) {
    CAPTURE(solver);
    const std::string use = "solver={\"use\": \"" + solver + "\", \"max_passes\": 5}";
    const Outcome outcome =
        scratch.sculpt({"train", "people.json", "--output", "run", "--set", use});
    CHECK(outcome.exit == 65);
    CHECK(contains(outcome.err, "people.txt:201: its features have magnitude 1e+308 at feature 2"));
    CHECK(contains(outcome.err, "scaling"));
  }
  CHECK(scratch
            .sculpt({"train", "people.json", "--output", "run", "--set", "dataset.scaling=max_abs"})
            .exit == 0);
  CHECK(scratch.sculpt({"verify", "run"}).exit == 0);
}

TEST_CASE("a QP without progress in doubles stops as a standstill, with the advice to scale") {
  const Scratch scratch;
  scratch.write("people.txt",
                "1 1:2e20 2:1\n2 1:1e20 2:3\n1 1:-1e20 2:2\n2 1:-2e20 2:-2\n1 1:3e20 2:-1\n"
                "2 1:-1e20 2:-3\n");
  scratch.write("people.json", R"({"dataset": {"use": "svmlight", "train": "people.txt"},
      "features": {"use": "multiclass", "bias": true}, "loss": "zero_one", "oracle": "enumerate",
      "solver": {"use": "n_slack", "C": 10}})");
  for (const std::string solver : {"n_slack", "one_slack"}) {
    CAPTURE(solver);
    const auto train = [&](const std::string& scaling) {
      return scratch.sculpt({"train", "people.json", "--output", "run", "--force", "--set",
                             "solver.use=" + solver, "--set", "dataset.scaling=" + scaling});
    };
    const Outcome raw = train("none");
    INFO(raw.out);
    CHECK(raw.exit == 3);
    CHECK(scratch.finished("run")["stopped_by"] == "standstill");
    CHECK(contains(raw.out, "stopped by      standstill after "));
    CHECK(contains(raw.out, "the QP, which makes no more progress at a gap of "));
    CHECK(contains(raw.out, " %: try \"scaling\": \"max_abs\" in \"dataset\""));
    CHECK(contains(scratch.sculpt({"describe", "run"}).out, "standstill after "));
    CHECK(train("max_abs").exit == 0);
  }
}

TEST_CASE("hard margin refuses rows that rounding makes equal, with the advice to scale") {
  const Scratch scratch;
  scratch.write("people.json", R"({"dataset": {"use": "svmlight", "train": "people.txt"},
      "features": {"use": "multiclass", "bias": true}, "loss": "zero_one", "oracle": "enumerate",
      "solver": {"use": "n_slack", "C": "inf"}})");
  const std::string tiny = "1 1:1 2:1e-100\n2 1:1 2:-1e-100\n1 1:2 2:1e-100\n2 1:2 2:-1e-100\n";
  const std::string huge = "1 1:1e100 2:1\n2 1:1e100 2:-1\n1 1:1 2:3\n2 1:1 2:-3\n";
  for (const std::string& text : {tiny, huge}) {
    scratch.write("people.txt", text);
    for (const std::string solver : {"n_slack", "one_slack"}) {
      for (const std::string cache : {"", "0"}) {
        if (solver == "n_slack" && !cache.empty()) continue;
        CAPTURE(text);
        CAPTURE(solver);
        CAPTURE(cache);
        std::vector<std::string> words = {
            "train", "people.json", "--output", "run", "--force", "--set", "solver.use=" + solver};
        if (!cache.empty()) words.insert(words.end(), {"--set", "solver.cache=" + cache});
        const Outcome raw = scratch.sculpt(words);
        INFO(raw.err);
        INFO(raw.out);
        CHECK(raw.exit == 65);
        CHECK(contains(raw.err, "no weights that doubles can find give all their outputs"));
        CHECK(contains(raw.err,
                       "set \"scaling\": \"max_abs\" in \"dataset\", or set a finite \"C\""));
        CHECK_FALSE(contains(raw.err, "no weights of norm up to"));
        words.insert(words.end(), {"--set", "dataset.scaling=max_abs"});
        const Outcome scaled = scratch.sculpt(words);
        INFO(scaled.err);
        CHECK(scaled.exit == 0);
      }
    }
  }
}

TEST_CASE("every solver ends on a column of size 1e15, and verify agrees") {
  const Scratch scratch;
  scratch.write("long.txt",
                "1 1:-6.70065e+13 2:1.99475 3:-1.44712\n2 1:9.8434e+14 2:2.52233 3:-0.189193\n"
                "1 1:-8.13355e+14 2:0.776041 3:0.0506084\n2 1:-1.3871e+15 2:2.82933 3:-0.0986223\n"
                "3 1:7.96466e+14 2:0.396351 3:-0.596963\n3 1:1.50368e+15 2:1.78145 3:1.12184\n"
                "2 1:-1.2581e+15 2:2.15222 3:2.22758\n2 1:-1.35524e+15 2:0.463931 3:0.427708\n");
  scratch.write("long.json", R"({"dataset": {"use": "svmlight", "train": "long.txt"},
      "features": {"use": "multiclass", "bias": true}, "loss": "zero_one", "oracle": "enumerate",
      "solver": {"use": "frank_wolfe", "max_seconds": 60}})");
  for (const std::string solver : {"n_slack", "one_slack", "frank_wolfe"}) {
    for (const std::string C : {"1", "100"}) {
      CAPTURE(solver);
      CAPTURE(C);
      const Outcome trained =
          scratch.sculpt({"train", "long.json", "--output", "run", "--force", "--set",
                          "solver.use=" + solver, "--set", "solver.C=" + C});
      INFO(trained.out);
      CHECK(scratch.finished("run")["stopped_by"] != "max_seconds");
      const Outcome verified = scratch.sculpt({"verify", "run"});
      INFO(verified.out);
      CHECK(verified.exit == trained.exit);
    }
  }
}

TEST_CASE("hard margin reports equal rows with two labels in a raw table") {
  const Scratch scratch;
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  std::string first;
  std::string text;
  for (int i = 0; i < 150; ++i) {
    char row[128];
    std::snprintf(row, sizeof row, "1:%.2f 2:%d 3:%.3g 4:%.4f 5:1e6\n",
                  40000 + 9000 * normal(random), 1000000000 + i, 1e-6 * normal(random),
                  normal(random));
    if (i == 0) first = row;
    text += (i == 0 ? "1 " : std::to_string(1 + random() % 3) + " ") + row;
  }
  scratch.write("ids.txt", text + "2 " + first);
  scratch.write("ids.json", R"({"dataset": {"use": "svmlight", "train": "ids.txt"},
      "features": {"use": "multiclass", "bias": true}, "loss": "zero_one", "oracle": "enumerate",
      "solver": {"use": "n_slack", "C": "inf"}})");
  for (const std::string solver : {"n_slack", "one_slack"}) {
    CAPTURE(solver);
    const Outcome outcome = scratch.sculpt(
        {"train", "ids.json", "--output", "run", "--force", "--set", "solver.use=" + solver});
    INFO(outcome.err);
    CHECK(outcome.exit == 65);
    CHECK(contains(outcome.err, "examples 0, 150: contradict each other"));
  }
}
