// What the experiments of a check cannot show: what must be added, and what need not.

#include "check/judgement.hpp"

#include <doctest/doctest.h>

using namespace sculpt::core;

namespace {

constexpr const char* component_id = "org.test.words";

// Facts about an experiment that shows everything.
OutputFacts complete_facts() {
  OutputFacts facts;
  facts.sizes = {0, 1, 2, 3};
  facts.truth_count = 4;
  facts.largest_label = 2;
  facts.has_equal_size = true;
  facts.has_two_truths = true;
  facts.has_truth_outside = true;
  facts.has_unlabelled = true;
  return facts;
}

TestReport facts_of(const std::string& experiment, const OutputFacts& outputs,
                    std::vector<std::string> limits = {}) {
  ExperimentFacts facts;
  facts.components = {{component_id, SCULPT_KIND_ORACLE, {}, true}};
  facts.outputs = outputs;
  JudgedFacts judged;
  judged.experiment = facts_text(facts);
  judged.outputs = facts_text(outputs);
  judged.limits = std::move(limits);
  TestReport report;
  report.experiment = experiment;
  report.name = facts_report;
  report.facts = facts_text(judged);
  return report;
}

TestReport test_of(const std::string& experiment, Verdict verdict) {
  TestReport report;
  report.experiment = experiment;
  report.name = "oracle.exact";
  report.verdict = verdict;
  return report;
}

// The facts of a library come before those of its experiments.
Judgement library_judgement(const OutputFacts& outputs) {
  Judgement judgement;
  judgement.add(facts_of("", OutputFacts()));
  judgement.add(facts_of("words", outputs));
  return judgement;
}

Judgement experiment_judgement(const OutputFacts& outputs) {
  Judgement judgement;
  judgement.add(facts_of("words.json", outputs));
  return judgement;
}

std::string lines(const Judgement& judgement, std::size_t report) {
  const std::vector<TestReport> reports = judgement.reports();
  REQUIRE(report < reports.size());
  std::string text;
  for (const std::string& line : reports[report].reasons) text += line + "\n";
  return text;
}

bool has_gaps(const Judgement& judgement) {
  return judgement.reports().front().verdict == Verdict::note;
}

}  // namespace

TEST_CASE("an experiment that shows everything has no gap") {
  CHECK_FALSE(has_gaps(library_judgement(complete_facts())));
  CHECK(lines(library_judgement(complete_facts()), 1).find("labels above 2") != std::string::npos);
}

TEST_CASE("outputs of one size are a gap only if there is one example") {
  OutputFacts facts = complete_facts();
  facts.sizes = {9};
  CHECK_FALSE(has_gaps(library_judgement(facts)));
  CHECK(lines(library_judgement(facts), 1)
            .find("other sizes than 9 labels, because all outputs have this one size; add "
                  "examples of other sizes, if there can be any") != std::string::npos);
  facts.truth_count = 1;
  CHECK(has_gaps(library_judgement(facts)));
  facts.truth_count = 4;
  facts.sizes = {9, 18};  // longer examples are possible
  CHECK(lines(library_judgement(facts), 0).find("tested have 9 and 18 labels") !=
        std::string::npos);
}

TEST_CASE("of many sizes only the first ones are listed") {
  OutputFacts facts = complete_facts();
  for (std::int64_t size = 4; size <= 1000; size += 2) facts.sizes.insert(size);
  CHECK(lines(library_judgement(facts), 1)
            .find("other sizes than 0 to 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, ..., and up to 1000 "
                  "labels") != std::string::npos);
}

TEST_CASE("examples of several experiments count together") {
  OutputFacts facts = complete_facts();
  facts.sizes = {9};
  facts.truth_count = 1;
  Judgement judgement = library_judgement(facts);
  judgement.add(facts_of("other words", facts));
  CHECK_FALSE(has_gaps(judgement));
}

TEST_CASE("two labels in a factor graph are a gap of a library, not of an experiment") {
  OutputFacts facts = complete_facts();
  facts.sizes = {1};
  facts.largest_label = 1;
  facts.has_graph = true;
  CHECK(lines(library_judgement(facts), 0).find("a fault that needs 3 labels") !=
        std::string::npos);
  CHECK_FALSE(has_gaps(experiment_judgement(facts)));
  facts.is_binary = true;
  CHECK_FALSE(has_gaps(library_judgement(facts)));
}

TEST_CASE("an experiment without a factor graph does not ask for a third label of binary graphs") {
  OutputFacts without_graph = complete_facts();
  without_graph.largest_label = 1;
  OutputFacts binary = without_graph;
  binary.has_graph = true;
  binary.is_binary = true;
  OutputFacts not_binary = binary;
  not_binary.is_binary = false;
  for (const auto& [first, second, has_gap] : {std::tuple{without_graph, binary, false},
                                               {binary, without_graph, false},
                                               {binary, not_binary, true},
                                               {without_graph, not_binary, true}}) {
    Judgement judgement = library_judgement(first);
    judgement.add(facts_of("other words", second));
    CHECK(has_gaps(judgement) == has_gap);
  }
}

TEST_CASE("a single example of its size is a gap") {
  OutputFacts facts = complete_facts();
  facts.has_equal_size = false;
  CHECK(lines(library_judgement(facts), 0).find("two examples of equal size") != std::string::npos);
}

TEST_CASE("a component that no experiment uses is a gap") {
  Judgement judgement;
  judgement.add(facts_of("", OutputFacts()));
  CHECK(judgement.reports().empty());
  OutputFacts facts = complete_facts();
  TestReport other = facts_of("words", facts);
  ExperimentFacts experiment;
  experiment.components = {{"org.test.other", SCULPT_KIND_ORACLE, {}, false}};
  JudgedFacts judged;
  judged.experiment = facts_text(experiment);
  judged.outputs = facts_text(facts);
  other.facts = facts_text(judged);
  judgement.add(other);
  CHECK(lines(judgement, 0).find("any fault of org.test.words, because no experiment uses it") !=
        std::string::npos);
}

TEST_CASE("an extension whose test has not run is a gap, one without a test is a limit") {
  const auto judgement_of = [](std::uint32_t kind, const std::string& extension,
                               const std::string& test, bool has_library = true,
                               bool has_left_out = false) {
    TestReport report = facts_of("words.json", complete_facts());
    ExperimentFacts experiment;
    experiment.components = {{component_id, kind, {extension}, true}};
    JudgedFacts judged;
    judged.experiment = facts_text(experiment);
    judged.outputs = facts_text(complete_facts());
    judged.has_left_out = has_left_out;
    report.facts = facts_text(judged);
    Judgement judgement;
    TestReport library = facts_of("", OutputFacts());
    library.facts = facts_text(judged);
    if (has_library) judgement.add(library);
    TestReport run = test_of("words.json", Verdict::pass);
    run.name = test;
    judgement.add(run);
    judgement.add(report);
    return judgement;
  };
  for (const auto& [kind, extension, test] :
       {std::tuple{SCULPT_KIND_ORACLE, "sculpt.batch-argmax/1", "oracle.batch"},
        {SCULPT_KIND_FEATURES, "sculpt.names/1", "features.names"},
        {SCULPT_KIND_FEATURES, "sculpt.output-shape/1", "features.shape"},
        {SCULPT_KIND_DATASET, "sculpt.output-shape/1", "dataset.shape"},
        {SCULPT_KIND_ORACLE, "sculpt.complete/1", "complete.best"}}) {
    CHECK(has_gaps(judgement_of(kind, extension, "oracle.exact")));
    CHECK_FALSE(has_gaps(judgement_of(kind, extension, test)));
  }
  CHECK(has_gaps(judgement_of(SCULPT_KIND_DATASET, "sculpt.output-shape/1", "features.shape")));
  // A part of a task declares the extensions of all parts.
  CHECK_FALSE(has_gaps(judgement_of(SCULPT_KIND_LOSS, "sculpt.names/1", "oracle.exact")));
  const Judgement untested = judgement_of(SCULPT_KIND_ORACLE, "org.test.private/1", "oracle.exact");
  CHECK_FALSE(has_gaps(untested));
  CHECK(lines(untested, 1)
            .find("a fault of org.test.words in org.test.private/1, because the check "
                  "has no test of it") != std::string::npos);
}

TEST_CASE("after a failure nothing is judged, because the facts of its experiment are missing") {
  Judgement judgement;
  judgement.add(facts_of("", OutputFacts()));
  judgement.add(test_of("words", Verdict::crash));
  const std::vector<TestReport> reports = judgement.reports();
  REQUIRE(reports.size() == 1);
  CHECK(reports.front().verdict == Verdict::skip);
  CHECK(reports.front().reasons.front() == "not judged, because tests have failed");
}

TEST_CASE("what the budget of a check left out is a limit, not a gap") {
  Judgement judgement;
  judgement.add(facts_of("words.json", complete_facts(), {"cannot show: a fault under other"}));
  CHECK_FALSE(has_gaps(judgement));
  CHECK(lines(judgement, 1).find("cannot show: a fault under other\n") != std::string::npos);
}
