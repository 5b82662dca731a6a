#include "check/variants/variant_runner.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/stopwatch.hpp"
#include "base/text/message_text.hpp"
#include "check/system/test_process.hpp"
#include "check/variants/limit_search.hpp"
#include "check/variants/variant_body.hpp"
#include "check/variants/variant_row.hpp"

namespace sculpt::core {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(JudgedFacts, experiment, outputs, tried, gaps, limits,
                                   has_left_out)

namespace {

// The tests of one change use a time limit of this many seconds (--time-limit 30). They stop asking
// at half of it, and what follows takes a quarter. So the last call begins well before half of the
// real limit. If it hangs, it is then seen to take more than half.
double variant_seconds(const CheckOptions& options) {
  return options.time_limit / 30 * options.level.choose(3.0, 6.0, 18.0);
}

RowBudget row_budget(const CheckOptions& options) {
  return {options.level.choose(10, 60, 600), options.level.choose(0, 150, 1000),
          options.time_limit * options.level.choose(level_1_time_factor, 1.0, 2.0)};
}

// Runs changes of one experiment, each in a process of its own.
class VariantProcesses {
 public:
  VariantProcesses(const CheckSubject& subject, const CheckOptions& options,
                   std::unique_ptr<ExperimentFactory>& factory)
      : subject_(subject), options_(options), factory_(factory) {}

  // `level`: of the tests. `variant.large_limit`: see CheckOptions.
  VariantResult run(const Variant& variant, CheckLevel level) {
    CheckOptions options = options_;
    options.level = level;
    options.large_limit = variant.large_limit;
    options.time_limit = variant_seconds(options_);
    VariantResult result;
    VariantObjects objects;
    const TestBody body{[&](TestContext& context) {
                          run_variant_body(*factory_, variant, options, objects, context);
                        },
                        [this] {
                          if (!factory_) factory_ = subject_.open();
                        }};
    result.report = run_test(variant.title, options_.time_limit, body);
    if (!result.report.facts.empty()) result.outcome = read_outcome(result.report.facts);
    return result;
  }

 private:
  const CheckSubject& subject_;
  const CheckOptions& options_;
  std::unique_ptr<ExperimentFactory>& factory_;  // stays empty here if each process opens it
};

// Runs the three tests of one experiment.
class VariantRows {
 public:
  VariantRows(VariantProcesses& processes, const CheckOptions& options,
              const ExperimentFacts& facts, const ReportSink& sink)
      : processes_(processes),
        options_(options),
        facts_(facts),
        sink_(sink),
        reduced_level_{options.level.choose(1, 1, 2)},
        shown_(facts.outputs) {}

  void run() {
    name_untried_values();
    run_row(0, "", &VariantRows::run_parameters);
    run_row(1, "no other loss on the search path has counts that the oracle knows",
            &VariantRows::run_losses);
    run_row(2, "the dataset accepts no way of joining its examples", &VariantRows::run_data);
  }

  JudgedFacts judged() const {
    return {facts_text(facts_), facts_text(shown_), tried_, gaps_, limits_, has_left_out_};
  }

 private:
  void run_row(std::size_t test, const char* if_all_refused, void (VariantRows::*run)()) {
    if (!options_.is_requested(variant_tests[test])) return;
    row_.emplace(variant_tests[test], row_budget(options_), if_all_refused);
    (this->*run)();
    const std::vector<std::string> limits = row_->limits();
    limits_.insert(limits_.end(), limits.begin(), limits.end());
    has_left_out_ = has_left_out_ || row_->has_left_out();
    sink_(row_->finished());
  }

  // Runs a change as a part of the row. Returns nothing if the row has failed or its time is over.
  std::optional<VariantResult> run(const Variant& variant, CheckLevel level) {
    if (!row_->takes_another(variant.title)) return std::nullopt;
    VariantResult result = process(variant, level);
    row_->add(variant, result);
    if (result.outcome && result.outcome->refusal.empty()) shown_.add(result.outcome->outputs);
    return result;
  }

  // Runs a change. A call that hangs counts only if the component is checked. Others are slow.
  VariantResult process(const Variant& variant, CheckLevel level) {
    VariantResult result = processes_.run(variant, level);
    std::string& hanging = result.report.hanging_component;
    if (!hanging.empty() && !is_checked(hanging, variant)) hanging.clear();
    return result;
  }

  // `name`: the short name of a component of the changed experiment.
  bool is_checked(const std::string& name, const Variant& variant) const {
    const bool is_new_loss = !variant.loss.empty() && name == loss_name(variant.loss);
    if (is_new_loss && is_of_checked_library(variant.loss)) return true;
    return std::any_of(
        facts_.components.begin(), facts_.components.end(), [&](const ComponentFacts& component) {
          const bool is_replaced = !variant.loss.empty() && component.kind == SCULPT_KIND_LOSS;
          return component.is_own && !is_replaced && short_name(component.id) == name;
        });
  }

  // Of a library, what no change reaches is named. An experiment may have many shipped components.
  void name_untried_values() {
    if (options_.library.empty() || facts_.untried_values.empty()) return;
    limits_.push_back("cannot show: a fault with other values of " +
                      joined(facts_.untried_values, ", ") +
                      ", because real numbers, texts, paths and numbers above 100 are not changed; "
                      "add experiments with other values");
  }

  void run_parameters() {
    if (facts_.parameters.empty()) {
      return row_->skip("no parameter of these components has other values to try");
    }
    for (const ParameterFacts& parameter : facts_.parameters) run_parameter(parameter);
    if (row_->is_empty()) row_->skip("earlier experiments have tried all values");
  }

  // True if an earlier experiment with the same component has tried this value, and that is enough.
  bool is_tried(const ParameterFacts& parameter, const std::string& value) const {
    const bool is_old = options_.tried_values.count(parameter.id + "=" + value) > 0;
    return is_old && !parameter.is_number && options_.level.level < 3;
  }

  void run_parameter(const ParameterFacts& parameter) {
    std::map<std::string, VariantOutcome> outcomes;
    for (const std::string& value : parameter.others) {
      if (is_tried(parameter, value)) continue;
      const std::optional<VariantResult> result = run(variant_of(parameter, value), reduced_level_);
      if (row_->has_failed()) return;
      if (!result || !result->outcome) continue;
      tried_.push_back(parameter.id + "=" + value);
      outcomes[value] = *result->outcome;
    }
    if (!parameter.is_integer) return;
    const std::int64_t current = std::stoll(parameter.current);
    if (parameter.lower < current) look_for_limit(parameter, parameter.lower, outcomes);
    if (row_->has_failed()) return;
    if (parameter.upper > current) look_for_limit(parameter, parameter.upper, outcomes);
  }

  // Runs the value at which a truth is exactly at the limit, if the parameter limits the truths.
  // `end`: where the search begins. `outcomes`: of the values that were run.
  void look_for_limit(const ParameterFacts& parameter, std::int64_t end,
                      std::map<std::string, VariantOutcome>& outcomes) {
    const bool is_end = end == parameter.lower || parameter.has_upper_end;
    const bool has_run_end = outcomes.count(std::to_string(end)) > 0;
    if (!has_run_end && is_end) return row_->add_open_limit(parameter.key);
    if (!has_run_end) {
      if (options_.level.level == 1) return;
      const std::optional<VariantOutcome> at_end = facts_at(parameter, end);
      if (row_->has_failed()) return;
      if (!at_end) return row_->add_open_limit(parameter.key);
      outcomes[std::to_string(end)] = *at_end;
    }
    const LimitSearch search(parameter, facts_.outputs, end, outcomes[std::to_string(end)]);
    if (is_end && search.is_limit_of_outputs()) gaps_.push_back(search.gap());
    if (!search.is_limit_of_truths()) return;
    if (options_.level.level == 1) return row_->add_open_limit(parameter.key);
    const auto truths_fit = [&](std::int64_t value) -> std::optional<bool> {
      const std::optional<VariantOutcome> outcome = facts_at(parameter, value);
      if (!outcome) return std::nullopt;
      return keeps_truths(facts_.outputs, *outcome);
    };
    const std::optional<std::int64_t> found = search.last_fitting(truths_fit);
    if (!found && row_->has_failed()) return;
    if (!found) return row_->add_open_limit(parameter.key);
    const std::string limit = std::to_string(*found);
    const auto& others = parameter.others;
    const bool has_run = limit == parameter.current ||
                         std::find(others.begin(), others.end(), limit) != others.end();
    if (!has_run) run(variant_of(parameter, limit), reduced_level_);
  }

  // Gathers only the facts at this value, as a step of a search. Nothing if the budget is used up,
  // or if this takes too long or fails.
  std::optional<VariantOutcome> facts_at(const ParameterFacts& parameter, std::int64_t value) {
    if (!row_->takes_step()) return std::nullopt;
    Variant variant = variant_of(parameter, std::to_string(value));
    variant.tests = VariantTests::none;
    const VariantResult result = process(variant, reduced_level_);
    if (result.outcome) return result.outcome;
    if (result.report.has_timed_out && !result.report.is_hanging()) {
      row_->forgive(result.report);
    } else {
      row_->add(variant, result);  // a fault at this value
    }
    return std::nullopt;
  }

  void run_losses() {
    if (facts_.losses.empty()) {
      return row_->skip("the oracle offers no frontier or belongs to another library");
    }
    for (const std::string& use : facts_.losses) run_loss(use);
  }

  // `use`: "path/to/library.so#org.sculpt.hamming".
  static std::string loss_name(const std::string& use) {
    return short_name(use.substr(use.rfind('#') + 1));
  }

  // Runs the experiment under another loss. The loss may be of a library that is not checked. Then
  // its own tests come first, and if one of them fails, the loss is left out.
  void run_loss(const std::string& use) {
    Variant variant;
    variant.title = "loss = " + loss_name(use);
    variant.overrides = {"loss.use=" + nlohmann::json(use).dump()};
    variant.loss = use;
    if (is_of_checked_library(use)) {
      run(variant, reduced_level_);
      return;
    }
    if (!row_->takes_another(variant.title)) return;
    variant.tests = VariantTests::of_loss;
    const VariantResult of_loss = process(variant, reduced_level_);
    if (of_loss.outcome && of_loss.outcome->refusal.empty()) {
      variant.tests = VariantTests::of_oracle;
      run(variant, reduced_level_);
      return;
    }
    const bool is_slow = of_loss.report.has_timed_out && !of_loss.report.is_hanging();
    if (of_loss.outcome || is_slow || names_own_component(of_loss.report)) {
      row_->add(variant, of_loss);
    } else {
      row_->leave_out(variant.title +
                      ", because the loss itself is at fault: " + of_loss.report.reasons.front());
    }
  }

  // True if the first reason blames a component that is checked: "tagger: ..." or, of a test in the
  // process, "loss.values: tagger: ...".
  bool names_own_component(const TestReport& report) const {
    const std::string reason = ": " + report.reasons.front();
    return std::any_of(
        facts_.components.begin(), facts_.components.end(), [&](const ComponentFacts& component) {
          return component.is_own && component.kind != SCULPT_KIND_LOSS &&
                 reason.find(": " + short_name(component.id) + ": ") != std::string::npos;
        });
  }

  // `use`: "path/to/library.so#org.sculpt.hamming".
  bool is_of_checked_library(const std::string& use) const {
    std::error_code ignored;
    return !options_.library.empty() &&
           std::filesystem::equivalent(use.substr(0, use.rfind('#')), options_.library, ignored);
  }

  // Tries one text after the other, until the dataset accepts one.
  void run_longer_texts() {
    for (const LongerText& longer : facts_.longer_texts) {
      Variant variant = with_text("longer examples", longer.text);
      variant.examples = longer.examples;
      variant.larger_than = facts_.outputs.largest_truth;
      variant.large_limit = options_.level.choose<std::int64_t>(5000, 20000, 100000);
      const std::optional<VariantResult> result = run(variant, reduced_level_);
      if (!result || !result->outcome || result->outcome->refusal.empty()) return;
    }
    if (options_.library.empty()) return;
    limits_.emplace_back(
        "cannot show: a fault only in longer examples, because the data of an experiment cannot be "
        "made longer; add longer examples to it, if there can be any");
  }

  void run_data() {
    if (facts_.longer_texts.empty() && facts_.text_with_empty_line.empty()) {
      return row_->skip("the lines or blocks of the inline text are not its examples");
    }
    run_longer_texts();
    if (facts_.text_with_empty_line.empty()) return;
    Variant variant = with_text("an empty line", facts_.text_with_empty_line);
    variant.needs_empty = true;
    run(variant, reduced_level_);
  }

  static Variant variant_of(const ParameterFacts& parameter, const std::string& value) {
    Variant variant;
    variant.title = parameter.key + " = " + value;
    variant.overrides = {parameter.key + "=" + value};
    return variant;
  }
  static Variant with_text(const std::string& title, const std::string& text) {
    Variant variant;
    variant.title = title;
    variant.overrides = {"dataset.train=" + nlohmann::json{{"text", text}}.dump()};
    variant.has_new_text = true;
    return variant;
  }

  VariantProcesses& processes_;
  const CheckOptions& options_;
  const ExperimentFacts& facts_;
  const ReportSink& sink_;
  CheckLevel reduced_level_;
  OutputFacts shown_;
  std::vector<std::string> tried_;
  std::vector<std::string> gaps_;
  std::vector<std::string> limits_;
  bool has_left_out_ = false;
  std::optional<VariantRow> row_;
};

// Gathers the facts of the unchanged experiment in a process of its own.
TestReport gather(const CheckSubject& subject, const CheckOptions& options,
                  std::unique_ptr<ExperimentFactory>& factory, std::unique_ptr<Problem>& problem) {
  const TestBody body{[&](TestContext& context) {
                        TestFixture fixture(*factory, *problem, options);
                        context.report().facts = facts_text(gather_facts(fixture, *factory));
                      },
                      [&] {
                        if (problem) return;
                        factory = subject.open();
                        problem = factory->make({});
                      }};
  return run_test(facts_report, options.time_limit, body);
}

}  // namespace

void run_variants(const CheckSubject& subject, const CheckOptions& options,
                  std::unique_ptr<ExperimentFactory>& factory, std::unique_ptr<Problem>& problem,
                  const ReportSink& sink) {
  const auto* const first_requested =
      std::find_if(variant_tests.begin(), variant_tests.end(),
                   [&](const char* test) { return options.is_requested(test); });
  if (first_requested == variant_tests.end()) return;
  TestReport report = gather(subject, options, factory, problem);
  if (report.has_failed()) {
    report.name = *first_requested;
    report.reasons.emplace_back("while the outputs of the unchanged experiment were looked at");
    return sink(report);
  }
  const ExperimentFacts facts = read_experiment_facts(report.facts);
  VariantProcesses processes(subject, options, factory);
  VariantRows rows(processes, options, facts, sink);
  rows.run();
  report.facts = facts_text(rows.judged());
  sink(report);
}

std::string facts_text(const JudgedFacts& facts) {
  return nlohmann::json(facts).dump();
}

JudgedFacts read_judged_facts(const std::string& text) {
  return nlohmann::json::parse(text).get<JudgedFacts>();
}

}  // namespace sculpt::core
