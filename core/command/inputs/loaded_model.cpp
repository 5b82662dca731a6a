#include "command/inputs/loaded_model.hpp"

#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/file/content_hash.hpp"
#include "base/file/stored_json.hpp"
#include "base/surroundings.hpp"
#include "command/inputs/model_objective.hpp"
#include "command/inputs/weight_count.hpp"
#include "launch/component_search.hpp"
#include "launch/rank_agreement.hpp"
#include "objective/log_loss_objective.hpp"

namespace sculpt::core {
namespace {

// "/dev/stdin" stays as it is, because messages name it.
SplitSource source_of(const std::string& data) {
  if (is_pipe(data)) return {"predict", data, read_pipe(data, stop_request())};
  return {"predict", std::filesystem::absolute(data).lexically_normal().string(), std::nullopt};
}

// Asks a dataset that has read nothing.
PartEnd part_end_of(const ComponentSpec& spec) {
  Workers workers(1);
  Services services({}, workers, Services::Guard::none);
  return part_end_of(Component(*spec.description, spec.parameters, services));
}

// Adds `more` to the line numbers behind `path`: "-:3:1: ...".
std::string with_later_lines(std::string text, const std::string& path, std::int64_t more) {
  const std::string name = path + ":";
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at)) {
    at += name.size();
    std::int64_t line = 0;
    const auto [end, problem] = std::from_chars(text.data() + at, text.data() + text.size(), line);
    if (problem != std::errc()) continue;
    const auto size = static_cast<std::size_t>(end - (text.data() + at));
    text.replace(at, size, std::to_string(line + more));
  }
  return text;
}

}  // namespace

LoadedModel::LoadedModel(const std::filesystem::path& model, const std::optional<std::string>& data,
                         int threads, const std::vector<Override>& overrides, PipeReading reading,
                         Console::Prints prints)
    : LoadedModel(std::make_shared<const ModelFile>(model), data, threads, overrides, reading,
                  prints) {}

LoadedModel::LoadedModel(std::shared_ptr<const ModelFile> file, int threads,
                         const std::vector<Override>& overrides, Console::Prints prints)
    : console_(prints),
      file_(std::move(file)),
      registry_(registry_settings()),
      assembly_(*file_, overrides, registry_,
                [this](const std::string& text) { console_.warn(text); }),
      threads_(threads) {
  advice_on_count_ = overrides.empty()
                         ? weight_count_advice
                         : "; --set changes the features of the training: leave out its keys of "
                           "\"dataset\"";
}

LoadedModel::LoadedModel(std::shared_ptr<const ModelFile> file, SplitSource source, int threads,
                         const std::vector<Override>& overrides, Console::Prints prints)
    : LoadedModel(std::move(file), threads, overrides, prints) {
  path_ = source.path;
  std::vector<SplitSource> sources;
  sources.push_back(std::move(source));
  make_problem(std::move(sources));
}

LoadedModel::LoadedModel(std::shared_ptr<const ModelFile> file,
                         const std::optional<std::string>& data, int threads,
                         const std::vector<Override>& overrides, PipeReading reading,
                         Console::Prints prints)
    : LoadedModel(std::move(file), threads, overrides, prints) {
  path_ = data.value_or("");
  const bool is_in_parts = data && reading == PipeReading::parts && is_pipe(*data);
  std::vector<SplitSource> sources;
  if (data && !is_in_parts) sources.push_back(source_of(*data));
  if (is_in_parts) {
    part_end_ = part_end_of(assembly_.problem_spec({}).dataset);
    pipe_ = std::make_unique<PipedText>(path_, part_end_, stop_request());
    return;
  }
  make_problem(std::move(sources));
  if (data && !is_pipe(*data) && examples().size() == 0) {
    problem_->dataset().refuse(Exit::data, -1, path_ + ": contains no examples");
  }
  if (data) require_one_input();
}

// All ranks must have the same model, data and plugins: each answers for a part of the examples.
void LoadedModel::require_one_input() const {
  Ranks* const ranks = surroundings().ranks();
  if (ranks == nullptr) return;
  const std::string model = file_->path().string();
  nlohmann::ordered_json identity = {{"sculpt", SCULPT_VERSION},
                                     {"data", {{"model", file_hash(model)}}},
                                     {"libraries", assembly_.libraries()}};
  std::error_code ignored;
  if (std::filesystem::is_regular_file(path_, ignored)) {
    identity["data"]["predict"] = file_hash(path_);
  }
  require_one_run(*ranks, identity);
}

void LoadedModel::make_problem(std::vector<SplitSource> sources) {
  problem_.reset();
  problem_ = std::make_unique<Problem>(assembly_.problem_spec(std::move(sources)),
                                       Purpose::prediction, threads_, callbacks());
  console_.end_live();
  require_weight_count(*file_, *problem_, advice_on_count_);
  if (problem_->kernel() != nullptr) scores_ = problem_->weights_of_model(file_->weights());
}

// Each part may have the same warnings. They are shown once.
Callbacks LoadedModel::callbacks() {
  Callbacks callbacks = callbacks_to(console_);
  callbacks.log = [this, log = callbacks.log](std::int32_t severity, const std::string& text) {
    if (pipe_ == nullptr) return log(severity, text);
    const std::string shown = with_later_lines(text, path_, first_line_ - 1);
    if (warnings_.insert(text).second) log(severity, shown);
  };
  return callbacks;
}

bool LoadedModel::next_part() {
  if (pipe_ == nullptr) return std::exchange(has_next_, false);
  first_number_ += problem_ ? examples().size() : 0;
  is_first_part_ = first_number_ == 0;
  for (;;) {
    if (waiting_.empty()) {
      std::optional<TextPart> part = pipe_->next();
      if (!part) return false;
      waiting_.push_back(std::move(*part));
    }
    const TextPart part = std::move(waiting_.front());
    waiting_.pop_front();
    if (part.text.find_first_not_of(" \t\r\n") == std::string::npos) continue;
    try {
      load_part(part);
      return true;
    } catch (const Failure& failure) {
      // The examples before the error have outputs, too.
      auto halves = halves_of(part, part_end_);
      if (failure.exit_code() == Exit::data && halves) {
        waiting_.push_front(std::move(halves->second));
        waiting_.push_front(std::move(halves->first));
        continue;
      }
      throw failure.with_text(with_later_lines(failure.what(), path_, first_line_ - 1));
    }
  }
}

void LoadedModel::load_part(const TextPart& part) {
  first_line_ = part.first_line;
  make_problem({{"predict", path_, part.text}});
}

std::optional<double> LoadedModel::temperature() const {
  const auto kind = file_->header().value("/formulation/kind"_json_pointer, nlohmann::json());
  if (kind != log_loss_kind().name) return std::nullopt;  // it may be of another program
  const auto objective = read_stored_values(file_->path(), "; train again or use another copy",
                                            [this] { return objective_of(*file_); });
  const LogLossTerms* const terms = objective->log_loss();
  return terms == nullptr ? std::nullopt : std::optional(terms->temperature);
}

Predictor LoadedModel::predictor() {
  const auto seed = static_cast<std::uint64_t>(assembly_.experiment().seed);
  return {*problem_, weights(), seed};
}

}  // namespace sculpt::core
