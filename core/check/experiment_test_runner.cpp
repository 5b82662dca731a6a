#include "check/experiment_test_runner.hpp"

#include <array>
#include <optional>

#include "base/text/message_text.hpp"
#include "check/system/test_process.hpp"
#include "check/tests/test_groups.hpp"
#include "check/variants/variant_runner.hpp"

namespace sculpt::core {
namespace {

// Counts the tests that timed out. If a plugin hangs, every test would use all its time to report
// it.
class TimeoutCounter {
 public:
  explicit TimeoutCounter(double limit) : limit_(limit) {}
  void count(const TestReport& report) { timeouts_ += report.has_timed_out ? 1 : 0; }
  // Returns the report of the test if it is skipped for this reason, nothing if it is run.
  std::optional<TestReport> skip_report(const char* test) const {
    if (timeouts_ < max_timed_out_tests) return std::nullopt;
    TestReport report;
    report.name = test;
    report.verdict = Verdict::skip;
    report.reasons = {"not run: " + std::to_string(timeouts_) + " tests have taken longer than " +
                      exact_number_text(limit_) + " s; --only with its name runs it"};
    return report;
  }

 private:
  static constexpr int max_timed_out_tests = 2;
  double limit_;
  int timeouts_ = 0;
};

// Makes the problem of an experiment with only one of its oracles.
class SingleOracleFactory : public ProblemFactory {
 public:
  SingleOracleFactory(const ProblemFactory& all, std::size_t only_oracle)
      : all_(all), only_oracle_(only_oracle) {}

  std::unique_ptr<Problem> make(const ProblemChanges& changes) const override {
    ProblemChanges with_one_oracle = changes;
    with_one_oracle.only_oracle = only_oracle_;
    return all_.make(with_one_oracle);
  }
  std::vector<SplitSource> sources() const override { return all_.sources(); }
  std::optional<Formulation> formulation() const override { return all_.formulation(); }
  std::vector<std::string> oracles() const override { return {all_.oracles().at(only_oracle_)}; }
  std::vector<ExperimentPart> parts() const override { return all_.parts(); }

 private:
  const ProblemFactory& all_;
  std::size_t only_oracle_;
};

// True if a test calls the oracle, so that it is repeated for each of several oracles.
bool calls_oracle(std::string_view test) {
  for (const char* group : {"oracle.", "complete.", "cut.", "map_solver.", "map_cut.",
                            "map_expectation.", "map_k_best.", "map_sample.", "map_witness.",
                            "frontier.", "expectation.", "k_best.", "sample.", "witness."}) {
    if (test.starts_with(group)) return true;
  }
  return test == "sessions.threads" || test == "life.extensions" || test == "features.enumerate" ||
         test == "loss.count_values";
}

// Runs one test after the other. Skips tests after two timeouts.
class TestRunner {
 public:
  // `name`: the experiment's name in the reports.
  TestRunner(std::string name, const CheckOptions& options, const ReportSink& sink)
      : name_(std::move(name)),
        options_(options),
        sink_(sink),
        timeout_counter_(options.time_limit) {}

  void run(const char* test, const TestBody& body) {
    if (!options_.is_requested(test)) return;
    if (auto skipped = timeout_counter_.skip_report(test)) return send_report(std::move(*skipped));
    TestReport report = run_test(test, options_.time_limit, body);
    timeout_counter_.count(report);
    has_failed_ = has_failed_ || report.has_failed();
    send_report(std::move(report));
  }

  // Changes of the experiment would only repeat the failures of the tests before them.
  void run_changes(const CheckSubject& subject, std::unique_ptr<ExperimentFactory>& factory,
                   std::unique_ptr<Problem>& problem) {
    if (!has_failed_) {
      return run_variants(subject, options_, factory, problem,
                          [this](const TestReport& report) { send_report(report); });
    }
    for (const char* test : variant_tests) {
      if (!options_.is_requested(test)) continue;
      TestReport report;
      report.name = test;
      report.verdict = Verdict::skip;
      report.reasons = {"not run, because other tests of this experiment failed"};
      send_report(std::move(report));
    }
  }

 private:
  void send_report(TestReport report) const {
    report.experiment = name_;
    sink_(report);
  }

  std::string name_;
  const CheckOptions& options_;
  const ReportSink& sink_;
  TimeoutCounter timeout_counter_;
  bool has_failed_ = false;
};

// Runs the tests of one of several oracles.
void run_single_oracle_tests(const CheckSubject& subject, const CheckOptions& options,
                             std::unique_ptr<ExperimentFactory>& factory, std::size_t only_oracle,
                             const std::string& oracle, const ReportSink& sink) {
  TestRunner runner(subject.name + ", oracle " + std::to_string(only_oracle + 1) + ": " + oracle,
                    options, sink);
  std::optional<SingleOracleFactory> single;
  std::unique_ptr<Problem> problem;
  for (const ExperimentTest& test : experiment_tests()) {
    if (!calls_oracle(test.name)) continue;
    TestBody body;
    body.prepare = [&] {
      if (!factory) factory = subject.open();
      single.emplace(*factory, only_oracle);
      problem = single->make({});
    };
    body.run = [&](TestContext& context) {
      TestFixture fixture(*single, *problem, options);
      test.run(fixture, context);
    };
    runner.run(test.name, body);
  }
}

}  // namespace

void run_experiment_tests(const CheckSubject& subject, const CheckOptions& options,
                          std::unique_ptr<ExperimentFactory>& factory,
                          std::unique_ptr<Problem>& problem,
                          const std::vector<std::string>& oracles, const ReportSink& sink) {
  TestRunner runner(subject.name, options, sink);
  for (const ExperimentTest& test : experiment_tests()) {
    TestBody body;
    body.run = [&](TestContext& context) {
      TestFixture fixture(*factory, *problem, options);
      test.run(fixture, context);
    };
    if (!problem) {
      body.prepare = [&] {
        factory = subject.open();
        problem = factory->make({});
      };
    }
    runner.run(test.name, body);
  }
  runner.run_changes(subject, factory, problem);
  if (oracles.size() < 2) return;
  for (std::size_t k = 0; k < oracles.size(); ++k) {
    run_single_oracle_tests(subject, options, factory, k, oracles[k], sink);
  }
}

}  // namespace sculpt::core
