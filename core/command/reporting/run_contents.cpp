#include "command/reporting/run_contents.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "base/surroundings.hpp"
#include "base/text/message_text.hpp"
#include "command/inputs/source_excerpts.hpp"
#include "command/reporting/loaded_run.hpp"
#include "command/reports/top_weights.hpp"
#include "problem/plugin/unknown_labels.hpp"
#include "problem/prediction/predictor.hpp"
#include "solver/answers_at_a_time.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

// The positions in the list of training examples of the largest values above 0, the largest first.
// `second`: decides between equal values; empty or as long as `values`.
std::vector<std::int64_t> largest(const std::vector<double>& values,
                                  const std::vector<double>& second, std::int64_t count) {
  std::vector<std::int64_t> order(values.size());
  std::iota(order.begin(), order.end(), std::int64_t{0});
  const auto key = [&](std::int64_t position) {
    const auto k = static_cast<std::size_t>(position);
    return std::pair(values[k], second.empty() ? 0.0 : second[k]);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int64_t a, std::int64_t b) { return key(a) > key(b); });
  order.resize(static_cast<std::size_t>(std::min<std::int64_t>(count, std::ssize(order))));
  while (!order.empty() && !(values[static_cast<std::size_t>(order.back())] > 0)) order.pop_back();
  return order;
}

class ContentLoader {
 public:
  ContentLoader(LoadedRun& loaded, const RunRecord& run, const ContentOptions& options,
                Console& console, RunContent& out)
      : loaded_(loaded),
        problem_(loaded.problem()),
        run_(run),
        options_(options),
        console_(console),
        out_(out) {}

  void load() {
    load_weights();
    const bool may_ask = expected_seconds() <= options_.max_seconds;
    if (const WorkingSet* const planes = loaded_.planes_by_example()) read_mass(*planes);
    if (loaded_.has_slacks() && may_ask) {
      ask_for_slacks();
    } else if (loaded_.has_slacks() && loaded_.planes_by_example() != nullptr) {
      read_slacks(*loaded_.planes_by_example());
    } else if (!loaded_.has_slacks() && may_ask) {
      measure_losses();
    }
    if (!may_ask) {
      out_.remarks.push_back("to ask the oracle about all training examples would take about " +
                             number_text(expected_seconds(), 2) +
                             " s, so it was not asked; give --seconds to allow more");
    }
    show_examples();
  }

 private:
  // What the run itself needed for its calls, for one call of each example.
  double expected_seconds() const {
    const double seconds = number_at(run_.newest(), "oracle_seconds");
    const double calls = number_at(run_.newest(), "oracle_calls");
    if (!std::isfinite(seconds) || !(calls > 0)) return 0;
    return seconds / calls * static_cast<double>(problem_.training().size());
  }

  void load_weights() {
    if (problem_.kernel() != nullptr) {
      out_.remarks.push_back(
          "a model with a kernel has no weights with names; its examples by dual mass are what it "
          "consists of");
      return;
    }
    const Vector& w = loaded_.weights();
    const nlohmann::ordered_json header = {{"config", run_.config}};
    const WeightNames names(&problem_, header);
    const TopWeights top = top_weights(w, options_.weights, names);
    for (std::size_t k = 0; k < top.weights.size(); ++k) {
      out_.weights.push_back({top.units[k].name, top.weights[k],
                              top.is_scaled() ? unit_text(top.weights[k], top.units[k]) : ""});
    }
    out_.weight_count = std::ssize(w);
    out_.nonzero_count = std::count_if(w.begin(), w.end(), [](double x) { return x != 0; });
    out_.weight_source = loaded_.has_model() ? "of the model" : "of the last checkpoint";
  }

  void read_mass(const WorkingSet& planes) {
    mass_.resize(static_cast<std::size_t>(planes.block_count()));
    for (std::int64_t k = 0; k < planes.block_count(); ++k) {
      mass_[static_cast<std::size_t>(k)] = planes.block(k).alpha_sum();
    }
    const double most = *std::max_element(mass_.begin(), mass_.end());
    if (!(most > 0)) return;
    const auto count = [&](double least) {
      return std::count_if(mass_.begin(), mass_.end(),
                           [least](double mass) { return mass > 0 && mass >= least; });
    };
    // Sums of alpha at the cap differ by rounding.
    constexpr double rounding = 1e-6;
    for (double& mass : mass_) mass = mass >= most * (1 - rounding) ? most : mass;
    const auto at_most = count(most);
    out_.mass_remark = std::to_string(count(0)) + " of " +
                       count_text(std::ssize(mass_), "example") + " have some, and " +
                       std::to_string(at_most) + (at_most == 1 ? " has" : " have") +
                       " the largest, " + number_text(most, 4) + ".";
  }

  void read_slacks(const WorkingSet& planes) {
    slack_.resize(static_cast<std::size_t>(planes.block_count()));
    for (std::int64_t k = 0; k < planes.block_count(); ++k) {
      slack_[static_cast<std::size_t>(k)] = std::max(0.0, planes.slack_of(k, loaded_.point().w));
    }
    out_.slack_source = "as far as the planes of the last checkpoint tell";
  }

  void ask_for_slacks() {
    PlaneSource& source = loaded_.planes_port();
    const std::int64_t n = source.example_count();
    slack_.assign(static_cast<std::size_t>(n), 0.0);
    std::vector<Separation> answers;
    for (std::int64_t begin = 0; begin < n; begin += answers_at_a_time) {
      console_.progress("report", "slacks", begin, n);
      std::vector<std::int64_t> examples(
          static_cast<std::size_t>(std::min(answers_at_a_time, n - begin)));
      std::iota(examples.begin(), examples.end(), begin);
      source.separate(loaded_.point().w, examples, Pass(loaded_.passes(), stop_request()), answers);
      for (std::size_t k = 0; k < answers.size(); ++k) {
        const Separation& answer = answers[k];
        slack_[static_cast<std::size_t>(examples[k])] =
            answer.no_output ? 0 : std::max(0.0, answer.low);
      }
    }
    out_.slack_source = loaded_.has_model()
                            ? "by new answers of the oracle at the weights of the model"
                            : "by new answers of the oracle at the weights of the last checkpoint";
  }

  // The loss of the prediction of each training example.
  void measure_losses() {
    if (problem_.loss() == nullptr) return;
    loss_.assign(static_cast<std::size_t>(problem_.training().size()), 0.0);
    std::size_t k = 0;
    predict(problem_.training(), [&](std::int64_t example, const Prediction& prediction) {
      const double loss = loss_of(example, prediction);
      loss_[k++] = std::isnan(loss) ? 0 : loss;
    });
  }

  void predict(const ExampleList& examples, const Predictor::Sink& sink) {
    Predictor(problem_, loaded_.weights(), static_cast<std::uint64_t>(loaded_.experiment().seed))
        .run(examples, sink);
  }

  double loss_of(std::int64_t example, const Prediction& prediction) {
    const sculpt_labels truth = problem_.dataset().truth(example);
    if (problem_.loss() == nullptr || prediction.no_output || truth.data == nullptr) return unknown;
    if (has_unknown_label(truth)) return unknown;
    return problem_.loss()->value(0, example, truth, prediction.raw());
  }

  // Not known for a truth with unknown labels: datasets format whole outputs.
  OutputText text_of(std::int64_t example, sculpt_labels output) const {
    if (output.data == nullptr || has_unknown_label(output)) return {};
    const std::int32_t* const end = output.data + output.size;
    const bool is_ascending =
        output.size > 1 && std::adjacent_find(output.data, end, std::greater_equal<>()) == end;
    return {problem_.dataset().format(example, output), output.size, is_ascending, true};
  }

  // Makes the records of all lists, with one prediction for each example.
  void show_examples() {
    const std::vector<std::int64_t> by_slack = largest(slack_, {}, options_.examples);
    const std::vector<std::int64_t> by_mass = largest(mass_, slack_, options_.examples);
    const std::vector<std::int64_t> by_loss = largest(loss_, {}, options_.examples);
    std::set<std::int64_t> positions(by_slack.begin(), by_slack.end());
    positions.insert(by_mass.begin(), by_mass.end());
    positions.insert(by_loss.begin(), by_loss.end());
    if (positions.empty()) return;
    std::vector<std::int64_t> examples;
    for (const std::int64_t position : positions) examples.push_back(problem_.training()[position]);
    std::map<std::int64_t, ExampleRecord> records;
    predict(ExampleList(examples), [&](std::int64_t example, const Prediction& prediction) {
      ExampleRecord& record = records[example];
      record.number = example;
      record.place = problem_.dataset().place(example);
      record.truth = text_of(example, problem_.dataset().truth(example));
      if (!prediction.no_output) record.guess = text_of(example, prediction.raw());
      record.loss = loss_of(example, prediction);
    });
    for (auto& [example, excerpt] :
         source_excerpts(problem_.dataset(), loaded_.experiment().splits.front(), examples)) {
      records[example].source = std::move(excerpt.lines);
      records[example].source_is_cut = excerpt.is_cut;
    }
    const auto list = [&](const std::vector<std::int64_t>& chosen,
                          std::vector<ExampleRecord>& out) {
      for (const std::int64_t position : chosen) {
        ExampleRecord& record = out.emplace_back(records[problem_.training()[position]]);
        const auto k = static_cast<std::size_t>(position);
        if (!slack_.empty()) record.slack = slack_[k];
        if (!mass_.empty()) record.mass = mass_[k];
      }
    };
    list(by_slack, out_.by_slack);
    list(by_mass, out_.by_mass);
    list(by_loss, out_.by_loss);
  }

  LoadedRun& loaded_;
  Problem& problem_;
  const RunRecord& run_;
  const ContentOptions& options_;
  Console& console_;
  RunContent& out_;
  // [training examples], or empty if it is not known
  std::vector<double> slack_;
  std::vector<double> mass_;
  std::vector<double> loss_;
};

// A model that cannot be read is none: the checkpoint may have weights.
bool was_killed_behind_model(const RunRecord& run) {
  if (run.state == RunState::running) return false;
  try {
    return model_ends_run(ModelFile(run.folder), run.folder);
  } catch (const Failure& failure) {
    if (failure.ends_process()) throw;
    return false;
  }
}

}  // namespace

RunContent load_content(const RunRecord& run, const ContentOptions& options, Console& console) {
  RunContent content;
  if (options.examples <= 0 && options.weights <= 0) return content;
  try {
    const bool has_ended =
        run.has_model && (run.state == RunState::finished || was_killed_behind_model(run));
    LoadedRun loaded(run.folder, has_ended, options.overrides, options.threads, console);
    ContentLoader(loaded, run, options, console, content).load();
  } catch (const Failure& failure) {
    if (failure.ends_process()) throw;
    content.remarks.push_back(std::string("examples and weights are not complete: ") +
                              failure.text_in_one_line());
    if (content.weights.empty() && options.weights > 0) {
      content.weights_missing = failure.text_in_one_line();
    }
    console.warn(content.remarks.back());
  }
  return content;
}

}  // namespace sculpt::core
