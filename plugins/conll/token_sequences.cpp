#include "token_sequences.hpp"

#include <algorithm>
#include <limits>
#include <utility>

TokenSequences::TokenSequences(const sculpt::Parameters& given, sculpt::Host host, Format format)
    : host_(host),
      cutoff_(given.integer("cutoff")),
      format_(std::move(format)),
      on_unseen_label_(sculpt::unseen_labels_of(given)) {}

void TokenSequences::require_learned(std::string_view split) const {
  if (split == "train" || labels_.size() > 0) return;
  throw sculpt::Error(SCULPT_E_INVALID,
                      "has no labels before the split 'train' is loaded; load it first");
}

void TokenSequences::report_learned(const std::string& path, std::int64_t found) const {
  if (cutoff_ == 1) return;
  host_.log(path + ": kept " + std::to_string(feature_count()) + " of " + std::to_string(found) +
            " attributes, those that occur " + std::to_string(cutoff_) + " times or more");
}

void TokenSequences::learn_label(std::string_view label, const sculpt::LineReader& reader,
                                 std::int64_t line, std::size_t column) {
  if (label == "?" && on_unseen_label_ == sculpt::UnseenLabels::free) {
    throw reader.error_at(line, column,
                          "'?' stands for no label here (unseen_labels is free), and training "
                          "needs all labels; write the label, remove the sequence, or set "
                          "unseen_labels to refuse to learn ? as a label");
  }
  labels_.learn(label);
}

void TokenSequences::begin_split(std::string_view split, const std::string& path) {
  store_.begin_split(split, path);
  unseen_in_split_ = 0;
  if (split == "predict") first_predicted_ = count();
}

void TokenSequences::add_label(std::string_view label, const sculpt::LineReader& reader,
                               std::int64_t line, std::size_t column) {
  std::int32_t state = labels_.find(label);
  if (state < 0) {
    if (on_unseen_label_ == sculpt::UnseenLabels::refuse) {
      throw reader.error_at(line, column,
                            "label " + sculpt::shown(label) +
                                " does not occur in the training data " + labels_.list() + "; " +
                                sculpt::unseen_label_remedies + format_.to_unlabel +
                                " to predict them");
    }
    if (on_unseen_label_ == sculpt::UnseenLabels::wrong) {
      unseen_labels_[{count(), truth_.size()}] = labels_.add_unseen(label);
      state = sculpt::unseen_label;
    }
    ++unseen_in_split_;
  }
  truth_.push_back(state);
}

void TokenSequences::end_sequence(bool is_labelled, std::int64_t line) {
  store_.end_example(is_labelled ? sculpt::Labels(truth_) : sculpt::Labels(), line);
  truth_.clear();
}

void TokenSequences::end_predicted(bool is_labelled, std::int64_t line, PredictedRows rows) {
  predicted_rows_.push_back(std::move(rows));
  end_sequence(is_labelled, line);
}

void TokenSequences::warn_of_unseen(const std::string& path, const AttributeCounts& counts,
                                    bool counts_words) const {
  if (counts.unseen > 0) {
    std::string text =
        path + ": ignored " + std::to_string(counts.unseen) + " of " +
        std::to_string(counts.unseen + counts.known) + " attributes, which do not occur " +
        (cutoff_ > 1 ? std::to_string(cutoff_) + " times " : "") + "in the training data";
    if (counts_words) {
      text += "; " + std::to_string(counts.unseen_words) + " of " + std::to_string(counts.words) +
              " words are unknown";
    }
    host_.warn(text);
  }
  if (unseen_in_split_ > 0) {
    const bool is_one = unseen_in_split_ == 1;
    host_.warn(path + ": " + std::to_string(unseen_in_split_) +
               (is_one ? " token has a label that does" : " tokens have labels that do") +
               " not occur in the training data" +
               (on_unseen_label_ == sculpt::UnseenLabels::wrong
                    ? " " + labels_.unseen_list() + "; every guess for " +
                          (is_one ? "it" : "them") + " counts as wrong"
                    : (is_one ? "; it is taken" : "; they are taken") +
                          std::string(" for no label, and not measured")));
  }
}

void TokenSequences::feature_name(std::int64_t feature, sculpt::ByteOutput& out) const {
  if (feature < 0 || feature >= feature_count()) {
    throw sculpt::Error(SCULPT_E_INVALID, "there is no attribute " + std::to_string(feature));
  }
  out << attributes_.text(feature);
}

void TokenSequences::format(std::int64_t example, sculpt::Labels y, sculpt::ByteOutput& out) const {
  const std::int64_t number = example - first_predicted_;
  if (number < 0 || number >= static_cast<std::int64_t>(predicted_rows_.size())) {
    const std::string separator(1, one_line_separator(y));
    for (std::size_t t = 0; t < y.size(); ++t) {
      out << (t > 0 ? separator : std::string()) << labels_.text(y[t]);
    }
    return;
  }
  const PredictedRows& rows = predicted_rows_[static_cast<std::size_t>(number)];
  if (rows.places.size() != y.size()) {
    throw sculpt::Error(SCULPT_E_INVALID, "the output has " + std::to_string(y.count()) +
                                              " labels for " + std::to_string(rows.places.size()) +
                                              " tokens; give one label for each token");
  }
  const std::string_view text = rows.text;
  std::size_t from = 0;
  for (std::size_t t = 0; t < y.size(); ++t) {
    out << text.substr(from, rows.places[t] - from) << labels_.text(y[t]);
    from = rows.places[t];
  }
  out << text.substr(from);
}

// A tab, if one of the labels has a blank.
char TokenSequences::one_line_separator(sculpt::Labels y) const {
  const bool has_blank = std::any_of(y.begin(), y.end(), [&](std::int32_t label) {
    return labels_.text(label).find(' ') != std::string::npos;
  });
  return has_blank ? '\t' : format_.separators.front();
}

void TokenSequences::parse(std::int64_t, std::string_view text, sculpt::LabelOutput& out) const {
  const bool has_rows = text.find('\n') != std::string_view::npos;
  std::vector<std::int32_t> y;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const bool has_tab = line.find('\t') != std::string_view::npos;
    const std::string separators = (has_tab ? "\t" : format_.separators) + "\r";
    line = line.substr(0, line.find_last_not_of(separators) + 1);
    if (has_rows) line.remove_prefix(line.find_last_of(separators) + 1);  // npos + 1 is 0
    if (labels_.find(line) >= 0) {  // one label, which may have blanks
      y.push_back(labels_.find(line));
      continue;
    }
    for (std::size_t begin = line.find_first_not_of(separators); begin < line.size();) {
      const std::size_t end = std::min(line.size(), line.find_first_of(separators, begin));
      y.push_back(parse_label(line.substr(begin, end - begin)));
      begin = line.find_first_not_of(separators, end);
    }
  }
  out.assign(y);
}

std::int32_t TokenSequences::parse_label(std::string_view text) const {
  const std::int32_t state = labels_.find(text);
  if (state >= 0) return state;
  throw sculpt::data_error(sculpt::shown(text) + " is not a label of the training data " +
                           labels_.list());
}

void TokenSequences::require_no_predicted_rows() const {
  if (predicted_rows_.empty()) return;
  throw sculpt::unsupported_error("the split \"predict\" is not written to a cache");
}

// Returns the number of an unseen label, which is sculpt::unseen_label in truths.
std::int32_t TokenSequences::number_of_unseen(std::int64_t example, std::size_t position) const {
  const auto found = unseen_labels_.find({example, position});
  if (found == unseen_labels_.end()) {
    throw sculpt::Error(SCULPT_E_INVALID,
                        "the truth has no label where the data have no unseen label");
  }
  return found->second;
}

void TokenSequences::add_metrics(std::int64_t example, sculpt::Labels truth, sculpt::Labels guess,
                                 std::span<double> sums) const {
  if (guess.known() && truth.size() != guess.size()) {
    throw sculpt::Error(SCULPT_E_INVALID, "the truth has " + std::to_string(truth.count()) +
                                              " labels and the guess " +
                                              std::to_string(guess.count()));
  }
  ChunkCounter chunks;
  for (std::size_t t = 0; t < truth.size(); ++t) {
    if (truth[t] < 0 &&
        on_unseen_label_ == sculpt::UnseenLabels::free) {  // no chunk reaches across it
      --sums[1];
      chunks.add(ChunkTag(), ChunkTag());
      continue;
    }
    const std::int32_t true_label = truth[t] >= 0 ? truth[t] : number_of_unseen(example, t);
    sums[0] += guess.known() && true_label == guess[t] ? 0 : 1;
    chunks.add(labels_.tag(true_label), guess.known() ? labels_.tag(guess[t]) : ChunkTag());
  }
  chunks.end_sentence();
  sums[1] += static_cast<double>(truth.count());
  sums[2] += static_cast<double>(chunks.correct_count());
  sums[3] += static_cast<double>(chunks.guess_count());
  sums[4] += static_cast<double>(chunks.truth_count());
}

void TokenSequences::finish_metrics(std::span<const double> sums, std::span<double> values) const {
  constexpr double undefined = std::numeric_limits<double>::quiet_NaN();
  const auto share = [&](double part, double whole) { return whole > 0 ? part / whole : 0; };
  values[0] = sums[1] > 0 ? sums[0] / sums[1] : undefined;
  const bool has_chunks = labels_.all_are_chunk_labels() && sums[3] + sums[4] > 0;
  values[1] = has_chunks ? share(sums[2], sums[3]) : undefined;
  values[2] = has_chunks ? share(sums[2], sums[4]) : undefined;
  values[3] = has_chunks ? 2 * sums[2] / (sums[3] + sums[4]) : undefined;
}
