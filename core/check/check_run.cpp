#include "check/check_run.hpp"

#include <array>
#include <nlohmann/json.hpp>

#include "cancelled.hpp"
#include "check/child_process.hpp"
#include "check/tests.hpp"
#include "message_text.hpp"
#include "problem/separation_strategy.hpp"
#include "stopwatch.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* bind_test = "bind";
constexpr const char* load_test = "library.load";
constexpr const char* end_test = "life.end";  // the components of an experiment are destroyed

std::vector<ExperimentTest> experiment_tests() {
  std::vector<ExperimentTest> all;
  for (const auto tests : {dataset_tests(), loss_tests(), feature_tests(), oracle_tests(),
                           oracle_shape_tests(), oracle_repeat_tests(), map_solver_tests(),
                           frontier_tests(), session_tests(), state_tests()}) {
    all.insert(all.end(), tests.begin(), tests.end());
  }
  return all;
}

std::string limit_text(double seconds, const std::string& note) {
  return "took longer than " + exact_number_text(seconds) + " s" +
         (note.empty() ? "" : ", in the middle of: " + note) + " (--time-limit)";
}

// What a child that is no longer there leaves to say.
void blame_end(TestReport& report, const ChildEnd& end, double limit) {
  report.verdict = end.late ? Verdict::fail : Verdict::crash;
  report.reasons = {end.late ? limit_text(limit, end.note) : "its process " + end_text(end)};
  if (!end.printed.empty()) report.reasons.push_back("it printed: " + end.printed);
}

// Calls body(findings), and turns whatever it throws into a verdict.
template <class Body>
TestReport judged(const ChildLink& link, Body&& body) {
  Findings findings([&link](const std::string& what) { link.note(what); });
  const auto fault = [&](const char* text) {
    findings.report().verdict = Verdict::fail;
    findings.report().reasons = {text};
  };
  try {
    body(findings);
  } catch (const TestEnded&) {
  } catch (const Cancelled&) {
    fault("a component stopped as if asked to, but nobody asked");
  } catch (const std::exception& problem) {
    fault(problem.what());
  }
  return findings.report();
}

// Runs one test in a child of its own.
template <class Body>
TestReport run_test(const std::string& name, double limit, Body&& body) {
  const Stopwatch watch;
  TestReport report;
  bool told = false;
  const ChildEnd end = run_in_child(
      [&](const ChildLink& link) { link.send(report_json(judged(link, body)).dump()); },
      [&](int lines) { return lines == 0 ? limit : 5.0; },  // once told, it has only to end
      [&](const std::string& line) {
        report = report_in(Json::parse(line));
        told = true;
      });
  if (!end.sound() && !(told && report.broken())) {
    blame_end(report, end, limit);
  } else if (!told) {
    report.verdict = Verdict::crash;
    report.reasons = {"its process ended without a word"};
  }
  report.name = name;
  report.seconds = watch.seconds();
  return report;
}

// The nursery's end of the line: reports, what was refused, and what a library carries.
class NurseryLink {
 public:
  NurseryLink(const ChildLink& link, std::string experiment)
      : link_(link), experiment_(std::move(experiment)) {}

  void report(TestReport report) const {
    report.experiment = experiment_;
    link_.send(Json{{"report", report_json(report)}}.dump());
  }
  void refused(const Failure& failure) const {
    link_.send(
        Json{{"refused", static_cast<int>(failure.exit())}, {"text", printable(failure.what())}}
            .dump());
  }
  void carries(const std::string& experiment) const {
    link_.send(Json{{"experiment", printable_json(experiment)}}.dump());
  }
  // From here on the end of the process has to come within the time of a test.
  void ending(const std::string& what) const {
    link_.note(what);
    link_.send(Json{{"ending", true}}.dump());
  }
  void note(const std::string& what) const { link_.note(what); }

 private:
  static std::string printable_json(const std::string& text) {
    return Json::accept(text, true) ? text : printable(text);
  }
  const ChildLink& link_;
  std::string experiment_;
};

// Hears what a nursery says, and says how long it may take.
class NurseryEar {
 public:
  NurseryEar(const CheckOptions& options, const ReportSink& sink,
             std::vector<std::string>* experiments)
      : options_(options), sink_(sink), experiments_(experiments) {}

  // Its first line and its end may take as long as a test. In between its tests have limits of
  // their own.
  double limit(int lines) const { return lines == 0 || ending_ ? options_.time_limit : 0; }

  void hear(const std::string& line) {
    begun_ = true;
    watch_ = Stopwatch();
    const Json json = Json::parse(line);
    if (json.contains("report")) {
      const TestReport report = report_in(json["report"]);
      if (options_.wants(report.name) || report.broken()) sink_(report);
    } else if (json.contains("experiment")) {
      if (experiments_ != nullptr) experiments_->push_back(json["experiment"]);
    } else if (json.contains("ending")) {
      ending_ = true;
    } else {
      refused_.emplace(static_cast<Exit>(json.at("refused").get<int>()),
                       json.at("text").get<std::string>());
    }
  }

  // Reports how it ended, under the name of what it was about to do.
  void end(const ChildEnd& end, const std::string& experiment, const char* first_test) const {
    if (refused_ || (end.sound() && begun_ && !(ending_ && options_.wants(end_test)))) return;
    TestReport report;
    report.experiment = experiment;
    report.name = begun_ ? end_test : first_test;
    report.seconds = watch_.seconds();
    report.cases = 1;
    if (!end.sound() || !begun_) blame_end(report, end, options_.time_limit);
    sink_(report);
  }

  const std::optional<Failure>& refused() const { return refused_; }

 private:
  const CheckOptions& options_;
  const ReportSink& sink_;
  std::vector<std::string>* experiments_;
  std::optional<Failure> refused_;
  bool begun_ = false;
  bool ending_ = false;
  Stopwatch watch_;  // since the last line
};

// Runs a nursery. Returns what it refused, if anything.
std::optional<Failure> run_nursery(const std::string& experiment, const char* first_test,
                                   const CheckOptions& options, const ReportSink& sink,
                                   std::vector<std::string>* experiments,
                                   const std::function<void(const NurseryLink&)>& body) {
  NurseryEar ear(options, sink, experiments);
  const ChildEnd end =
      run_in_child([&](const ChildLink& link) { body(NurseryLink(link, experiment)); },
                   [&](int lines) { return ear.limit(lines); },
                   [&](const std::string& line) { ear.hear(line); });
  ear.end(end, experiment, first_test);
  return ear.refused();
}

// Makes the problem, or reports why not.
std::unique_ptr<Problem> bind(const ProblemSource& source, const NurseryLink& link) {
  const Stopwatch watch;
  TestReport report;
  report.name = bind_test;
  std::unique_ptr<Problem> problem;
  try {
    link.note("creating, loading and binding the components");
    problem = source.make({});
    choose_strategy(source.formulation(), problem->oracle());
    report.cases = 1;
  } catch (const std::exception& fault) {
    report.verdict = Verdict::fail;
    report.reasons = {fault.what()};
    problem.reset();
  }
  report.seconds = watch.seconds();
  link.report(report);
  link.note("");
  return problem;
}

}  // namespace

bool CheckOptions::wants(std::string_view test) const {
  return only.empty() || test == only || test.starts_with(only + ".");
}

std::optional<Failure> check_experiment(const CheckSubject& subject, const CheckOptions& options,
                                        const ReportSink& sink) {
  return run_nursery(subject.name, bind_test, options, sink, nullptr, [&](const NurseryLink& link) {
    std::unique_ptr<ProblemSource> source;
    try {
      link.note("looking for the components");
      source = subject.open();
    } catch (const Failure& failure) {
      return link.refused(failure);
    }
    const std::unique_ptr<Problem> problem = bind(*source, link);
    if (!problem) return;
    for (const ExperimentTest& test : experiment_tests()) {
      if (!options.wants(test.name)) continue;
      link.report(run_test(test.name, options.time_limit, [&](Findings& findings) {
        Bench bench(*source, *problem, options.level, options.seed);
        test.run(bench, findings);
      }));
    }
    link.ending("destroying the components");
  });
}

std::optional<Failure> check_library(const std::filesystem::path& file, const CheckOptions& options,
                                     const ReportSink& sink,
                                     std::vector<std::string>& experiments) {
  return run_nursery("", load_test, options, sink, &experiments, [&](const NurseryLink& link) {
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
    link.report(loaded);
    link.note("");
    for (const LibraryTest& test : library_tests()) {
      if (!options.wants(test.name)) continue;
      link.report(run_test(test.name, options.time_limit, [&](Findings& findings) {
        test.run(*library, options.level, findings);
      }));
    }
    const sculpt_plugin& catalogue = library->catalogue();
    for (std::int64_t k = 0; k < catalogue.experiment_count; ++k) {
      if (catalogue.experiments[k] != nullptr) link.carries(catalogue.experiments[k]);
    }
  });
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
