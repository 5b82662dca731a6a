#include "command/reports/explanation.hpp"

#include <sculpt/cpp/unseen_labels.hpp>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/text/message_text.hpp"
#include "problem/plugin/oracle_seed.hpp"
#include "problem/plugin/unknown_labels.hpp"
#include "problem/prediction/probabilities.hpp"

namespace sculpt::core {
namespace {

bool are_equal(const Prediction& a, const Prediction& b) {
  return a.no_output == b.no_output && a.labels == b.labels;
}

// Fills an Explanation, step by step.
class Explainer {
 public:
  Explainer(LoadedModel& model, std::int64_t example)
      : model_(model),
        problem_(model.problem()),
        example_(example),
        comparison_(problem_, model.weights()),
        probabilities_(problem_, model.weights(), probability_temperature(model)) {
    result_.example = example;
    result_.number = example - model.examples().begin;
    result_.place = problem_.dataset().place(example);
  }

  Explanation run(std::size_t max_parts) {
    find_guess();
    find_truth();
    if (!result_.truth || result_.is_right()) find_other();
    add_probabilities();
    add_notes();
    compare(max_parts);
    return std::move(result_);
  }

 private:
  // A temperature promises probabilities, so log Z must exist.
  static std::optional<double> probability_temperature(LoadedModel& model) {
    return model.problem().oracle().expectations() != nullptr ? model.temperature() : std::nullopt;
  }

  ExplainedOutput scored(std::string role, Prediction output) {
    const double score = comparison_.score(example_, output.raw());
    return {std::move(role), std::move(output), score};
  }
  static Prediction copy_of(sculpt_labels labels) {
    return {{labels.data, labels.data + labels.size}};
  }

  void find_guess() {
    Prediction guess;
    model_.predictor().run(ExampleList(Range{example_, example_ + 1}),
                           [&](std::int64_t, const Prediction& found) { guess = found; });
    if (!guess.no_output) result_.guess = scored("guess", std::move(guess));
  }

  // The truth; if labels are unknown, the best output that agrees with the known ones.
  void find_truth() {
    const sculpt_labels truth = problem_.dataset().truth(example_);
    if (truth.data == nullptr) return;
    const std::string fault = problem_.output_shapes().is_known()
                                  ? problem_.output_shapes().fault_of_truth(0, example_, truth)
                                  : "";
    if (!fault.empty()) {
      result_.notes.push_back("the truth is left out: it " + fault);
      return;
    }
    const std::int64_t unseen =
        std::count(truth.data, truth.data + truth.size, sculpt::unseen_label);
    if (unseen > 0) {
      result_.notes.push_back("the truth is left out: " + count_text(unseen, "label") + " of it " +
                              (unseen == 1 ? "does" : "do") +
                              " not occur in the training data, so it has no score");
    } else if (has_unknown_label(truth)) {
      complete_truth(truth);
    } else {
      result_.truth = scored("truth", copy_of(truth));
    }
    if (result_.guess) result_.guess->loss = loss_of(truth, result_.guess->output);
  }

  void complete_truth(sculpt_labels truth) {
    if (!problem_.oracle().completes()) {
      result_.notes.push_back("the truth is left out: it has labels that are not known, and " +
                              problem_.oracle().component().name() + " does not complete them");
      return;
    }
    sculpt_query query = query_at_w();
    query.truth = truth;
    Answer answer;
    problem_.oracle().complete(0, query, answer);
    if (answer.has_flag(SCULPT_ANSWER_NO_OUTPUT)) return;
    result_.truth = scored("truth", copy_of(answer.labels()));
    result_.notes.push_back("labels of the truth that are not known are those of largest score");
  }

  std::optional<double> loss_of(sculpt_labels truth, const Prediction& output) {
    if (problem_.loss() == nullptr) return std::nullopt;
    return problem_.loss()->value(0, example_, truth, output.raw());
  }

  sculpt_query query_at_w() const {
    sculpt_query query = {};
    query.struct_size = sizeof query;
    query.example = example_;
    query.seed = oracle_seed(0, 0, example_);
    query.weights = {model_.weights().data(), problem_.dimension(), next_stamp()};
    return query;
  }

  // The output that came closest to the guess, if the oracle can tell.
  void find_other() {
    if (!result_.guess) return;
    if (probabilities_.obstacle_to_k_best().empty()) {
      find_second_best();
    } else if (result_.truth) {
      find_most_violating();
    } else {
      result_.notes.push_back(probabilities_.obstacle_to_k_best() +
                              "; so the guess is explained alone");
    }
    if (result_.other && result_.truth) {
      result_.other->loss = loss_of(problem_.dataset().truth(example_), result_.other->output);
    }
  }

  void find_second_best() {
    std::vector<ScoredOutput> best;
    probabilities_.find_k_best(0, example_, 2, best);
    for (const ScoredOutput& one : best) {
      if (are_equal(one.output, result_.guess->output)) continue;
      result_.other = scored("second best output", one.output);
      return;
    }
    result_.notes.emplace_back("there is no other output");
  }

  void find_most_violating() {
    Oracle& oracle = problem_.oracle();
    if (problem_.loss() == nullptr || !oracle.obstacle_to_loss().empty()) return;
    sculpt_query query = query_at_w();
    query.truth = problem_.dataset().truth(example_);
    query.loss_weight = 1;
    Answer answer;
    oracle.argmax(0, query, answer);
    Prediction found = copy_of(answer.labels());
    if (answer.has_flag(SCULPT_ANSWER_NO_OUTPUT)) return;
    if (are_equal(found, result_.guess->output)) {
      result_.notes.emplace_back(
          "each other output is below the truth by its loss or more, so the truth is explained "
          "alone");
      return;
    }
    result_.other = scored("most violating output", std::move(found));
  }

  void add_probabilities() {
    if (!probabilities_.are_known()) return;
    const double log_z = probabilities_.log_z(0, example_);
    for (auto* const one : {&result_.truth, &result_.guess, &result_.other}) {
      if (!*one) continue;
      (*one)->probability =
          std::exp(probabilities_.log_probability(0, example_, (*one)->output.raw(), log_z));
    }
    if (!probabilities_.are_exact()) {
      result_.notes.emplace_back("the probabilities are approximations, as log Z of this oracle");
    }
  }

  void add_notes() {
    if (!result_.guess) {
      result_.notes.push_back(problem_.oracle().component().name() +
                              " finds no output for this example");
      return;
    }
    if (!result_.truth || result_.is_right()) return;
    const double rounding = 1e-9 * std::max(1.0, std::abs(result_.truth->score));
    if (result_.truth->score <= result_.guess->score + rounding) return;
    result_.notes.push_back(
        "the truth has the higher score: " + problem_.oracle().component().name() +
        " did not find it, or it is none of its outputs");
  }

  void compare(std::size_t max_parts) {
    const ExplainedOutput* const first = result_.first();
    if (first == nullptr) return;
    const ExplainedOutput* const second = result_.second();
    const sculpt_labels none = {};
    const sculpt_labels other = second == nullptr ? none : second->output.raw();
    const SparseVector difference = comparison_.difference(example_, first->output.raw(), other);
    result_.weights = comparison_.weight_shares(difference);
    result_.parts = comparison_.part_shares(example_, first->output.raw(), other, max_parts);
    if (problem_.kernel() != nullptr) add_support(difference);
  }

  // Sums the shares of the atoms of each training example.
  void add_support(const SparseVector& difference) {
    const std::vector<double> shares = problem_.support_shares(model_.file().weights(), difference);
    const auto found = model_.file().states().find(support_atoms_name);
    if (found == model_.file().states().end()) return;
    const std::vector<std::int64_t> examples = load_atoms(found->second).examples;
    std::map<std::int64_t, double> sums;
    for (std::size_t s = 0; s < std::min(examples.size(), shares.size()); ++s) {
      sums[examples[s]] += shares[s];
    }
    for (const auto& [example, share] : sums) {
      if (share != 0) result_.support.push_back({example, share});
    }
    std::stable_sort(
        result_.support.begin(), result_.support.end(),
        [](const auto& a, const auto& b) { return std::abs(a.share) > std::abs(b.share); });
  }

  LoadedModel& model_;
  Problem& problem_;
  std::int64_t example_;
  OutputComparison comparison_;
  Probabilities probabilities_;
  Explanation result_;
};

}  // namespace

const ExplainedOutput* Explanation::first() const {
  const bool is_same = truth && guess && are_equal(truth->output, guess->output);
  if (truth && (is_same || !is_right())) return &*truth;
  return guess ? &*guess : nullptr;
}

const ExplainedOutput* Explanation::second() const {
  if (other) return &*other;
  return truth && guess && !is_right() ? &*guess : nullptr;
}

bool Explanation::is_right() const {
  if (!truth || !guess) return false;
  return are_equal(truth->output, guess->output) || guess->loss == 0;
}

Explanation explain_example(LoadedModel& model, std::int64_t number, std::size_t max_parts) {
  const Range examples = model.examples();
  if (number < 0 || number >= examples.size()) {
    const std::string last = std::to_string(examples.size() - 1);
    throw Failure(Exit::usage,
                  "--example " + std::to_string(number) + ": the data have " +
                      count_text(examples.size(), "example") +
                      (examples.size() == 0 ? "" : "; give a number from 0 to " + last));
  }
  return Explainer(model, examples.begin + number).run(max_parts);
}

}  // namespace sculpt::core
