#include "check/check_run.hpp"

#include <new>

#include "base/stopwatch.hpp"
#include "base/text/message_text.hpp"
#include "check/experiment_test_runner.hpp"
#include "check/system/fork_server.hpp"
#include "check/system/test_process.hpp"
#include "check/tests/test_groups.hpp"
#include "check/variants/experiment_facts.hpp"
#include "check/variants/variant_runner.hpp"
#include "problem/oracle/separation_strategy.hpp"

namespace sculpt::core {
namespace {

constexpr const char* bind_test = "bind";
constexpr const char* load_test = "library.load";
constexpr const char* end_test = "life.end";  // destroys the components of an experiment

// Passes on the requested reports, all failures and crashes, and facts.
ReportSink requested_only(const CheckOptions& options, const ReportSink& sink) {
  return [&options, &sink](const TestReport& report) {
    const bool is_facts = report.name == facts_report;
    if (is_facts || options.is_requested(report.name) || report.has_failed()) sink(report);
  };
}

// Adds a line to a report that explains why the later tests are slow.
void add_thread_remark(TestReport& report, int threads) {
  report.reasons.insert(
      report.reasons.begin(),
      "leaves " + count_text(threads, "thread") +
          " running; the process of a test does not inherit them, so each test loads the data "
          "again");
}

// True if the check cannot begin or go on, and no plugin is the cause: wrong input, or no memory.
bool is_refusal(const Failure& failure) {
  return failure.exit_code() == Exit::missing || failure.exit_code() == Exit::config ||
         failure.exit_code() == Exit::usage || failure.exit_code() == Exit::memory;
}

void require_examples(Problem& problem, const std::vector<std::int64_t>& examples) {
  const std::int64_t count = problem.dataset().count();
  for (const std::int64_t example : examples) {
    if (example >= 0 && example < count) continue;
    throw Failure(Exit::usage, "--example " + std::to_string(example) + ": there are " +
                                   std::to_string(count) + " examples, counted from 0");
  }
}

// Makes the problem, or reports why not. `threads`: on entry the threads of this process, on return
// how many were added.
std::unique_ptr<Problem> run_bind_test(const ProblemFactory& factory, const CheckOptions& options,
                                       const ForkServerLink& link, int& threads) {
  const Stopwatch watch;
  TestReport report;
  report.name = bind_test;
  std::unique_ptr<Problem> problem;
  try {
    link.set_activity("creating, loading and binding the components");
    problem = factory.make({});
    if (const auto planes = factory.formulation()) choose_strategy(*planes, problem->oracle());
    require_examples(*problem, options.examples);
    TestFixture fixture(factory, *problem, options);
    const std::size_t used = fixture.examples().size();
    const auto count = static_cast<std::size_t>(problem->dataset().count());
    if (used < count) {
      report.reasons.push_back("uses " + std::to_string(used) + " of " + std::to_string(count) +
                               " examples, the others only in oracle.every; --example N or another "
                               "--seed chooses others");
    }
    report.cases = 1;
  } catch (const std::bad_alloc&) {
    link.send_refusal(Failure(Exit::memory, "out of memory"));
    return nullptr;
  } catch (const std::exception& exception) {
    const auto* const failure = dynamic_cast<const Failure*>(&exception);
    if (failure != nullptr && is_refusal(*failure)) {
      link.send_refusal(*failure);
      return nullptr;
    }
    report.verdict = Verdict::fail;
    report.reasons = {exception.what()};
    problem.reset();
  }
  threads = remaining_thread_count() - threads;
  if (problem && threads > 0) add_thread_remark(report, threads);
  report.seconds = watch.seconds();
  link.send_report(report);
  link.set_activity("");
  return problem;
}

// Returns the facts about the components of a library.
std::string library_facts(const Library& library) {
  ExperimentFacts facts;
  for (const sculpt_component* component : library.components()) {
    facts.components.push_back(component_facts(*component));
  }
  JudgedFacts judged;
  judged.experiment = facts_text(facts);
  judged.outputs = facts_text(facts.outputs);
  return facts_text(judged);
}

// Runs the tests of a library that is loaded in this process or read from `file`.
void run_library_tests(const std::filesystem::path& file, const CheckOptions& options,
                       const ReportSink& sink) {
  for (const LibraryTest& test : library_tests()) {
    if (!options.is_requested(test.name)) continue;
    sink(run_test(test.name, options.time_limit, {[&](TestContext& context) {
                    test.run(Library::load(file), options, context);
                  }}));
  }
}

}  // namespace

std::optional<Failure> check_experiment(const CheckSubject& subject, const CheckOptions& options,
                                        const ReportSink& sink) {
  std::unique_ptr<ExperimentFactory> factory;
  std::unique_ptr<Problem> problem;
  const auto body = [&](const ForkServerLink& link) {
    int threads = remaining_thread_count();
    try {
      link.set_activity("looking for the components");
      factory = subject.open();
    } catch (const Failure& failure) {
      return link.send_refusal(failure);
    }
    problem = run_bind_test(*factory, options, link, threads);
    if (!problem) return;
    if (threads > 0) {
      link.send_has_threads(factory->oracles());
    } else {
      run_experiment_tests(subject, options, factory, problem, factory->oracles(),
                           [&](const TestReport& report) { link.send_report(report); });
    }
    link.send_ending("destroying the components");
    problem.reset();
    link.send_ended();
  };
  const ForkServerOutcome outcome = run_fork_server(
      {subject.name, bind_test, end_test, body}, options.time_limit, requested_only(options, sink));
  if (outcome.has_threads) {
    run_experiment_tests(subject, options, factory, problem, outcome.oracles, sink);
  }
  return outcome.refusal;
}

std::optional<Failure> check_library(const std::filesystem::path& file, const CheckOptions& options,
                                     const ReportSink& sink,
                                     std::vector<std::string>& experiments) {
  const auto body = [&](const ForkServerLink& link) {
    const int threads = remaining_thread_count();
    const Stopwatch watch;
    const Library* library = nullptr;
    try {
      link.set_activity("loading the library");
      library = &Library::load(file);
    } catch (const Failure& failure) {
      return link.send_refusal(failure);
    }
    TestReport loaded;
    loaded.name = load_test;
    loaded.cases = 1;
    loaded.seconds = watch.seconds();
    if (loaded.seconds > 1) {
      loaded.verdict = Verdict::warn;
      loaded.reasons = {"loading took " + number_text(loaded.seconds) +
                        " s; move work to create(), or better to load()"};
    }
    const int new_threads = remaining_thread_count() - threads;
    if (new_threads > 0) add_thread_remark(loaded, new_threads);
    link.send_report(loaded);
    link.set_activity("");
    if (new_threads > 0) {
      link.send_has_threads();
    } else {
      run_library_tests(file, options, [&](const TestReport& report) { link.send_report(report); });
    }
    TestReport facts;
    facts.name = facts_report;
    facts.facts = library_facts(*library);
    link.send_report(facts);
    const sculpt_plugin& catalogue = library->catalogue();
    for (std::int64_t k = 0; k < catalogue.experiment_count; ++k) {
      if (catalogue.experiments[k] != nullptr) link.send_experiment(catalogue.experiments[k]);
    }
  };
  const ForkServerOutcome outcome = run_fork_server(
      {"", load_test, load_test, body}, options.time_limit, requested_only(options, sink));
  if (outcome.has_threads) run_library_tests(file, options, sink);
  experiments = outcome.experiments;
  return outcome.refusal;
}

std::vector<std::string> check_names() {
  std::vector<std::string> names = {load_test};
  for (const LibraryTest& test : library_tests()) names.emplace_back(test.name);
  names.emplace_back(bind_test);
  for (const ExperimentTest& test : experiment_tests()) names.emplace_back(test.name);
  names.insert(names.end(), variant_tests.begin(), variant_tests.end());
  names.emplace_back(end_test);
  return names;
}

}  // namespace sculpt::core
