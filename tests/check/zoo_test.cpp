// Plugins that are wrong in one way each (tests/zoo), and what sculpt check says of them.
#include <doctest/doctest.h>

#include <fstream>

#include "check/check_outcome.hpp"

using namespace sculpt::test;

namespace {

// What must be found, and by which test.
struct Expected {
  const char* plugin;
  const char* test;
  const char* verdict;
  const char* text;  // in its reasons
};

constexpr Expected table[] = {
    {"segfault", "oracle.value", "crash",
     "\"tagger: example 2: crashed in argmax (SIGSEGV)\",\"its process was ended by SIGSEGV "
     "(Segmentation fault), in the middle of: example 2,"},
    {"exit", "oracle.value", "crash", "ended itself with exit code 3"},
    {"exit_well", "oracle.value", "crash", "ended itself with exit code 0, in the middle of: ex"},
    {"exit_in_destroy", "life.end", "crash",
     "ended itself with exit code 0, in the middle of: destroying the components"},
    {"throw", "oracle.value", "fail", "argmax threw: has a bad day"},
    {"abort_in_load", "bind", "crash", "SIGABRT (Aborted), in the middle of: creating, loading"},
    {"nan", "oracle.value", "fail", "the value of its answer is nan"},
    {"index", "features.same", "fail", "feature index 1000 is outside [0, 15)"},
    {"writes_to_w", "oracle.value", "crash",
     "\"tagger: example 0: crashed in argmax (SIGSEGV): it writes to w, which is lent\""},
    {"reads_past_w", "oracle.exact", "crash",
     "\"tagger: example 0: crashed in argmax (SIGSEGV): it reads or writes behind w\""},
    {"reads_one_past_w", "oracle.value", "fail", "the value of its answer is nan"},
    {"loss_drifts", "loss.values", "fail", "when asked again"},
    {"psi_drifts", "features.same", "fail", "when asked again"},
    {"moody", "oracle.repeat", "fail", "answers the same question in two ways"},
    {"stale_scratch", "oracle.order", "fail", "answers the same question in two ways"},
    {"loss_on_truth", "loss.values", "fail", "the truth against itself is 0.5"},
    {"negative_loss", "loss.values", "fail", "the loss is -2.0"},
    {"no_output", "oracle.output", "fail", "says NO_OUTPUT, but there are outputs"},
    {"scale_ignored", "features.scale", "fail", "with scale -1"},
    {"text", "dataset.text", "fail", "format and parse do not agree"},
    {"state", "state.save", "fail", "its state in the model is damaged or of another version"},
    {"splits", "dataset.splits", "fail", "share examples"},
    {"parts", "loss.parts", "fail", "its parts over the factors add up to"},
    {"counts", "loss.counts", "fail", "but its counts are"},
    {"pullback", "features.pullback", "fail", "not adjoint"},
    {"potentials", "features.graph", "fail", "the potentials of the factor graph add up to"},
    {"unattainable", "frontier.graphs", "fail", "which no assignment has"},
    {"frontier_low", "frontier.graphs", "fail",
     "the frontier of enumerate says 0 for 0 errors, 2 others\",\"  best    [2 1]: score 1\""},
    {"frontier_low", "frontier.entries", "fail", "no entry as good as this output"},
    {"log_z", "expectation.mean", "fail", "says log Z is"},
    {"mean_squared", "expectation.mean", "fail", "gives another E[psi]: weight "},
    {"mean_squared", "expectation.covariance", "fail", "gives another Cov[psi] v: weight "},
    {"k_best_again", "k_best.order", "fail", " came before"},
    {"k_best_ends", "k_best.order", "fail", "rank 2 is NO_OUTPUT, but there are more"},
    {"sample_seed", "sample.draws", "fail", "draws another output from the same seed"},
    {"sample_first", "sample.draws", "fail", " times of 1000, expected are "},
    {"truth_denied", "oracle.outside", "fail", "says TRUTH_OUTSIDE, but the truth is one of"},
    {"truth_claimed", "oracle.outside", "fail",
     "does not say TRUTH_OUTSIDE, but the truth is none"},
    {"icm_exact", "map_solver.exact", "fail", "calls its answer EXACT, but another"},
    {"viterbi_greedy", "map_solver.exact", "fail", "calls its answer EXACT, but another"},
};

// What is told of all assignments, wrong in one way each.
constexpr Expected distributions[] = {
    {"map_isolated", "map_expectation.mean", "fail", "says log Z is"},
    {"map_marginals", "map_expectation.mean", "fail", "says E[z] is in cell 0 of theta"},
    {"map_covariance_sign", "map_expectation.covariance", "fail", "says Cov[z] v is in cell"},
    {"map_tie_skipped", "map_k_best.order", "fail", "is NO_OUTPUT, but there are more"},
    {"map_order", "map_k_best.order", "fail", "rank 2 has value"},
    {"map_ends_early", "map_k_best.order", "fail", "rank 3 is NO_OUTPUT, but there are more"},
    {"map_sample_best", "map_sample.draws", "fail", " expected are "},
    {"map_sample_seed", "map_sample.draws", "fail", "draws another output from the same seed"},
    {"map_sample_first", "map_sample.draws", "fail", " times of 1000, expected are "},
    {"map_k_best_begins", "map_k_best.ended", "fail", " as rank 2, which has value"},
    {"map_sample_moves", "map_sample.ended", "fail", "where the same seed gave"},
};

// Bugs as people write them, and a test that finds each.
constexpr Expected bugs[] = {
    // in viterbi
    {"back_pointer", "map_solver.exact", "fail", "calls its answer EXACT, but another"},
    {"transition_last", "map_solver.exact", "fail", "calls its answer EXACT, but another"},
    {"triple_last", "map_solver.exact", "fail", "calls its answer EXACT, but another"},
    {"labels_from_one", "map_solver.exact", "fail", "calls its answer EXACT, but another"},
    {"float", "map_solver.exact", "fail", "calls its answer EXACT, but another"},
    {"bound_low", "map_solver.exact", "fail", "says that nothing is above"},
    {"value_before", "oracle.value", "fail", "the value of its answer is"},
    {"stale", "oracle.order", "fail", "answers the same question in two ways"},
    {"address", "map_solver.order", "fail", "answers the same question in two ways"},
    {"race", "sessions.threads", "", ""},  // a wrong answer, or the end of the process
    // in hamming
    {"loss_first", "loss.parts", "fail", "its parts over the factors add up to"},
    {"loss_last", "loss.parts", "fail", "its parts over the factors add up to"},
    {"loss_sign", "loss.parts", "fail", "its parts over the factors add up to"},
    {"loss_weight_ignored", "loss.parts", "fail", "its parts over the factors add up to"},
    {"loss_weight_squared", "loss.parts", "fail", "its parts over the factors add up to"},
    {"truth_before", "oracle.exact", "fail", "another output is better by"},
    // in chain
    {"transposed", "features.graph", "fail", "the potentials of the factor graph add up to"},
    {"triple_turned", "features.graph", "fail", "the potentials of the factor graph add up to"},
    {"bias_dropped", "features.graph", "fail", "the potentials of the factor graph add up to"},
    {"psi_transition", "features.graph", "fail", "the potentials of the factor graph add up to"},
    {"psi_twice", "features.graph", "fail", "the potentials of the factor graph add up to"},
    {"single_promised", "features.classes", "fail", "promises that all its graphs are"},
    // in multiclass
    {"scores_unset", "scores.same", "fail", "leaves score 2 of 3 unset"},
    {"scores_beyond", "scores.same", "fail", "writes more scores than it has rows for"},
    {"scores_drift", "scores.same", "fail", "its scores are others when asked again"},
    {"scores_infinite", "scores.same", "fail", "score 1 of 3 overflows"},
    {"scores_shifted", "scores.linear", "fail", "score 1 is not linear in w: "},
    {"scores_shifted", "scores.graph", "fail", "by its scores a label is better than the first"},
    {"scores_swapped", "scores.graph", "fail", "by its scores a label is better than the first"},
    {"scores_nowhere", "scores.same", "fail", "has 0 columns of scores; there must be 1 or more"},
    // in graph
    {"attraction_promised", "features.classes", "fail", "promises attractive pairs for every w"},
    // in the tagger of the zoo
    {"value_without_loss", "oracle.value", "fail", "the value of its answer is"},
};

// Relaxed answers that are wrong in one way, of a map_solver and of an oracle.
constexpr Expected relaxed[] = {
    {"lp_not_normalised", "map_cut.polytope", "fail", "sum up to 1.1 instead of 1"},
    {"lp_marginals", "map_cut.polytope", "fail", "the cells with state"},
    {"lp_half", "map_cut.polytope", "fail", "sum up to 0.5 instead of 1"},
    {"lp_half", "map_cut.output", "fail", "mu is not that of its labels"},
    {"lp_not_written", "map_cut.polytope", "fail", "is nan, or was not written"},
    {"lp_value", "map_cut.value", "fail", "; <theta, mu> is"},
    {"lp_value", "cut.value", "fail", "the value of its answer is"},
    {"lp_bound", "map_cut.bound", "fail", "says that nothing in its larger set is above"},
    {"lp_bound", "cut.bound", "fail", "but this one has"},
    {"lp_low", "map_cut.bound", "fail", "which the set has to hold"},
    {"lp_no_output", "map_cut.value", "fail", "says NO_OUTPUT of its relaxed answer"},
    {"lp_no_output", "cut.output", "fail", "says NO_OUTPUT of its relaxed answer, but has an"},
    {"lp_drifts", "map_cut.order", "fail", "the beliefs mu differ"},
    {"lp_race", "cut.threads", "", ""},
    {"bag_scale", "cut.value", "fail", "<w, psi> + loss_weight * loss of it is"},
    {"bag_without_psi", "cut.features", "fail", "the psi written is not that of the output"},
    {"bag_loss", "cut.value", "fail", "<w, psi> + loss_weight * loss of it is"},
    {"bag_loss", "cut.features", "fail", "its loss is"},
    {"bag_low", "cut.bound", "fail", "but this one has"},
    {"bag_whole", "cut.value", "fail", "<w, psi> + loss_weight * loss of it is"},
    {"bag_no_output", "cut.output", "fail", "says NO_OUTPUT of its relaxed answer, but has an"},
};

std::string plugin(const std::string& name) {
  return std::string(SCULPT_ZOO) + "/" + name + "/zoo_" + name + ".so";
}

void check_found(const Expected& expected) {
  INFO(expected.plugin, ": ", expected.test);
  const CheckOutcome outcome = run_check({plugin(expected.plugin), "--only", expected.test});
  const Json found = outcome.test(expected.test);
  CHECK(outcome.exit == 1);
  const std::string verdict = found["verdict"];
  INFO(found.dump(2));
  if (*expected.verdict == '\0') {
    CHECK((verdict == "fail" || verdict == "crash"));
  } else {
    CHECK(verdict == expected.verdict);
  }
  CHECK(found["reasons"].dump().find(expected.text) != std::string::npos);
  CHECK(found.value("repeat", "").find(std::string("--only ") + expected.test) !=
        std::string::npos);
}

}  // namespace

TEST_CASE("check: each plugin of the zoo gets its verdict") {
  for (const Expected& expected : table) check_found(expected);
}

TEST_CASE("check: what leaves memory behind is found at every level, to the byte") {
  for (const char* level : {"1", "2", "3"}) {
    const auto found = [&](const char* name, const std::string& test) {
      return run_check({plugin(name), "--only", test, "--level", level}).test(test);
    };
    const std::string each_time = found("leak", "library.life")["reasons"][0].get<std::string>();
    INFO(each_time);
    CHECK(each_time.starts_with("org.sculpt.hamming: create and destroy leak: "));
    const double bytes = std::stod(each_time.substr(each_time.rfind("leak: ") + 6));
    CHECK(bytes >= 20);
    CHECK(bytes <= 48);  // with what the allocator adds
    CHECK(found("leak_in_load", "life.leak")["verdict"] == "fail");
    CHECK(found("leak_in_session", "sessions.leak")["verdict"] == "fail");
    CHECK(found("leak_in_argmax", "sessions.leak")["verdict"] == "warn");
    CHECK(found("leak_in_argmax", "life.leak")["verdict"] == "pass");
    CHECK(found("right", "library.life")["verdict"] == "pass");
    CHECK(found("right", "life.leak")["verdict"] == "pass");
    CHECK(found("right", "sessions.leak")["verdict"] == "pass");
  }
}

TEST_CASE("check: what is told of all assignments and wrong in one way is found at every level") {
  for (const Expected& expected : distributions) {
    check_found(expected);
    const CheckOutcome quick =
        run_check({plugin(expected.plugin), "--only", expected.test, "--level", "1"});
    CHECK(quick.exit == 1);
  }
}

TEST_CASE("check: bugs as people write them are found") {
  for (const Expected& expected : bugs) check_found(expected);
}

TEST_CASE("check: relaxed answers that are wrong in one way are found") {
  for (const Expected& expected : relaxed) check_found(expected);
}

TEST_CASE("check: the plugins that the zoo is bred from pass") {
  for (const char* name : {"right", "lp_right", "bag_right"}) {
    const CheckOutcome outcome = run_check({plugin(name), "--level", "3"});
    INFO(outcome.json.dump(2));
    CHECK(outcome.exit == 0);
  }
}

TEST_CASE("check: each of several oracles is asked by itself, not the last one alone") {
  const Scratch scratch;
  const auto verdicts = [&](const Json& oracle) {
    Json experiment = {
        {"dataset", {{"use", "letters"}, {"train", {{"text", "1 0 0 a 1 1\n1 0 1 b 0 0\n"}}}}},
        {"features", "chain"},
        {"loss", "hamming"},
        {"oracle", oracle},
        {"solver", "n_slack"}};
    scratch.write("several.json", experiment.dump());
    const Outcome outcome =
        scratch.sculpt({"check", "several.json", "--only", "map_solver.exact", "--json"});
    std::string said;
    const Json report = Json::parse(outcome.out);
    for (const Json& test : report["tests"]) {
      said +=
          test["experiment"].get<std::string>() + ": " + test["verdict"].get<std::string>() + "\n";
    }
    return said;
  };
  const std::string wrong = plugin("viterbi_greedy") + "#viterbi";
  const std::string expected =
      "several: pass\nseveral, oracle 1: " + wrong + ": fail\nseveral, oracle 2: viterbi: pass\n";
  CHECK(verdicts({wrong, "viterbi"}) == expected);
  CHECK(verdicts({{"use", "combine"}, {"members", {wrong, "viterbi"}}}) == expected);
  CHECK(verdicts("viterbi") == "several: pass\n");
}

TEST_CASE("check: examples with too many outputs are compared with a pool and with neighbours") {
  const Scratch scratch;
  std::string word;  // 3^12 outputs
  for (int t = 0; t < 12; ++t) {
    word += "1 0 " + std::to_string(t) + " " + "abc"[t % 3] + (t < 11 ? " 1 " : " 0 ") +
            (t % 2 == 0 ? "1" : "0") + "\n";
  }
  const Json experiment = {{"dataset", {{"use", "letters"}, {"train", {{"text", word}}}}},
                           {"features", "chain"},
                           {"loss", "hamming"},
                           {"oracle", plugin("viterbi_greedy") + "#viterbi"},
                           {"solver", "n_slack"}};
  scratch.write("long.json", experiment.dump());
  const Outcome outcome =
      scratch.sculpt({"check", "long.json", "--only", "oracle.exact", "--json"});
  CHECK(outcome.exit == 1);
  const Json test = Json::parse(outcome.out)["tests"][0];
  INFO(test.dump(2));
  CHECK(test["name"] == "oracle.exact");
  CHECK(test["verdict"] == "fail");
  CHECK(test["brute_forced"] == 0);
  CHECK(test["reasons"].dump().find("another output is better") != std::string::npos);
}

TEST_CASE("check: what takes too long fails, and says where it was") {
  const CheckOutcome outcome =
      run_check({plugin("hang"), "--only", "oracle.value", "--time-limit", "0.5"});
  CHECK(outcome.exit == 1);
  const Json found = outcome.test("oracle.value");
  CHECK(found["verdict"] == "fail");
  CHECK(found["reasons"][0] == "tagger: example 3: was still inside of argmax");
  CHECK(found["reasons"][1].get<std::string>().starts_with(
      "took longer than 0.5 s, in the middle of: example 3"));
}

TEST_CASE("check: what hangs is waited for twice, and then no more") {
  const CheckOutcome outcome =
      run_check({plugin("hang"), "--only", "oracle", "--time-limit", "0.5"});
  CHECK(outcome.exit == 1);
  int late = 0;
  int left_out = 0;
  for (const Json& test : outcome.json["tests"]) {
    const std::string reasons = test["reasons"].dump();
    late += reasons.find("took longer than 0.5 s") != std::string::npos;
    left_out += test["verdict"] == "skip" && reasons.find("not run: 2 tests") != std::string::npos;
  }
  CHECK(late == 2);
  CHECK(left_out > 3);
}

TEST_CASE("check: restored components are asked where an experiment reads several files, too") {
  const Scratch scratch;
  const std::string path = write_tagger(scratch, "right", "a:1 b:2", 3);
  const CheckOutcome outcome = run_check(
      {path, "--set", R"(dataset.test={"text":"c:1 a:1\n"})", "--only", "state.predictions"});
  INFO(outcome.json.dump(2));
  CHECK(outcome.test("state.predictions")["verdict"] == "pass");
}

TEST_CASE(
    "check: a component that is never done with its end fails, and does not hold the check up") {
  const CheckOutcome outcome =
      run_check({plugin("hang_in_destroy"), "--only", "dataset.text", "--time-limit", "0.5"});
  CHECK(outcome.exit == 1);
  CHECK(outcome.test("dataset.text")["verdict"] == "pass");
  const Json end = outcome.test("life.end");
  CHECK(end["verdict"] == "fail");
  CHECK(end["reasons"][0] == "tagger: was still inside of destroy");
  CHECK(end["reasons"][1] ==
        "took longer than 0.5 s, in the middle of: destroying the components (--time-limit)");
  CHECK(end["repeat"].get<std::string>().ends_with(" --time-limit 0.5 --only life.end"));
  const CheckOutcome again =
      run_check({plugin("hang_in_destroy"), "--only", "life.end", "--time-limit", "0.5"});
  CHECK(again.test("life.end")["verdict"] == "fail");
  CHECK(run_check({plugin("right"), "--only", "life.end"}).test("life.end")["verdict"] == "pass");
}

TEST_CASE("check: a refusal is told, though a component is never done with its end") {
  const Scratch scratch;
  write_tagger(scratch, "hang_in_destroy", "a:1", 2);
  check_refused(
      scratch,
      scratch.sculpt({"check", "tagger.json", "--example", "99999", "--time-limit", "0.5"}), 64,
      {"--example 99999: there are 2 examples"});
}

TEST_CASE("check: a plugin whose threads do the work is checked, not called hung") {
  const CheckOutcome outcome =
      run_check({plugin("threaded"), "--level", "1", "--time-limit", "20"});
  INFO(outcome.json.dump(2));
  CHECK(outcome.exit == 0);
  CHECK(
      outcome.test("bind")["reasons"][0].get<std::string>().starts_with("leaves 1 thread running"));
  CHECK(outcome.test("oracle.exact")["brute_forced"] > 0);
  CHECK(run_check({plugin("right"), "--only", "bind"}).test("bind")["reasons"].empty());
}

TEST_CASE("check: nor is a library hung that starts a thread when it is loaded") {
  const CheckOutcome outcome =
      run_check({plugin("threaded_early"), "--level", "1", "--time-limit", "20"});
  INFO(outcome.json.dump(2));
  CHECK(outcome.exit == 0);
  for (const char* test : {"library.load", "bind"}) {
    CHECK(
        outcome.test(test)["reasons"][0].get<std::string>().starts_with("leaves 1 thread running"));
  }
  CHECK(outcome.test("library.life")["verdict"] == "pass");
  CHECK(outcome.test("state.save")["verdict"] == "pass");
}

TEST_CASE("check: what is wrong with a plugin with threads is found all the same") {
  check_found({"threaded_wrong", "loss.values", "fail", "the truth against itself is 0.5"});
}

TEST_CASE("check: the last words of a process that ended are told line by line") {
  const Json reasons =
      run_check({plugin("last_words"), "--only", "oracle.value"}).test("oracle.value")["reasons"];
  REQUIRE(reasons.size() == 5);
  CHECK(reasons[0] == "tagger: example 0: ended the process in argmax");
  CHECK(reasons[2] == "it printed:");
  CHECK(reasons[3] == "  first line");  // flushed behind it
  CHECK(reasons[4] == "  second line");
}

TEST_CASE("check: what plugins print breaks neither the table nor the JSON") {
  const CheckOutcome outcome = run_check({plugin("talks"), "--only", "oracle"});
  CHECK(outcome.exit == 0);  // run_check() has parsed it
  const Scratch scratch;
  const Outcome table_text = scratch.sculpt({"check", plugin("talks"), "--only", "oracle"});
  CHECK(table_text.out.find("garbage") == std::string::npos);
  CHECK(table_text.err.empty());
}

TEST_CASE("check: the counter-example to icm has at most four variables") {
  const CheckOutcome outcome = run_check({plugin("icm_exact"), "--only", "map_solver.exact"});
  const std::string graph = outcome.test("map_solver.exact")["reasons"][3];
  CAPTURE(graph);
  CHECK(graph.find(" variables with ") != std::string::npos);
  CHECK(std::stoi(graph) <= 4);
}

TEST_CASE("check: a sidecar that says something else than its library fails") {
  const Scratch scratch;
  fs::copy(plugin("right"), scratch / "zoo_right.so");
  std::ifstream file(std::string(SCULPT_ZOO) + "/right/zoo_right.sculpt.json");
  Json sidecar = Json::parse(file);
  sidecar["components"][0]["version"] = "7.0.0";
  scratch.write("zoo_right.sculpt.json", sidecar.dump());
  const CheckOutcome outcome =
      run_check({(scratch / "zoo_right.so").string(), "--only", "library.sidecar"});
  CHECK(outcome.exit == 1);
  CHECK(outcome.test("library.sidecar")["verdict"] == "fail");
}
