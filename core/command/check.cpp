// sculpt check: tests the components of an experiment or a library.

#include <algorithm>
#include <cmath>
#include <iostream>
#include <sstream>

#include "base/text/message_text.hpp"
#include "base/text/nearest_name.hpp"
#include "base/text/shell_word.hpp"
#include "check/check_report.hpp"
#include "check/check_run.hpp"
#include "command/command.hpp"
#include "command/inputs/subject_finder.hpp"
#include "launch/crash_report.hpp"

namespace sculpt::core {
namespace {

// The tests and groups of --only, which must exist: "oracle.exact,loss", or one per option.
std::vector<std::string> tests_in(const std::vector<std::string>& words) {
  const std::vector<std::string> names = check_names();
  std::vector<std::string> only;
  for (const std::string& word : words) {
    std::istringstream parts(word + ",");
    for (std::string part; std::getline(parts, part, ',');) {
      CheckOptions one;
      one.only = {part};
      const bool known = std::any_of(names.begin(), names.end(),
                                     [&](const std::string& name) { return one.wants(name); });
      if (!known) {
        throw Failure(Exit::usage, "--only: there is no test or group '" + part + "'; " +
                                       suggest_name(part, names));
      }
      only.push_back(part);
    }
  }
  return only;
}

CheckOptions options_of(const CommandLine& line) {
  CheckOptions options;
  const auto level = line.get<std::int64_t>("level");
  if (level < 1 || level > 3) throw Failure(Exit::usage, "--level takes 1, 2 or 3");
  options.level = {static_cast<int>(level)};
  const auto seed = line.get<std::int64_t>("seed");
  if (seed < 0) throw Failure(Exit::usage, "--seed takes a whole number from 0 on");
  options.seed = static_cast<std::uint64_t>(seed);
  options.time_limit = line.get<double>("time-limit");
  if (!(options.time_limit > 0) || std::isinf(options.time_limit)) {
    throw Failure(Exit::usage, "--time-limit takes a number of seconds above 0");
  }
  if (line.has("example")) options.examples = line.get<std::vector<std::int64_t>>("example");
  if (line.has("only")) options.only = tests_in(line.get<std::vector<std::string>>("only"));
  return options;
}

CheckTitle title_of(const CommandLine& line, const CheckOptions& options) {
  CheckTitle title;
  title.subject = line.required("SUBJECT");
  title.level = options.level.level;
  title.seed = options.seed;
  title.repeat = "sculpt check " + shell_word(title.subject) + " --level " +
                 std::to_string(title.level) + " --seed " + std::to_string(title.seed) +
                 line.overrides_text();
  if (options.time_limit != CheckOptions().time_limit) {
    title.repeat += " --time-limit " + exact_number_text(options.time_limit);
  }
  for (const std::int64_t example : options.examples) {
    title.repeat += " --example " + std::to_string(example);
  }
  return title;
}

void check_file(const CommandLine& line, const JsonDocument& document, SubjectFinder& finder,
                const CheckOptions& options, CheckReport& report) {
  const std::optional<Failure> refused = check_experiment(
      finder.file_subject(document, line.overrides(), experiment_title(line.required("SUBJECT"))),
      options, [&](const TestReport& one) { report.add(one); });
  if (refused) throw Failure(*refused);
}

void check_library_file(const std::filesystem::path& file, SubjectFinder& finder,
                        CheckOptions options, CheckReport& report) {
  options.library = file;
  const auto add = [&](const TestReport& one) { report.add(one); };
  std::vector<std::string> experiments;
  const std::optional<Failure> refused = check_library(file, options, add, experiments);
  if (refused) throw Failure(*refused);
  for (std::size_t k = 0; k < experiments.size(); ++k) {
    const CheckSubject subject = finder.carried_subject(file, experiments[k], k);
    const std::optional<Failure> failure = check_experiment(subject, options, add);
    if (!failure) continue;
    TestReport broken;
    broken.experiment = subject.name;
    broken.name = "bind";
    broken.verdict = Verdict::fail;
    broken.reasons = {failure->what()};
    add(broken);
  }
}

}  // namespace

Exit check(const Arguments& arguments) {
  namespace po = boost::program_options;
  CommandLine line("check", {"SUBJECT"});
  line.add_overrides("change a key of the experiment; may be repeated");
  line.add()("level", po::value<std::int64_t>()->default_value(2)->value_name("1..3"),
             "1: few cases, 3: many, and larger brute force")(
      "only", po::value<std::vector<std::string>>()->composing()->value_name("NAME,..."),
      "tests (oracle.exact) and groups of tests (oracle); may be repeated")(
      "example", po::value<std::vector<std::int64_t>>()->composing()->value_name("N"),
      "ask about this example, counted from 0 over all splits; may be repeated")(
      "seed", po::value<std::int64_t>()->default_value(1)->value_name("N"),
      "what random cases are drawn from")(
      "time-limit", po::value<double>()->default_value(30)->value_name("SECONDS"),
      "how long one test may take")("strict", "warnings count too: exit 1")(
      "json", "print a report for programs");
  line.add_epilogue(
      "\nPLUGIN: a library by its file, or by its name or that of one of its components, where it "
      "is\n"
      "the only one on the search path; else file.so#component says which one is meant.\n");
  if (!line.parse(arguments)) return Exit::reached;

  reraise_crash_signals();  // plugins are only called in child processes
  const CheckOptions options = options_of(line);
  const std::string subject = line.required("SUBJECT");
  SubjectFinder finder(options.time_limit);
  const std::optional<std::filesystem::path> library = finder.library_named(subject);
  if (library && line.has("example")) {
    throw Failure(Exit::usage, "--example asks about data, but " + subject + " is a library");
  }
  if (library && line.has("set")) {
    throw Failure(Exit::usage, "--set changes an experiment, but " + subject + " is a library");
  }
  std::optional<JsonDocument> document;  // its errors come before any output
  if (!library) document = JsonDocument::read(experiment_file(subject));
  CheckTitle title = title_of(line, options);
  if (library && *library != subject) title.library = library->string();
  CheckReport report(std::cout, std::move(title), line.has("json"));
  if (library) {
    check_library_file(*library, finder, options, report);
  } else {
    check_file(line, *document, finder, options, report);
  }
  if (report.empty()) {
    throw Failure(Exit::usage, "--only " + joined(options.only, ",") +
                                   ": there is no such test of " + subject +
                                   "; those of `library` are for libraries, the others need an "
                                   "experiment");
  }
  report.finish();
  const bool bad = report.broken() || (line.has("strict") && report.warned());
  return bad ? Exit::check_failed : Exit::reached;
}

}  // namespace sculpt::core
