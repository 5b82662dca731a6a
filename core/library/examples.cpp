// examples.cpp - examples that were read for a model, and what it says about them.

#include <sculpt/host/examples.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "command/inputs/loaded_model.hpp"
#include "command/reports/model_evaluation.hpp"
#include "command/reports/probability_lines.hpp"
#include "command/reports/required_probabilities.hpp"
#include "launch/run_events.hpp"
#include "library/answer_arrays.hpp"
#include "library/arguments.hpp"
#include "library/model.hpp"
#include "library/record.hpp"
#include "library/session.hpp"
#include "problem/plugin/oracle_seed.hpp"
#include "problem/prediction/example_window.hpp"
#include "problem/prediction/scores.hpp"

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;

constexpr const char* reading = "sculpt_examples_read";

SplitSource source_of(const sculpt_examples_source& given) {
  if (given.rows != nullptr) {
    const std::string name = given.path != nullptr ? given.path : "predict";
    return {"predict", "the arrays \"" + name + "\"", std::nullopt, "",
            std::make_shared<MemoryRows>(name, *given.rows)};
  }
  if (given.text == nullptr) {
    require_pointer(given.path, reading, "path, text and rows");
    return {"predict", fs::absolute(given.path).lexically_normal().string(), std::nullopt};
  }
  if (given.text_size < 0) {
    throw Failure(Exit::usage, std::string(reading) + ": text_size is below 0");
  }
  return {"predict", given.path != nullptr ? given.path : "the text of the caller",
          std::string(given.text, static_cast<std::size_t>(given.text_size))};
}

}  // namespace
}  // namespace sculpt::core

using namespace sculpt::core;

struct sculpt_examples {
  std::shared_ptr<CallerSurroundings> surroundings;
  std::unique_ptr<LoadedModel> model;
  OutputArrays outputs;
  RowArrays rows;
  std::string name;  // of the data, in messages
  std::string text;
  // The threads of the model exist only in the process that made them.
  const pid_t process = ::getpid();
  bool is_of_this_process() const { return ::getpid() == process; }
};

namespace {

// Throws Failure(Exit::usage) if the examples cannot be used here.
void require_usable(const sculpt_examples* examples, const char* function) {
  require_pointer(examples, function, "the examples");
  if (examples->is_of_this_process()) return;
  throw Failure(Exit::usage, std::string(function) +
                                 ": the examples were read by the parent of this process; read "
                                 "them after fork()");
}

// One call about examples: what all of them begin with.
class ExamplesCall {
 public:
  ExamplesCall(sculpt_examples* examples, const sculpt_predict_options* options,
               const char* function)
      : function_(function),
        examples_(examples),
        options_(record_or_zeros(options, function, "options")),
        call_((require_usable(examples, function), examples->surroundings), function),
        probabilities_(examples->model->problem(), examples->model->weights(),
                       examples->model->temperature()) {
    if (options_.choice != SCULPT_BEST && options_.choice != SCULPT_BEST_MARGINALS) {
      throw Failure(Exit::usage, std::string(function) + ": choice is " +
                                     std::to_string(options_.choice) +
                                     "; it must be SCULPT_BEST or SCULPT_BEST_MARGINALS");
    }
    if (keeps_given() && decodes_marginals()) probabilities_.keep_given_labels();
  }

  LoadedModel& model() { return *examples_->model; }
  Problem& problem() { return model().problem(); }
  ExampleList list() { return ExampleList(model().examples()); }
  Probabilities& probabilities() { return probabilities_; }
  bool keeps_given() const { return options_.keeps_given != 0; }
  bool decodes_marginals() const { return options_.choice == SCULPT_BEST_MARGINALS; }

  // A predictor as the options say.
  template <class Use>
  auto with_predictor(const Use& use) {
    Predictor predictor = model().predictor();
    if (decodes_marginals()) {
      require_marginals(probabilities_, function_);
      predictor.decode_by([this](int worker, std::int64_t example, Prediction& out) {
        probabilities_.find_most_probable_labels(worker, example, out);
      });
    } else if (keeps_given()) {
      predictor.keep_given_labels();
    }
    return use(predictor);
  }

  // Adds an output to the arrays, with its text if it is wanted.
  void add(std::int64_t example, const Prediction& output) {
    examples_->outputs.add(output.labels);
    if (options_.has_text == 0) return;
    examples_->outputs.add_text(problem().dataset().format(example, output.raw()));
  }
  void add_scored(std::int64_t example, const std::vector<ScoredOutput>& outputs) {
    for (const ScoredOutput& one : outputs) {
      add(example, one.output);
      examples_->outputs.add_score(one.score, std::exp(one.log_probability));
    }
    examples_->outputs.end_example();
  }
  void lend(sculpt_outputs* out) {
    warn_if_approximate(model(), probabilities_);
    fill_record(examples_->outputs.lent(probabilities_.are_known()), out);
  }

 private:
  const char* function_;
  sculpt_examples* examples_;
  sculpt_predict_options options_;
  SessionCall call_;
  Probabilities probabilities_;
};

}  // namespace

sculpt_exit sculpt_examples_read(sculpt_session* session, const sculpt_model* model,
                                 const sculpt_examples_source* given, sculpt_examples** examples,
                                 sculpt_failure** failure) {
  return guarded_call(failure, [&] {
    require_pointer(examples, reading, "examples");
    *examples = nullptr;
    require_pointer(model, reading, "the model");
    const auto source = complete_record(given, reading, "source");
    SessionCall call(session, reading);
    auto made = std::make_unique<sculpt_examples>();
    made->surroundings = session->surroundings;
    SplitSource split = source_of(source);
    made->name = split.path;
    made->model = std::make_unique<LoadedModel>(
        model->file, std::move(split), call.surroundings().threads(),
        parse_overrides(texts_of(source.set, source.set_count, reading, "set")),
        Console::prints_if(call.surroundings().is_silent()));
    *examples = made.release();
    return Exit::reached;
  });
}

std::int64_t sculpt_examples_count(const sculpt_examples* examples) {
  return examples == nullptr ? 0 : examples->model->examples().size();
}

void sculpt_examples_free(sculpt_examples* examples) {
  // A child process has none of the threads, so it cannot end them. It leaves the memory.
  if (examples == nullptr || !examples->is_of_this_process()) return;
  delete examples;
}

sculpt_exit sculpt_predict(sculpt_examples* examples, const sculpt_predict_options* options,
                           sculpt_outputs* outputs, sculpt_failure** failure) {
  return guarded_call(failure, [&] {
    constexpr const char* function = "sculpt_predict";
    clear_record(outputs, function, "outputs");
    ExamplesCall call(examples, options, function);
    examples->outputs.clear();
    call.with_predictor([&](Predictor& predictor) {
      return predictor.run(call.list(), [&](std::int64_t example, const Prediction& guess) {
        if (!guess.no_output) call.add(example, guess);
        examples->outputs.end_example();
      });
    });
    call.lend(outputs);
    return Exit::reached;
  });
}

sculpt_exit sculpt_predict_best(sculpt_examples* examples, std::int64_t count,
                                const sculpt_predict_options* options, sculpt_outputs* outputs,
                                sculpt_failure** failure) {
  return guarded_call(failure, [&] {
    constexpr const char* function = "sculpt_predict_best";
    clear_record(outputs, function, "outputs");
    ExamplesCall call(examples, options, function);
    require_count(count, function);
    Probabilities& probabilities = call.probabilities();
    if (call.keeps_given()) probabilities.keep_given_labels();
    require_k_best(probabilities);
    examples->outputs.clear();
    for_each_in_order<std::vector<ScoredOutput>>(
        call.problem(), call.list(),
        [&](int worker, std::int64_t example, std::vector<ScoredOutput>& out) {
          probabilities.find_k_best(worker, example, count, out);
        },
        [&](std::int64_t example, const std::vector<ScoredOutput>& found) {
          call.add_scored(example, found);
        });
    call.lend(outputs);
    return Exit::reached;
  });
}

sculpt_exit sculpt_predict_sample(sculpt_examples* examples, std::int64_t count, std::uint64_t seed,
                                  const sculpt_predict_options* options, sculpt_outputs* outputs,
                                  sculpt_failure** failure) {
  return guarded_call(failure, [&] {
    constexpr const char* function = "sculpt_predict_sample";
    clear_record(outputs, function, "outputs");
    ExamplesCall call(examples, options, function);
    require_count(count, function);
    Probabilities& probabilities = call.probabilities();
    if (call.keeps_given()) probabilities.keep_given_labels();
    require_draws(probabilities, function);
    examples->outputs.clear();
    for_each_in_order<std::vector<ScoredOutput>>(
        call.problem(), call.list(),
        [&](int worker, std::int64_t example, std::vector<ScoredOutput>& out) {
          probabilities.draw(worker, example, count, seed, out);
        },
        [&](std::int64_t example, const std::vector<ScoredOutput>& found) {
          call.add_scored(example, found);
        });
    call.lend(outputs);
    return Exit::reached;
  });
}

sculpt_exit sculpt_predict_scores(sculpt_examples* examples, sculpt_rows* rows,
                                  sculpt_failure** failure) {
  return guarded_call(failure, [&] {
    constexpr const char* function = "sculpt_predict_scores";
    clear_record(rows, function, "rows");
    ExamplesCall call(examples, nullptr, function);
    const Scores scores(call.problem().features().component());
    const sculpt_weights w{call.model().weights().data(), call.problem().dimension(), next_stamp()};
    examples->rows.clear();
    for_each_in_order<std::vector<double>>(
        call.problem(), call.list(),
        [&](int, std::int64_t example, std::vector<double>& values) {
          scores.write(example, w, values);
        },
        [&](std::int64_t, const std::vector<double>& values) {
          for (std::size_t k = 0; k < values.size(); k += scores.columns()) {
            examples->rows.add_row(std::span(values).subspan(k, scores.columns()));
          }
          examples->rows.end_example();
        });
    fill_record(examples->rows.lent(), rows);
    return Exit::reached;
  });
}

sculpt_exit sculpt_predict_marginals(sculpt_examples* examples, sculpt_rows* rows,
                                     sculpt_failure** failure) {
  return guarded_call(failure, [&] {
    constexpr const char* function = "sculpt_predict_marginals";
    clear_record(rows, function, "rows");
    ExamplesCall call(examples, nullptr, function);
    Probabilities& probabilities = call.probabilities();
    require_marginals(probabilities, function);
    examples->rows.clear();
    for_each_in_order<Marginals>(
        call.problem(), call.list(),
        [&](int worker, std::int64_t example, Marginals& out) {
          probabilities.find_marginals(worker, example, out);
        },
        [&](std::int64_t, const Marginals& marginals) {
          for (std::size_t k = 0; k < marginals.positions(); ++k) {
            examples->rows.add_row(marginals.row(k));
          }
          examples->rows.end_example();
        });
    warn_if_approximate(call.model(), probabilities);
    fill_record(examples->rows.lent(), rows);
    return Exit::reached;
  });
}

sculpt_exit sculpt_evaluate(sculpt_examples* examples, const sculpt_predict_options* options,
                            const char** json, sculpt_failure** failure) {
  return guarded_call(failure, [&] {
    constexpr const char* function = "sculpt_evaluate";
    require_pointer(json, function, "json");
    *json = nullptr;
    ExamplesCall call(examples, options, function);
    const Evaluation evaluation = call.with_predictor([&](Predictor& predictor) {
      return evaluate_examples(call.model(), predictor, call.probabilities(), examples->name);
    });
    examples->text = metrics_json(evaluation).dump();
    *json = examples->text.c_str();
    return Exit::reached;
  });
}
