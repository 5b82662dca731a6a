#include "check/variants/variant_body.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "base/stopwatch.hpp"
#include "base/text/message_text.hpp"
#include "check/fixture/proper_refusal.hpp"
#include "check/tests/test_groups.hpp"

namespace sculpt::core {
namespace {

// The groups whose tests are run.
constexpr std::array<std::string_view, 13> groups = {
    "features.", "loss.",   "scores.",      "kernel.", "oracle.",     "complete.", "cut.",
    "frontier.", "k_best.", "expectation.", "sample.", "map_solver.", "witness."};
// Tests of these groups that take long or repeat others, and tests of other groups that are run.
constexpr std::array<std::string_view, 5> left_out = {"oracle.every", "oracle.repeat", "cut.repeat",
                                                      "kernel.threads", "kernel.damage"};
constexpr std::array<std::string_view, 3> oracle_groups = {"oracle.", "cut.", "frontier."};
constexpr std::array<std::string_view, 10> added = {
    "dataset.text",   "dataset.sites", "dataset.items", "dataset.shape", "dataset.weights",
    "dataset.scales", "dataset.place", "dataset.width", "state.save",    "state.predictions"};
// Tests that load the data again. They are left out if there are many examples, or if loading takes
// more than a part of the time.
constexpr std::array<std::string_view, 9> loading = {
    "oracle.equal_size", "cut.equal_size", "state.save",       "state.predictions", "dataset.place",
    "dataset.width",     "dataset.scales", "features.columns", "kernel.kept"};
constexpr std::int64_t max_reloaded_examples = 1000;
constexpr double max_loading_time = 1.0 / 6;

template <std::size_t count>
bool contains(const std::array<std::string_view, count>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

template <std::size_t count>
bool is_in(const std::array<std::string_view, count>& names_of_groups, std::string_view test) {
  return std::any_of(names_of_groups.begin(), names_of_groups.end(),
                     [test](std::string_view group) { return test.starts_with(group); });
}

bool is_run(VariantTests tests, std::string_view test) {
  if (contains(left_out, test)) return false;
  switch (tests) {
    case VariantTests::none:
      return false;
    case VariantTests::of_loss:
      return test.starts_with("loss.");
    case VariantTests::of_oracle:
      return is_in(oracle_groups, test);
    case VariantTests::all:
      return contains(added, test) || is_in(groups, test);
  }
  return false;
}

// Returns why the change has not the effect that it is made for, or "".
std::string missing_effect(TestFixture& fixture, const Variant& variant) {
  const std::int64_t count = fixture.problem().dataset().count();
  if (variant.larger_than >= 0) {
    std::int64_t largest = -1;
    for (const std::int64_t example : variant.examples) {
      if (example >= count) return "the dataset reads fewer examples";
      if (!fixture.has_complete_truth(example)) return "a new example has no complete truth";
      largest = std::max(largest, fixture.truth(example).size);
    }
    if (largest <= variant.larger_than) return "the new examples are not longer";
  }
  if (!variant.loss.empty()) return fixture.problem().oracle().obstacle_to_frontier();
  if (!variant.needs_empty) return "";
  for (std::int64_t example = 0; example < count; ++example) {
    if (fixture.has_complete_truth(example) && fixture.truth(example).size == 0) return "";
  }
  return "no example has the empty output";
}

// Runs all tests in this process, in the time of one. A test in which a component refuses a query
// counts as not run. Returns why, if no test of the oracle has run.
// `loading_seconds`: the time that making the problem took. `tests`: receives those with cases.
std::string run_tests(TestFixture& fixture, TestContext& context, VariantTests chosen,
                      double loading_seconds, std::set<std::string>& tests) {
  const bool may_reload = fixture.problem().dataset().count() <= max_reloaded_examples &&
                          loading_seconds <= max_loading_time * fixture.timer().limit();
  std::string refusal;
  bool has_run = false;
  for (const ExperimentTest& test : experiment_tests()) {
    if (!is_run(chosen, test.name)) continue;
    if (!may_reload && contains(loading, test.name)) continue;
    TestContext own([&](const std::string& what) {
      context.set_activity(std::string(test.name) + ": " + what);
    });
    own.set_activity("the first step");  // the last one of the test before is over
    try {
      test.run(fixture, own);
    } catch (const TestEnded&) {
    } catch (const Failure& failure) {
      if (!is_proper_refusal(failure)) throw;
      refusal = failure.what();
      continue;
    }
    TestReport& report = own.report();
    context.report().cases += report.cases;
    context.report().brute_forced += report.brute_forced;
    if (report.verdict != Verdict::skip) {
      tests.insert(test.name);
      has_run = has_run || std::string_view(test.name).starts_with("oracle.");
    }
    if (!report.has_failed()) continue;
    report.reasons.front() = std::string(test.name) + ": " + report.reasons.front();
    context.fail(report.reasons);
  }
  return has_run ? "" : refusal;
}

void send_refusal(TestContext& context, const std::string& reason) {
  context.report().facts = nlohmann::json{{"refusal", printable(reason)}}.dump();
}

}  // namespace

void run_variant_body(const ExperimentFactory& factory, const Variant& variant,
                      const CheckOptions& options, VariantObjects& objects, TestContext& context) {
  const Stopwatch watch;
  double loading_seconds = 0;
  bool is_made = false;
  try {
    context.set_activity("creating, loading and binding the components");
    objects.experiment = factory.with_overrides(variant.overrides);
    objects.problem = objects.experiment->make({});
    is_made = true;
    loading_seconds = watch.seconds();
    CheckOptions own_options = options;
    if (!variant.examples.empty()) own_options.examples = variant.examples;
    TestFixture fixture(*objects.experiment, *objects.problem, own_options);
    const std::string missing = missing_effect(fixture, variant);
    if (!missing.empty()) return send_refusal(context, missing);
    std::set<std::string> tests;
    const std::string refusal = run_tests(fixture, context, variant.tests, loading_seconds, tests);
    if (!refusal.empty()) return send_refusal(context, refusal);
    if (variant.tests == VariantTests::of_loss) {  // the oracle is not asked
      context.report().facts = facts_text(OutputFacts());
      return;
    }
    context.set_activity("gathering facts about the outputs");
    OutputFacts outputs = gather_output_facts(fixture);
    outputs.tests = std::move(tests);
    context.report().facts = facts_text(outputs);
  } catch (const Failure& failure) {
    // The text may be no data at all, so any error of loading it is proper.
    if (!is_proper_refusal(failure) && (is_made || !variant.has_new_text)) throw;
    send_refusal(context, failure.what());
  } catch (const std::bad_alloc&) {
    send_refusal(context, "out of memory");
  }
}

VariantOutcome read_outcome(const std::string& facts) {
  const nlohmann::json json = nlohmann::json::parse(facts);
  if (json.contains("refusal")) return {json["refusal"].get<std::string>(), {}};
  return {"", read_output_facts(facts)};
}

}  // namespace sculpt::core
