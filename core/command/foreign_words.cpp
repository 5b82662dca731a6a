#include "command/foreign_words.hpp"

#include <algorithm>
#include <initializer_list>

#include "experiment/experiment_keys.hpp"
#include "solver/catalogue/solver_list.hpp"

namespace sculpt::core {
namespace {

using Words = std::initializer_list<const char*>;

struct ForeignOption {
  Words commands;
  Words names;  // with their hyphens
  const char* hint;
};

const ForeignOption foreign_options[] = {
    {{"train"}, {"-c", "--cost"}, "C is --set solver.C=NUMBER"},
    {{"train"},
     {"-e", "--eps", "--tol", "--tolerance"},
     "the target is --set solver.relative_gap=NUMBER"},
    {{"train"}, {"-t", "-k"}, "a kernel is --set kernel=rbf or another one of sculpt describe"},
    {{"train"}, {"-g", "--gamma"}, "the gamma of a kernel is --set kernel.gamma=NUMBER"},
    {{"train"}, {"-d", "--degree"}, "the degree of a kernel is --set kernel.degree=NUMBER"},
    {{"train"},
     {"-w", "--class-weight", "--class-weights"},
     "weights of classes are --set 'dataset.label_weights=[\"LABEL:WEIGHT\"]'"},
    {{"train"},
     {"-v", "-x", "--cross-validate", "--cv", "--folds", "--hold-out", "--best", "--grid"},
     "sculpt sweep CONFIG --folds N holds out parts, and train --task TASK TRAIN --tune chooses C"},
    {{"train"}, {"-s", "-a", "--algorithm"}, "the solver is --set solver=NAME"},
    {{"train"}, {"-l"}, "the loss is --set loss=NAME"},
    {{"train"}, {"-p", "--param", "--params"}, "a key of the experiment is --set KEY=VALUE"},
    {{"train"}, {"-b", "--probability"}, "a model with probabilities is --set solver=crf"},
    {{"train"}, {"-o", "-m", "--model"}, "the folder of the run, with its model, is --output DIR"},
    {{"train"},
     {"--validation", "--valid", "--dev", "--eval"},
     "validation data are --set dataset.validation=FILE"},
    {{"train"},
     {"--train", "--data"},
     "training data are a word of their own: sculpt train --task TASK TRAIN"},
    {{"train"},
     {"--epochs", "--iterations", "--max-iter", "--max-iterations"},
     "a limit is --set solver.max_passes=NUMBER"},
    {{"predict", "evaluate", "explain"},
     {"-m", "--model"},
     "the model is the first word: sculpt predict MODEL DATA"},
    {{"predict", "evaluate", "explain"},
     {"--test", "--data", "--input", "-i"},
     "the data are the second word: sculpt predict MODEL DATA"},
    {{"predict", "evaluate", "explain", "describe", "diff", "check", "verify", "loo"},
     {"--output", "--out", "-o"},
     "results go to standard output: write > FILE"},
    {{"predict"},
     {"-b", "--proba", "--probability", "--probabilities", "-p"},
     "probabilities are --marginals or --nbest K, of models of the solver crf"},
    {{"predict"}, {"-t", "--evaluate", "--metrics"}, "sculpt evaluate MODEL DATA measures a model"},
    {{"sweep"},
     {"--task", "--train", "--test", "--tune"},
     "sculpt new experiment --task TASK --train FILE --output FILE.json makes the CONFIG for it"},
    {{"sweep"},
     {"-c", "-C", "--C", "--cost", "--grid", "--param", "--params"},
     "values to try are --set solver.C=0.1,1,10"},
    {{"sweep"}, {"-v", "-k", "--cv"}, "--folds N holds out each part once"},
    {{"sweep"}, {"--metric", "--criterion", "--scoring"}, "the metric is --best METRIC"},
    {{"report"}, {"--html", "-o"}, "the page is --output FILE"},
    {{"train", "sweep", "report", "new", "prune"}, {"-f"}, "--force replaces what exists"},
    {{"train", "sweep", "predict", "evaluate", "explain", "verify", "loo", "prune", "report"},
     {"-j", "--jobs", "--n-jobs", "-n"},
     "the number of threads is --threads N"},
    {{"train", "sweep", "predict", "evaluate", "explain", "verify", "loo", "prune", "report"},
     {"-q", "--silent"},
     "--quiet prints warnings and errors only"},
};

bool contains_word(Words words, std::string_view word) {
  return std::any_of(words.begin(), words.end(), [word](const char* one) { return one == word; });
}

// The key of the experiment that an option names: "solver.C" for --C. "" if there is none.
std::string key_named(std::string_view option) {
  if (!option.starts_with("--")) return "";
  std::string name(option.substr(2));
  std::replace(name.begin(), name.end(), '-', '_');
  const auto is_named = [&](const sculpt_parameter& parameter) { return name == parameter.name; };
  if (std::any_of(top_level_keys.begin(), top_level_keys.end(), is_named)) return name;
  for (const SolverDescriptor* const solver : solvers()) {
    const bool has_key =
        std::any_of(solver->parameters.begin(), solver->parameters.end(), is_named);
    if (has_key) return "solver." + name;
  }
  return "";
}

// "-c" of "-c10".
std::string_view without_value(std::string_view option) {
  const bool is_letter = option.size() > 2 && option[0] == '-' && option[1] != '-';
  return is_letter ? option.substr(0, 2) : option.substr(0, option.find('='));
}

}  // namespace

std::string foreign_option_hint(std::string_view command, std::string_view option) {
  const std::string_view name = without_value(option);
  for (const ForeignOption& known : foreign_options) {
    const bool is_known =
        contains_word(known.commands, command) && contains_word(known.names, name);
    if (is_known) return known.hint;
  }
  if (command != "train" && command != "sweep") return "";
  const std::string key = key_named(name == "-C" ? "--C" : name);
  return key.empty() ? "" : "a key of the experiment is set by --set " + key + "=VALUE";
}

std::string extra_word_hint(std::string_view command) {
  if (command == "train") {
    return "test data are --test FILE with --task, and the folder of the model is --output DIR";
  }
  const bool prints_results =
      contains_word({"predict", "evaluate", "explain", "describe"}, command);
  return prints_results ? "results go to standard output: write > FILE" : "";
}

std::string command_like(std::string_view word) {
  struct Entry {
    const char* command;
    Words words;
  };
  static const Entry entries[] = {
      {"train", {"learn", "fit"}},
      {"predict", {"tag", "classify", "apply", "infer", "parse", "label", "decode"}},
      {"evaluate", {"test", "eval", "score", "measure"}},
      {"sweep", {"tune", "search", "grid", "cv", "cross-validate"}},
      {"describe", {"info", "list", "show", "inspect", "dump"}},
      {"report", {"plot", "html"}},
      {"new", {"init", "create"}},
      {"check", {"lint", "validate"}},
  };
  for (const Entry& entry : entries) {
    if (contains_word(entry.words, word)) return entry.command;
  }
  return word == "version" || word == "-V" || word == "-v" ? "--version" : "";
}

}  // namespace sculpt::core
