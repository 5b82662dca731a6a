#include "check/check_run.hpp"

#include <new>

#include "base/stopwatch.hpp"
#include "base/text/message_text.hpp"
#include "check/experiment_test_runner.hpp"
#include "check/system/fork_server.hpp"
#include "check/system/test_process.hpp"
#include "problem/oracle/separation_strategy.hpp"

namespace sculpt::core {
namespace {

constexpr const char* bind_test = "bind";
constexpr const char* load_test = "library.load";
constexpr const char* end_test = "life.end";  // destroys the components of an experiment

// Passes on the requested reports, and all failures and crashes.
ReportSink wanted(const CheckOptions& options, const ReportSink& sink) {
  return [&options, &sink](const TestReport& report) {
    if (options.wants(report.name) || report.broken()) sink(report);
  };
}

// Adds a line to a report that explains why the later tests are slow.
void remark_threads(TestReport& report, int threads) {
  report.reasons.insert(
      report.reasons.begin(),
      "leaves " + std::to_string(threads) + (threads == 1 ? " thread" : " threads") +
          " running, which the process of a test would not inherit: each test loads anew");
}

// True if the check cannot begin or go on, and no plugin is the cause: wrong input, or no memory.
bool is_refusal(const Failure& failure) {
  return failure.exit() == Exit::missing || failure.exit() == Exit::config ||
         failure.exit() == Exit::usage || failure.exit() == Exit::memory;
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
std::unique_ptr<Problem> bind(const ProblemFactory& source, const CheckOptions& options,
                              const ForkServerLink& link, int& threads) {
  const Stopwatch watch;
  TestReport report;
  report.name = bind_test;
  std::unique_ptr<Problem> problem;
  try {
    link.note("creating, loading and binding the components");
    problem = source.make({});
    if (const auto planes = source.formulation()) choose_strategy(*planes, problem->oracle());
    require_examples(*problem, options.examples);
    TestFixture fixture(source, *problem, options);
    const std::size_t asked = fixture.examples().size();
    const auto count = static_cast<std::size_t>(problem->dataset().count());
    if (asked < count) {
      report.reasons.push_back("asks about " + std::to_string(asked) + " of " +
                               std::to_string(count) +
                               " examples, about the others in oracle.every alone; --example N "
                               "and other seeds choose others");
    }
    report.cases = 1;
  } catch (const std::bad_alloc&) {
    link.refused(Failure(Exit::memory, "out of memory"));
    return nullptr;
  } catch (const std::exception& fault) {
    const auto* const failure = dynamic_cast<const Failure*>(&fault);
    if (failure != nullptr && is_refusal(*failure)) {
      link.refused(*failure);
      return nullptr;
    }
    report.verdict = Verdict::fail;
    report.reasons = {fault.what()};
    problem.reset();
  }
  threads = lasting_threads() - threads;
  if (problem && threads > 0) remark_threads(report, threads);
  report.seconds = watch.seconds();
  link.report(report);
  link.note("");
  return problem;
}

// Runs the tests of a library that is loaded in this process or read from `file`.
void run_library_tests(const std::filesystem::path& file, const CheckOptions& options,
                       const ReportSink& sink) {
  for (const LibraryTest& test : library_tests()) {
    if (!options.wants(test.name)) continue;
    sink(run_test(test.name, options.time_limit, {[&](TestContext& context) {
                    test.run(Library::load(file), options, context);
                  }}));
  }
}

}  // namespace

std::optional<Failure> check_experiment(const CheckSubject& subject, const CheckOptions& options,
                                        const ReportSink& sink) {
  std::unique_ptr<ProblemFactory> source;
  std::unique_ptr<Problem> problem;
  const auto body = [&](const ForkServerLink& link) {
    int threads = lasting_threads();
    try {
      link.note("looking for the components");
      source = subject.open();
    } catch (const Failure& failure) {
      return link.refused(failure);
    }
    problem = bind(*source, options, link, threads);
    if (!problem) return;
    if (threads > 0) {
      link.threaded(source->oracles());
    } else {
      run_experiment_tests(subject, options, source, problem, source->oracles(),
                           [&](const TestReport& report) { link.report(report); });
    }
    link.ending("destroying the components");
    problem.reset();
    link.ended();
  };
  const ForkServerOutcome outcome = run_fork_server({subject.name, bind_test, end_test, body},
                                                    options.time_limit, wanted(options, sink));
  if (outcome.threaded) {
    run_experiment_tests(subject, options, source, problem, outcome.oracles, sink);
  }
  return outcome.refused;
}

std::optional<Failure> check_library(const std::filesystem::path& file, const CheckOptions& options,
                                     const ReportSink& sink,
                                     std::vector<std::string>& experiments) {
  const auto body = [&](const ForkServerLink& link) {
    const int threads = lasting_threads();
    const Stopwatch watch;
    const Library* library = nullptr;
    try {
      link.note("loading the library");
      library = &Library::load(file);
    } catch (const Failure& failure) {
      return link.refused(failure);
    }
    TestReport loaded;
    loaded.name = load_test;
    loaded.cases = 1;
    loaded.seconds = watch.seconds();
    if (loaded.seconds > 1) {
      loaded.verdict = Verdict::warn;
      loaded.reasons = {"loading took " + number_text(loaded.seconds) +
                        " s; leave work to create(), or better to load()"};
    }
    const int more = lasting_threads() - threads;
    if (more > 0) remark_threads(loaded, more);
    link.report(loaded);
    link.note("");
    if (more > 0) {
      link.threaded();
    } else {
      run_library_tests(file, options, [&](const TestReport& report) { link.report(report); });
    }
    const sculpt_plugin& catalogue = library->catalogue();
    for (std::int64_t k = 0; k < catalogue.experiment_count; ++k) {
      if (catalogue.experiments[k] != nullptr) link.carries(catalogue.experiments[k]);
    }
  };
  const ForkServerOutcome outcome =
      run_fork_server({"", load_test, load_test, body}, options.time_limit, wanted(options, sink));
  if (outcome.threaded) run_library_tests(file, options, sink);
  experiments = outcome.experiments;
  return outcome.refused;
}

std::vector<std::string> check_names() {
  std::vector<std::string> names = {load_test};
  for (const LibraryTest& test : library_tests()) names.emplace_back(test.name);
  names.emplace_back(bind_test);
  for (const ExperimentTest& test : experiment_tests()) names.emplace_back(test.name);
  names.emplace_back(end_test);
  return names;
}

}  // namespace sculpt::core
