#include "check/judgement.hpp"

#include <algorithm>

#include "base/text/message_text.hpp"
#include "check/fixture/known_extensions.hpp"

namespace sculpt::core {
namespace {

constexpr const char* heading = "what the experiments cannot show";
constexpr std::size_t wanted_sizes = 3;

constexpr std::size_t max_ranges = 10;  // that a message lists

// "1 to 4, 6 and 13". Of many ranges, the first ones: "1, 3, ..., and up to 999".
std::string ranges_text(const std::set<std::int64_t>& numbers) {
  std::vector<std::string> ranges;
  for (auto first = numbers.begin(); first != numbers.end();) {
    auto last = first;
    while (std::next(last) != numbers.end() && *std::next(last) == *last + 1) ++last;
    const std::string begin = std::to_string(*first);
    const std::string end = std::to_string(*last);
    if (*last == *first) {
      ranges.push_back(begin);
    } else if (*last == *first + 1) {
      ranges.insert(ranges.end(), {begin, end});
    } else {
      ranges.push_back(begin + " to " + end);
    }
    first = std::next(last);
  }
  if (ranges.size() < 2) return joined(ranges, "");
  const std::string last = ranges.back();
  ranges.pop_back();
  if (ranges.size() < max_ranges) return joined(ranges, ", ") + " and " + last;
  ranges.resize(max_ranges);
  return joined(ranges, ", ") + ", ..., and up to " + std::to_string(*numbers.rbegin());
}

std::string sizes_text(const std::set<std::int64_t>& sizes) {
  return ranges_text(sizes) + (sizes == std::set<std::int64_t>{1} ? " label" : " labels");
}

std::vector<std::string> joined_lists(std::vector<std::string> a,
                                      const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

void add_line(std::vector<std::string>& lines, const std::string& line) {
  if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
}

}  // namespace

void Judgement::add(const TestReport& report) {
  if (report.name == facts_report) return add_facts(report);
  has_failures_ = has_failures_ || report.has_failed();
  if (report.verdict == Verdict::skip || report.has_failed()) return;
  tests_[report.experiment].insert(report.name);
}

void Judgement::add_facts(const TestReport& report) {
  const JudgedFacts judged = read_judged_facts(report.facts);
  const ExperimentFacts facts = read_experiment_facts(judged.experiment);
  const bool is_library = report.experiment.empty();
  has_library_ = has_library_ || is_library;
  if (is_library || components_.empty()) components_ = facts.components;
  if (is_library) return;
  has_left_out_ = has_left_out_ || judged.has_left_out;
  for (const ComponentFacts& component : facts.components) {
    used_[report.experiment].insert(component.id);
  }
  const OutputFacts outputs = read_output_facts(judged.outputs);
  tests_[report.experiment].insert(outputs.tests.begin(), outputs.tests.end());
  gaps_of_changes_.insert(gaps_of_changes_.end(), judged.gaps.begin(), judged.gaps.end());
  limits_of_changes_.insert(limits_of_changes_.end(), judged.limits.begin(), judged.limits.end());
  if (has_outputs_) {
    outputs_.add(outputs);
    outputs_.truth_count += outputs.truth_count;
  } else {
    outputs_ = outputs;
  }
  has_outputs_ = true;
}

bool Judgement::uses(const std::string& experiment, const std::string& component) const {
  const auto used = used_.find(experiment);
  return used != used_.end() && used->second.count(component) > 0;
}

bool Judgement::is_used(const std::string& component) const {
  return std::any_of(used_.begin(), used_.end(), [&](const auto& experiment) {
    return experiment.second.count(component) > 0;
  });
}

// Tests of one of several oracles have a longer name of the experiment.
bool Judgement::has_run(const std::string& component, const std::vector<std::string>& tests) const {
  for (const auto& [experiment, names] : tests_) {
    const std::string whole = experiment.substr(0, experiment.find(", oracle "));
    if (!uses(experiment, component) && !uses(whole, component)) continue;
    for (const std::string& test : tests) {
      if (names.count(test) > 0) return true;
    }
  }
  return false;
}

bool Judgement::has_only_map_solvers() const {
  return std::all_of(components_.begin(), components_.end(), [](const ComponentFacts& component) {
    return component.kind == SCULPT_KIND_MAP_SOLVER;
  });
}

bool Judgement::is_single_label() const {
  return outputs_.is_single || outputs_.sizes.empty() || *outputs_.sizes.rbegin() <= 1;
}

bool Judgement::has_one_size() const {
  return outputs_.sizes.size() == 1 && outputs_.truth_count > 1;
}

void Judgement::judge_components(std::vector<std::string>& gaps) const {
  for (const ComponentFacts& component : components_) {
    if (is_used(component.id)) continue;
    gaps.push_back("cannot show: any fault of " + component.id +
                   ", because no experiment uses it; add an experiment with it");
  }
}

std::vector<std::string> Judgement::uncalled_extensions() const {
  std::vector<std::string> lines;
  if (!has_library_) return lines;
  for (const ComponentFacts& component : components_) {
    if (!is_used(component.id)) continue;
    for (const std::string& offered : component.extensions) {
      const std::vector<std::string> tests = tests_of_extension(offered, component.kind);
      if (tests.empty() || has_run(component.id, tests)) continue;
      add_line(lines,
               "cannot show: a fault of " + component.id + " in " + offered +
                   ", which no test has called; add an experiment in which it is offered and "
                   "another component uses it, or whose outputs can be listed");
    }
  }
  return lines;
}

std::vector<std::string> Judgement::untested_extensions() const {
  std::vector<std::string> limits;
  if (!has_library_) return limits;
  for (const ComponentFacts& component : components_) {
    for (const std::string& offered : component.extensions) {
      const bool is_offered = may_offer(component.kind, offered);  // not by another part of a task
      if (!is_offered || !tests_of_extension(offered, component.kind).empty()) continue;
      add_line(limits, "cannot show: a fault of " + component.id + " in " + offered +
                           ", because the check has no test of it; test it yourself");
    }
  }
  return limits;
}

void Judgement::judge_outputs(std::vector<std::string>& gaps) const {
  if (has_only_map_solvers()) return;  // random graphs have many sizes and labels
  const std::set<std::int64_t>& sizes = outputs_.sizes;
  if (!is_single_label() && !has_one_size() && sizes.size() < wanted_sizes) {
    gaps.push_back("cannot show: a fault that depends on the size of an output, because all that " +
                   std::string("were tested have ") + sizes_text(sizes) +
                   "; add outputs of at least 3 sizes to the experiments, or test more examples");
  }
  if (has_library_) judge_labels(gaps);
  if (!outputs_.has_equal_size) {
    gaps.emplace_back(
        "cannot show: data that are kept by the size of an example and used for another one; add "
        "two examples of equal size and different content to an experiment");
  }
}

// What labels an experiment of a user has, follows from the data.
void Judgement::judge_labels(std::vector<std::string>& gaps) const {
  if (outputs_.largest_label < 1 && outputs_.sizes.size() > 1) {
    gaps.emplace_back(
        "cannot show: a wrong choice of labels, because only one label is used; add examples with "
        "at least 3 labels to the experiments");
  } else if (outputs_.largest_label < 2 && outputs_.has_graph && !outputs_.is_binary) {
    gaps.emplace_back(
        "cannot show: a fault that needs 3 labels, because only two are used; add examples with at "
        "least 3 labels to the experiments, or promise binary graphs");
  }
}

std::vector<std::string> Judgement::gaps() const {
  std::vector<std::string> gaps;
  judge_components(gaps);
  // A change that was left out might have called them.
  if (!has_left_out_) gaps = joined_lists(std::move(gaps), uncalled_extensions());
  judge_outputs(gaps);
  for (const std::string& gap : gaps_of_changes_) add_line(gaps, gap);
  return gaps;
}

std::vector<std::string> Judgement::limits() const {
  std::vector<std::string> limits = untested_extensions();
  if (has_left_out_) limits = joined_lists(std::move(limits), uncalled_extensions());
  if (has_only_map_solvers()) return limits;
  const std::string largest = std::to_string(outputs_.largest_label);
  if (!is_single_label()) {
    const std::string advice = has_one_size()
                                   ? ", because all outputs have this one size; add examples of "
                                     "other sizes, if there can be any"
                                   : "; add examples of other sizes to an experiment";
    limits.push_back("cannot show: a fault only in outputs of other sizes than " +
                     sizes_text(outputs_.sizes) + advice);
  }
  limits.push_back("cannot show: a fault only in labels above " + largest +
                   "; add examples with more labels to an experiment");
  if (!is_single_label() && outputs_.sizes.count(0) == 0) {
    limits.emplace_back(
        "cannot show: a fault only in an empty output; add one if there can be any");
  }
  if (!outputs_.has_two_truths) {
    limits.emplace_back(
        "cannot show: a truth that is kept for another example of equal content; add two examples "
        "that differ only in their truths");
  }
  if (!outputs_.has_truth_outside) {
    limits.emplace_back(
        "cannot show: a fault in TRUTH_OUTSIDE; add a truth that is none of the outputs, if there "
        "can be any");
  }
  if (!outputs_.has_unlabelled) {
    limits.emplace_back(
        "cannot show: a fault in reading examples without a truth; add one if the dataset can read "
        "it");
  }
  for (const std::string& limit : limits_of_changes_) add_line(limits, limit);
  return limits;
}

std::vector<TestReport> Judgement::reports() const {
  TestReport found;
  found.experiment = heading;
  found.name = "experiments.gaps";
  if (has_failures_) {
    found.verdict = Verdict::skip;
    found.reasons = {"not judged, because tests have failed"};
    return {found};
  }
  if (!has_outputs_) return {};
  found.reasons = gaps();
  found.verdict = found.reasons.empty() ? Verdict::pass : Verdict::note;
  TestReport accepted;
  accepted.experiment = heading;
  accepted.name = "experiments.limits";
  accepted.reasons = limits();
  if (accepted.reasons.empty()) return {found};
  return {found, accepted};
}

}  // namespace sculpt::core
