#include "command/reports/explanation_report.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/text/message_text.hpp"
#include "base/text/text_out.hpp"
#include "command/inputs/source_excerpts.hpp"
#include "command/reports/compared_outputs.hpp"
#include "command/reports/marginal_printer.hpp"
#include "launch/run_events.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t weights_of_a_part = 3;  // that are printed
constexpr std::size_t feature_width = 22;
constexpr std::size_t score_width = 14;
constexpr std::size_t label_width = 16;

// "  name   text\n", without blanks at the end.
std::string row(const std::string& name, const std::string& text) {
  const std::string line = "  " + padded(name, feature_width) + text;
  return line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

// The end of a table that does not show all: "  and 7 more: -0.5 in sum\n", or "".
template <class Share>
std::string rest_row(const std::vector<Share>& shares, std::size_t shown) {
  if (shares.size() <= shown) return "";
  double sum = 0;
  for (std::size_t k = shown; k < shares.size(); ++k) sum += shares[k].share;
  return "  " + padded(number_text(sum), score_width) + "in sum of " +
         std::to_string(shares.size() - shown) + " more\n";
}

// The rows of the file that the example was read from, if the data are a file with places.
std::vector<std::string> source_rows(const Dataset& dataset, const std::string& data,
                                     std::int64_t example) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(data, ignored)) return {};
  const Split split{"predict", data, std::nullopt, {}};
  const auto excerpts = source_excerpts(dataset, split, {example});
  const auto found = excerpts.find(example);
  const bool is_whole = found != excerpts.end() && !found->second.is_cut;
  return is_whole ? found->second.lines : std::vector<std::string>();
}

}  // namespace

ExplanationReport::ExplanationReport(const Explanation& explanation, LoadedModel& model,
                                     const std::filesystem::path& path, std::string data,
                                     std::size_t top)
    : explanation_(explanation),
      model_(model),
      data_(std::move(data)),
      top_(top),
      names_(&model.problem(), model.file().header()),
      rows_(model.problem().dataset().component()) {
  const ExplainedOutput* const first = explanation.first();
  const auto labels = first == nullptr ? std::int64_t{0} : std::ssize(first->output.labels);
  if (rows_.is_offered() && labels > 0 && rows_.shape().variable_count == labels) {
    variable_names_ = names_of_label_set(model.problem().dataset(), explanation.example, labels);
  }
  if (!explanation.support.empty() && top > 0) texts_ = training_texts(path, model.file());
}

void ExplanationReport::print() const {
  const std::string place = explanation_.place.empty() ? "" : ", " + explanation_.place;
  std::string text = "example " + std::to_string(explanation_.number) + place + "\n";
  text += output_rows() + output_texts() + weight_rows() + part_rows() + support_rows();
  report_out().lines(text);
}

std::string ExplanationReport::text_of(const ExplainedOutput& output) const {
  return model_.problem().dataset().format(explanation_.example, output.output.raw());
}

// The scores, the margin and the notes.
std::string ExplanationReport::output_rows() const {
  std::string text;
  for (const auto* const one : {&explanation_.truth, &explanation_.guess, &explanation_.other}) {
    if (!*one) continue;
    std::string numbers = "score " + padded(number_text((*one)->score), score_width - 2);
    if ((*one)->loss) numbers += "loss " + padded(number_text(*(*one)->loss), score_width - 2);
    if ((*one)->probability) numbers += "probability " + number_text(*(*one)->probability);
    text += row((*one)->role, numbers);
  }
  const ExplainedOutput* const first = explanation_.first();
  const ExplainedOutput* const second = explanation_.second();
  if (second != nullptr) {
    text += row("margin", number_text(first->score - second->score) + " of the " + first->role +
                              " over the " + second->role);
  }
  if (explanation_.truth && explanation_.guess) {
    text += row("", explanation_.is_right() ? "the guess is right" : "the guess is wrong");
  }
  for (const std::string& note : explanation_.notes) text += row("note", note);
  return text;
}

std::string ExplanationReport::output_texts() const {
  const ExplainedOutput* const first = explanation_.first();
  if (first == nullptr) return "";
  const ExplainedOutput* const second = explanation_.second();
  if (second == nullptr) {
    return first->role + "\n" + compared_text({"", text_of(*first), false, {}});
  }
  const bool first_is_truth = explanation_.truth && first == &*explanation_.truth;
  return "where they differ: - " + first->role + ", + " + second->role + "\n" +
         compared_text({text_of(*first), text_of(*second), first_is_truth,
                        source_rows(model_.problem().dataset(), data_, explanation_.example)});
}

std::string ExplanationReport::weight_row(const WeightShare& share,
                                          const std::string& indent) const {
  return "  " + indent + padded(number_text(share.share), score_width) +
         padded(number_text(share.value), score_width) +
         padded(number_text(share.difference), score_width) + names_.name_of(share.weight) + "\n";
}

std::string ExplanationReport::weight_rows() const {
  const std::vector<WeightShare>& shares = explanation_.weights;
  if (shares.empty()) {
    const bool is_told_apart = explanation_.support.empty() && explanation_.second() != nullptr;
    return is_told_apart ? "no weight tells them apart\n" : "";
  }
  const ExplainedOutput* const second = explanation_.second();
  std::string text = second == nullptr ? "weights that decide\n"
                                       : "weights that decide: a positive share speaks for the " +
                                             explanation_.first()->role + "\n";
  text += "  " + padded("share", score_width) + padded("weight", score_width) +
          padded(second == nullptr ? "feature" : "difference", score_width) + "name\n";
  const std::size_t shown = std::min(shares.size(), top_);
  for (std::size_t k = 0; k < shown; ++k) text += weight_row(shares[k], "");
  return text + rest_row(shares, shown);
}

std::vector<std::string> ExplanationReport::label_names(
    const std::vector<std::int32_t>& labels) const {
  const bool are_named = rows_.is_offered();
  const std::int64_t count = are_named ? rows_.shape().state_count : 0;
  std::vector<std::string> names;
  for (const std::int32_t label : labels) {
    names.push_back(label < count ? rows_.state_name(label) : std::to_string(label));
  }
  return names;
}

std::vector<std::string> ExplanationReport::names_of_variables(
    const std::vector<std::int64_t>& variables, std::int64_t first_position) const {
  std::vector<std::string> names;
  for (const std::int64_t v : variables) {
    const bool is_named = v < std::ssize(variable_names_);
    names.push_back(is_named ? variable_names_[static_cast<std::size_t>(v)]
                             : std::to_string(v + first_position));
  }
  return names;
}

std::string ExplanationReport::part_rows() const {
  const PartShares& shares = explanation_.parts;
  if (shares.count < 2) return "";  // one part is the whole
  const bool are_sets = !variable_names_.empty();
  std::string text =
      are_sets ? "parts that decide\n  " : "parts that decide, with positions counted from 1\n  ";
  text += padded("share", score_width) + padded(are_sets ? "labels" : "positions", score_width) +
          padded(explanation_.first()->role, label_width) + explanation_.second()->role + "\n";
  for (const PartShare& part : shares.parts) {
    text += "  " + padded(number_text(part.share), score_width) +
            padded(joined(names_of_variables(part.variables, 1), " "), score_width) +
            padded(joined(label_names(part.first), " "), label_width) +
            joined(label_names(part.second), " ") + "\n";
    for (std::size_t k = 0; k < std::min(part.weights.size(), weights_of_a_part); ++k) {
      text += "    " + padded(number_text(part.weights[k].share), score_width) +
              names_.name_of(part.weights[k].weight) + "\n";
    }
  }
  if (shares.count > shares.parts.size()) {
    text += "  and " +
            count_text(static_cast<std::int64_t>(shares.count - shares.parts.size()), "part") +
            " more\n";
  }
  return text;
}

std::string ExplanationReport::support_rows() const {
  const std::vector<SupportShare>& shares = explanation_.support;
  if (shares.empty()) return "";
  std::string text = "support examples that decide";
  if (explanation_.second() != nullptr) {
    text += ": a positive share speaks for the " + explanation_.first()->role;
  }
  text += "\n";
  const std::size_t shown = std::min(shares.size(), top_);
  for (std::size_t k = 0; k < shown; ++k) {
    const std::string example = texts_ ? texts_->text(shares[k].example) : "";
    text += "  " + padded(number_text(shares[k].share), score_width) + "example " +
            std::to_string(shares[k].example) + (example.empty() ? "" : "  " + example) + "\n";
  }
  return text + rest_row(shares, shown);
}

Json ExplanationReport::output_json(const ExplainedOutput& output) const {
  Json json = {{"role", output.role}, {"score", number_json(output.score)}};
  if (output.loss) json["loss"] = number_json(*output.loss);
  if (output.probability) json["probability"] = number_json(*output.probability);
  json["text"] = text_of(output);
  json["labels"] = output.output.labels;
  return json;
}

Json ExplanationReport::weights_json(const std::vector<WeightShare>& shares) const {
  Json json = Json::array();
  for (std::size_t k = 0; k < std::min(shares.size(), top_); ++k) {
    json.push_back({{"weight", shares[k].weight},
                    {"name", names_.name_of(shares[k].weight)},
                    {"value", shares[k].value},
                    {"difference", shares[k].difference},
                    {"share", number_json(shares[k].share)}});
  }
  return json;
}

Json ExplanationReport::part_json(const PartShare& part) const {
  return {{"positions", part.variables},      {"names", names_of_variables(part.variables, 0)},
          {"first", label_names(part.first)}, {"second", label_names(part.second)},
          {"share", number_json(part.share)}, {"weights", weights_json(part.weights)}};
}

Json ExplanationReport::json() const {
  const ExplainedOutput* const first = explanation_.first();
  const ExplainedOutput* const second = explanation_.second();
  Json json = {{"example", explanation_.number},
               {"place", explanation_.place},
               {"oracle", model_.problem().oracle().component().name()}};
  const auto add = [&](const char* key, const std::optional<ExplainedOutput>& output) {
    json[key] = output ? output_json(*output) : Json();
  };
  add("truth", explanation_.truth);
  add("guess", explanation_.guess);
  add("other", explanation_.other);
  const bool is_judged = explanation_.truth && explanation_.guess;
  json["right"] = is_judged ? Json(explanation_.is_right()) : Json();
  json["compared"] = Json::array();
  for (const auto* const one : {first, second}) {
    if (one != nullptr) json["compared"].push_back(one->role);
  }
  const bool has_loss = explanation_.guess && explanation_.guess->loss;
  json["loss"] = has_loss ? number_json(*explanation_.guess->loss) : Json();
  json["margin"] = second == nullptr ? Json() : number_json(first->score - second->score);
  json["notes"] = explanation_.notes;
  json["weight_count"] = explanation_.weights.size();
  json["weights"] = weights_json(explanation_.weights);
  json["part_count"] = explanation_.parts.count;
  json["parts"] = Json::array();
  for (const PartShare& part : explanation_.parts.parts) json["parts"].push_back(part_json(part));
  if (model_.problem().kernel() == nullptr) return json;
  json["support_count"] = explanation_.support.size();
  json["support"] = Json::array();
  for (std::size_t k = 0; k < std::min(explanation_.support.size(), top_); ++k) {
    const SupportShare& share = explanation_.support[k];
    Json entry = {{"example", share.example}, {"share", number_json(share.share)}};
    if (texts_) entry["text"] = texts_->text(share.example);
    json["support"].push_back(std::move(entry));
  }
  return json;
}

}  // namespace sculpt::core
