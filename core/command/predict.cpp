// sculpt predict: the outputs of a model on new data, in the format of the dataset. Or the decision
// values that they follow from, the k best, samples, or the probabilities of labels.

#include <string>
#include <vector>

#include "base/current_activity.hpp"
#include "base/text/message_text.hpp"
#include "base/text/text_out.hpp"
#include "command/command.hpp"
#include "command/decode_option.hpp"
#include "command/inputs/loaded_model.hpp"
#include "command/reports/marginal_printer.hpp"
#include "command/reports/probability_lines.hpp"
#include "problem/plugin/oracle_seed.hpp"
#include "problem/prediction/example_window.hpp"
#include "problem/prediction/probabilities.hpp"
#include "problem/prediction/scores.hpp"

namespace sculpt::core {
namespace {

constexpr const char* predict_epilogue =
    "\n"
    "Probabilities are those of models of the solver crf. --nbest works with every model whose\n"
    "oracle lists the k best; without probabilities it prints scores. \"sculpt describe NAME\"\n"
    "says what an oracle offers.\n";

void print_outputs(LoadedModel& model, const CommandLine& line, Probabilities& probabilities) {
  const Dataset& dataset = model.problem().dataset();
  Predictor predictor = model.predictor();
  predictor.number_from(model.first_number());
  if (line.has("given") && !decodes_marginals(line)) predictor.keep_given_labels();
  apply_decode_option(line, probabilities, predictor);
  predictor.run(model.examples(), [&](std::int64_t example, const Prediction& guess) {
    data_out() << (guess.no_output ? std::string() : dataset.format(example, guess.raw())) << '\n';
  });
  warn_if_approximate(model, probabilities);
}

void print_rows(const std::vector<double>& scores, std::size_t columns) {
  for (std::size_t k = 0; k < scores.size(); ++k) {
    data_out() << exact_number_text(scores[k]) << ((k + 1) % columns == 0 ? '\n' : ' ');
  }
}

// Prints one line for each row. If there are several columns and `names_columns`, a first line with
// "#" names them.
void print_scores(LoadedModel& model, bool names_columns) {
  Problem& problem = model.problem();
  const Scores scores(problem.features().component());
  if (scores.columns() > 1 && names_columns) {
    data_out() << '#';
    for (const std::string& name : scores.names()) data_out() << ' ' << as_one_word(name);
    data_out() << '\n';
  }
  const sculpt_weights w{model.weights().data(), problem.dimension(), next_stamp()};
  for_each_in_order<std::vector<double>>(
      problem, ExampleList(model.examples()),
      [&](int, std::int64_t example, std::vector<double>& values) {
        scores.write(example, w, values);
      },
      [&](std::int64_t, const std::vector<double>& values) {
        print_rows(values, scores.columns());
      });
}

// The options that say what is printed. At most one may be given.
constexpr const char* printing_options[] = {"scores", "nbest", "sample", "marginals", "decode"};

void check_options(const CommandLine& line) {
  std::string first;
  for (const char* const option : printing_options) {
    if (!line.has(option)) continue;
    if (!first.empty()) {
      throw Failure(Exit::usage, "--" + first + " and --" + option +
                                     " exclude each other: each decides what is printed");
    }
    first = option;
  }
  if (line.has("given") && line.has("scores")) {
    throw Failure(Exit::usage,
                  "--scores and --given exclude each other: labels that are kept have no scores");
  }
  if (line.has("seed") && !line.has("sample")) {
    throw Failure(Exit::usage, "--seed decides what --sample draws; give --sample K too");
  }
  for (const char* const option : {"nbest", "sample"}) {
    if (!line.has(option) || line.get<std::int64_t>(option) >= 1) continue;
    throw Failure(Exit::usage, std::string("--") + option + " must be at least 1, not " +
                                   std::to_string(line.get<std::int64_t>(option)));
  }
  if (line.has("seed") && line.get<std::int64_t>("seed") < 0) {
    throw Failure(Exit::usage, "--seed must be at least 0, not " +
                                   std::to_string(line.get<std::int64_t>("seed")));
  }
  check_decode_option(line);
}

// Prints what the options ask for. `is_named`: the columns were named before. Returns whether they
// are now.
bool print_part(const CommandLine& line, LoadedModel& model, bool is_named) {
  if (line.has("scores")) {
    print_scores(model, !is_named);
    return true;
  }
  Probabilities probabilities(model.problem(), model.weights(), model.temperature());
  probabilities.number_from(model.first_number());
  const bool prints_best_outputs =
      !line.has("nbest") && !line.has("sample") && !line.has("marginals");
  if (line.has("given") && (!prints_best_outputs || decodes_marginals(line))) {
    probabilities.keep_given_labels();
  }
  if (line.has("nbest")) {
    print_k_best(model, probabilities, line.get<std::int64_t>("nbest"));
  } else if (line.has("sample")) {
    print_draws(model, probabilities, line.get<std::int64_t>("sample"),
                line.has("seed") ? static_cast<std::uint64_t>(line.get<std::int64_t>("seed")) : 1);
  } else if (line.has("marginals")) {
    return print_marginals(model, probabilities, !is_named) || is_named;
  } else {
    print_outputs(model, line, probabilities);
  }
  return is_named;
}

}  // namespace

Exit predict(const Arguments& arguments) {
  namespace po = boost::program_options;
  CommandLine line("predict", {"MODEL", "DATA"});
  line.add()("scores", "print decision values instead of outputs, one line for each row")(
      "nbest", po::value<std::int64_t>()->value_name("K"),
      "print the K best outputs, each after a line with its score and probability")(
      "sample", po::value<std::int64_t>()->value_name("K"),
      "print K random outputs, drawn by their probability")(
      "seed", po::value<std::int64_t>()->value_name("N"), "seed of --sample; 1 by default")(
      "marginals", "print the probability of each label, one line for each position")(
      "given",
      "keep the labels that the data have, and predict the others; also with --nbest, --sample, "
      "--marginals and --decode");
  add_decode_option(line);
  line.add_epilogue(predict_epilogue);
  const std::unique_ptr<LoadedModel> model =
      load_model(line, arguments, check_options, PipeReading::parts);
  if (!model) return Exit::reached;
  for (bool is_named = false; model->next_part();) {
    current_activity = {"predicting"};
    is_named = print_part(line, *model, is_named);
    if (!flush_stdout()) throw Failure(Exit::write_failed, "standard output cannot be written");
  }
  return Exit::reached;
}

}  // namespace sculpt::core
