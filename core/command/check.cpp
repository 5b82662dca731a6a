// sculpt check: tests the components of an experiment or a library.

#include <algorithm>
#include <cmath>
#include <sstream>

#include "base/text/message_text.hpp"
#include "base/text/nearest_name.hpp"
#include "base/text/shell_word.hpp"
#include "check/check_report.hpp"
#include "check/check_run.hpp"
#include "check/judgement.hpp"
#include "command/command.hpp"
#include "command/inputs/subject_finder.hpp"
#include "launch/crash_report.hpp"

namespace sculpt::core {
namespace {

// Returns the tests and groups that a word of --only may mean: those with near names, and those
// that contain the word.
std::string near_tests(const std::string& word, const std::vector<std::string>& names) {
  std::vector<std::string> all = names;
  std::vector<std::string> containing;
  for (const std::string& name : names) {
    const std::string group = name.substr(0, name.find('.'));
    if (std::find(all.begin(), all.end(), group) == all.end()) all.push_back(group);
    if (word.size() > 2 && name.find(word) != std::string::npos) containing.push_back(name);
  }
  constexpr std::size_t max_listed = 6;
  if (containing.empty() || containing.size() > max_listed) return suggest_name(word, all);
  return "did you mean " + joined(containing, " or ") + "?";
}

// The tests and groups of --only, which must exist: "oracle.exact,loss", or one per option.
std::vector<std::string> tests_in(const std::vector<std::string>& words) {
  const std::vector<std::string> names = check_names();
  std::vector<std::string> only;
  for (const std::string& word : words) {
    std::istringstream parts(word + ",");
    for (std::string part; std::getline(parts, part, ',');) {
      CheckOptions selection;
      selection.only = {part};
      const bool is_known = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
        return selection.is_requested(name);
      });
      if (!is_known) {
        throw Failure(Exit::usage, "--only: there is no test or group '" + part + "'; " +
                                       near_tests(part, names));
      }
      only.push_back(part);
    }
  }
  return only;
}

// Throws Failure(Exit::usage) for a value out of range.
CheckOptions options_of(const CommandLine& line) {
  CheckOptions options;
  const auto level = line.get<std::int64_t>("level");
  if (level < 1 || level > 3) throw Failure(Exit::usage, "--level must be 1, 2 or 3");
  options.level = {static_cast<int>(level)};
  const auto seed = line.get<std::int64_t>("seed");
  if (seed < 0) throw Failure(Exit::usage, "--seed must be a whole number of at least 0");
  options.seed = static_cast<std::uint64_t>(seed);
  options.time_limit = line.get<double>("time-limit");
  if (!(options.time_limit > 0) || std::isinf(options.time_limit)) {
    throw Failure(Exit::usage, "--time-limit must be a number of seconds above 0");
  }
  if (line.has("example")) options.examples = line.get<std::vector<std::int64_t>>("example");
  if (line.has("only")) options.only = tests_in(line.get<std::vector<std::string>>("only"));
  return options;
}

// The head of the report, with the command that repeats the check.
CheckTitle title_of(const CommandLine& line, const CheckOptions& options) {
  CheckTitle title;
  title.subject = line.required("SUBJECT");
  title.level = options.level.level;
  title.seed = options.seed;
  title.repeat_command = "sculpt check " + shell_word(title.subject) + " --level " +
                         std::to_string(title.level) + " --seed " + std::to_string(title.seed) +
                         line.overrides_for_shell();
  if (options.time_limit != CheckOptions().time_limit) {
    title.repeat_command += " --time-limit " + exact_number_text(options.time_limit);
  }
  for (const std::int64_t example : options.examples) {
    title.repeat_command += " --example " + std::to_string(example);
  }
  return title;
}

// People at a terminal look for what went wrong. Files and pipes have all rows.
CheckForm form_of(const CommandLine& line) {
  if (line.has("json")) return CheckForm::json;
  return stdout_is_terminal() && !line.has("verbose") ? CheckForm::brief : CheckForm::rows;
}

// Adds what the experiments cannot show. If only some tests were run, nobody can tell.
void add_judgement(const CheckOptions& options, const Judgement& judgement, CheckReport& report) {
  if (!options.only.empty()) return;
  for (const TestReport& judged : judgement.reports()) report.add(judged);
}

void check_file(const CommandLine& line, const JsonDocument& document, SubjectFinder& finder,
                const CheckOptions& options, CheckReport& report) {
  Judgement judgement;
  const CheckSubject subject = finder.experiment_subject(
      document, line.overrides(), experiment_title(line.required("SUBJECT")));
  const std::optional<Failure> failure =
      check_experiment(subject, options, [&](const TestReport& test) {
        judgement.add(test);
        if (test.name != facts_report) report.add(test);
      });
  if (failure) throw Failure(*failure);
  add_judgement(options, judgement, report);
}

// Tests a library: without data first, then on each of its small experiments.
void check_library_file(const std::filesystem::path& file, SubjectFinder& finder,
                        CheckOptions options, CheckReport& report) {
  options.library = file;
  Judgement judgement;
  const auto add = [&](const TestReport& test) {
    judgement.add(test);
    if (test.name != facts_report) return report.add(test);
    const JudgedFacts facts = read_judged_facts(test.facts);
    options.tried_values.insert(facts.tried.begin(), facts.tried.end());
  };
  std::vector<std::string> experiments;
  const std::optional<Failure> library_failure = check_library(file, options, add, experiments);
  if (library_failure) throw Failure(*library_failure);
  for (std::size_t k = 0; k < experiments.size(); ++k) {
    const CheckSubject subject = finder.embedded_subject(file, experiments[k], k);
    const std::optional<Failure> failure = check_experiment(subject, options, add);
    if (!failure) continue;
    TestReport failed;
    failed.experiment = subject.name;
    failed.name = "bind";
    failed.verdict = Verdict::fail;
    failed.reasons = {failure->what()};
    add(failed);
  }
  add_judgement(options, judgement, report);
}

}  // namespace

Exit check(const Arguments& arguments) {
  namespace po = boost::program_options;
  CommandLine line("check", {"SUBJECT"});
  line.add_overrides("change a key of the experiment; may be repeated");
  line.add()("level", po::value<std::int64_t>()->default_value(2)->value_name("1..3"),
             "how many cases: 1 few, 3 many, with larger brute-force tests")(
      "only", po::value<std::vector<std::string>>()->composing()->value_name("NAME,..."),
      "run only these tests (oracle.exact) or groups of tests (oracle); may be repeated")(
      "example", po::value<std::vector<std::int64_t>>()->composing()->value_name("N"),
      "use this example in the tests, counted from 0 over all splits; may be repeated")(
      "seed", po::value<std::int64_t>()->default_value(1)->value_name("N"),
      "seed of the random cases")(
      "time-limit", po::value<double>()->default_value(30)->value_name("SECONDS"),
      "time limit of each test")("strict", "exit with 1 for warnings and notes, too")(
      "verbose", "on a terminal, too, print a row for each test, not one for an experiment")(
      "json", "print the report as JSON");
  line.add_epilogue(
      "\nSUBJECT: the file of an experiment, a run folder, or a library. A library is given by\n"
      "its file, by its name, or by the name of one of its components. If several libraries on\n"
      "the search path have this name, write file.so#component. A folder is a run folder if it\n"
      "has a model or a config.\n");
  if (!line.parse(arguments)) return Exit::reached;

  reraise_crash_signals();  // plugins are only called in child processes
  const CheckOptions options = options_of(line);
  const std::string subject = line.required("SUBJECT");
  SubjectFinder finder(options.time_limit);
  const std::optional<std::filesystem::path> library = finder.find_library(subject);
  if (library && line.has("example")) {
    throw Failure(Exit::usage, "--example chooses examples of an experiment, but " + subject +
                                   " is a library; leave it out");
  }
  if (library && line.has("set")) {
    throw Failure(Exit::usage,
                  "--set changes an experiment, but " + subject + " is a library; leave it out");
  }
  std::optional<JsonDocument> document;  // its errors come before any output
  if (!library) document = JsonDocument::read(experiment_file(subject));
  CheckTitle title = title_of(line, options);
  if (library && *library != subject) title.library = library->string();
  CheckReport report(report_out(), std::move(title), form_of(line));
  if (library) {
    check_library_file(*library, finder, options, report);
  } else {
    check_file(line, *document, finder, options, report);
  }
  if (report.empty()) {
    throw Failure(Exit::usage, "--only " + joined(options.only, ",") +
                                   ": there is no such test of " + subject +
                                   "; tests of the group \"library\" need a library, the others an "
                                   "experiment");
  }
  const bool is_bad = report.has_failures() || (line.has("strict") && report.has_warnings());
  report.finish(is_bad);
  return is_bad ? Exit::check_failed : Exit::reached;
}

}  // namespace sculpt::core
