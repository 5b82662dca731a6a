#include "svmlight_set.hpp"

#include <array>

#include "set_output.hpp"

namespace contingency {

namespace {
constexpr std::int64_t state_version = 3;
}

SvmLightSet::SvmLightSet(const sculpt::Parameters& given, sculpt::Host host)
    : host_(host), base_(given) {
  for (const std::int64_t label : given.integers("positive")) positive_labels_.insert(label);
  labels_are_listed_ = !positive_labels_.empty();
  sets_ = given.integer("sets");
}

void SvmLightSet::load(std::string_view split, const sculpt::Source& source) {
  store_.begin_split(split, source.path());
  sculpt::LineReader reader(source, sculpt::LineLife::until_next);
  sculpt::SvmLightRows file = sculpt::read_svmlight_rows(reader);
  if (file.rows.empty()) {
    throw sculpt::data_error(source.path() + ":1:1: no rows; write rows such as `1 1:0.5 3:1`");
  }
  const bool is_labelled = file.rows.front().labelled;
  for (const sculpt::SvmLightRow& row : file.rows) {
    if (row.labelled == is_labelled) continue;
    throw reader.error_at(row.line, row.column,
                          std::string("this row has ") + (is_labelled ? "no" : "a") +
                              " label, but the first row has " + (is_labelled ? "one" : "none") +
                              "; label all rows of a set, or none");
  }
  base_.apply(file.entries, reader, !has_learned_);
  if (!has_learned_) {
    if (split != "train") {
      throw sculpt::Error(SCULPT_E_INVALID,
                          "has no labels before the split 'train' is loaded; load it first");
    }
    learn(file, reader);
  }
  if (is_labelled && labels_are_listed_) warn_of_new_labels(file, source.path());
  for (const std::vector<std::size_t>& rows :
       split_into_sets(file, reader, split == "train" ? sets_ : 1)) {
    std::vector<std::int32_t> truth;
    for (const std::size_t r : rows) {
      file.entries.copy_row(r, feature_count_, store_);
      store_.end_site();
      if (is_labelled) truth.push_back(is_positive_row(file.rows[r], reader) ? 1 : 0);
    }
    store_.end_example(is_labelled ? sculpt::Labels(truth) : sculpt::Labels(),
                       file.rows[rows.front()].line);
  }
  file.entries.warn_of_ignored(host_, source.path(), feature_count_);
}

// Distributes the positive rows over the sets in turn, then the other rows.
std::vector<std::vector<std::size_t>> SvmLightSet::split_into_sets(const sculpt::SvmLightRows& file,
                                                                   const sculpt::LineReader& reader,
                                                                   std::int64_t sets) const {
  std::vector<std::vector<std::size_t>> rows_of_sets(static_cast<std::size_t>(sets));
  std::array<std::size_t, 2> next{0, 0};
  for (std::size_t r = 0; r < file.rows.size(); ++r) {
    const bool positive = sets > 1 && is_positive_row(file.rows[r], reader);
    rows_of_sets[next[positive ? 1 : 0]++ % rows_of_sets.size()].push_back(r);
  }
  if (sets == 1 || std::min(next[0], next[1]) >= rows_of_sets.size()) return rows_of_sets;
  const sculpt::SvmLightRow& first = file.rows.front();
  throw reader.error_at(first.line, first.column,
                        std::to_string(next[1]) + " positive and " + std::to_string(next[0]) +
                            " negative rows are too few for " + std::to_string(sets) +
                            " sets with both kinds in each; lower `sets`");
}

void SvmLightSet::learn(const sculpt::SvmLightRows& file, const sculpt::LineReader& reader) {
  if (!file.rows.front().labelled) {
    throw reader.error_at(file.rows.front().line, file.rows.front().column,
                          "the rows have no labels, so there is nothing to learn; begin rows with "
                          "a label");
  }
  for (const sculpt::SvmLightRow& row : file.rows) known_labels_.insert(row.label);
  if (labels_are_listed_) {
    check_both_kinds(file, reader);
  } else {
    learn_labels(file, reader);
  }
  feature_count_ = file.entries.feature_count();
  has_learned_ = true;
}

// Without the parameter `positive` such rows are refused.
void SvmLightSet::warn_of_new_labels(const sculpt::SvmLightRows& file,
                                     const std::string& path) const {
  std::int64_t rows = 0;
  const sculpt::SvmLightRow* first = nullptr;
  for (const sculpt::SvmLightRow& row : file.rows) {
    if (known_labels_.contains(row.label)) continue;
    if (rows++ == 0) first = &row;
  }
  if (first == nullptr) return;
  host_.warn(path + ":" + std::to_string(first->line) + ":" + std::to_string(first->column + 1) +
             ": label " + sculpt::shortened(first->text) +
             " does not occur in the training data; rows with such labels count as negative, " +
             std::to_string(rows) + " in all");
}

void SvmLightSet::check_both_kinds(const sculpt::SvmLightRows& file,
                                   const sculpt::LineReader& reader) const {
  const auto positive = std::count_if(
      file.rows.begin(), file.rows.end(),
      [&](const sculpt::SvmLightRow& row) { return positive_labels_.contains(row.label); });
  const sculpt::SvmLightRow& first = file.rows.front();
  if (positive > 0 && positive < std::ssize(file.rows)) {
    std::set<std::int64_t> absent = positive_labels_;
    for (const sculpt::SvmLightRow& row : file.rows) absent.erase(row.label);
    if (absent.empty()) return;
    throw reader.error_at(first.line, first.column,
                          "no row has the label " + std::to_string(*absent.begin()) +
                              " of `positive`; remove it there, or correct it");
  }
  throw reader.error_at(first.line, first.column,
                        positive == 0
                            ? "no row has a label of `positive`, so there are no positive "
                              "rows; correct `positive`"
                            : "all rows have labels of `positive`, so there are no "
                              "negative rows; correct `positive`");
}

void SvmLightSet::learn_labels(const sculpt::SvmLightRows& file, const sculpt::LineReader& reader) {
  std::map<std::int64_t, const sculpt::SvmLightRow*> first_rows;
  for (const sculpt::SvmLightRow& row : file.rows) {
    first_rows.try_emplace(row.label, &row);
    if (first_rows.size() <= 2) continue;
    throw reader.error_at(row.line, row.column,
                          "label " + sculpt::shortened(row.text) +
                              " is a third label; list the positive labels in `positive`");
  }
  if (first_rows.size() < 2) {
    const sculpt::SvmLightRow& row = file.rows.front();
    throw reader.error_at(row.line, row.column,
                          "all rows have the label " + sculpt::shortened(row.text) +
                              ", so there is nothing to learn; add rows with another label");
  }
  const auto& [negative, negative_row] = *first_rows.begin();
  const auto& [positive, positive_row] = *first_rows.rbegin();
  negative_label_ = negative;
  negative_text_ = negative_row->text;
  positive_labels_ = {positive};
  positive_text_ = positive_row->text;
}

bool SvmLightSet::is_positive_row(const sculpt::SvmLightRow& row,
                                  const sculpt::LineReader& reader) const {
  if (positive_labels_.contains(row.label)) return true;
  if (labels_are_listed_ || row.label == negative_label_) return false;
  throw reader.error_at(row.line, row.column,
                        "label " + sculpt::shortened(row.text) + " does not occur in the " +
                            "training data, which has " + negative_text_ + " and " +
                            positive_text_ +
                            "; remove the row, list the positive labels in `positive`, or remove "
                            "all labels of the file to predict them");
}

void SvmLightSet::check_size(std::int64_t example, sculpt::Labels y) const {
  const std::int64_t rows = store_.sites(example).site_count;
  if (y.count() == rows) return;
  throw sculpt::Error(SCULPT_E_INVALID, "an output of this set has " + std::to_string(rows) +
                                            " numbers, not " + std::to_string(y.count()));
}

void SvmLightSet::format(std::int64_t example, sculpt::Labels y, sculpt::ByteOutput& out) const {
  check_size(example, y);
  const std::vector<std::int64_t> rank = sculpt::ranks(y);
  for (std::size_t i = 0; i < y.size(); ++i) {
    out << (i > 0 ? "\n" : "") << text_of(is_positive(y[i])) << " " << rank[i];
  }
}

void SvmLightSet::parse(std::int64_t example, std::string_view text,
                        sculpt::LabelOutput& out) const {
  std::vector<sculpt::Field> words;
  sculpt::split_fields(text, " \t\r\n", words);
  const auto rows = static_cast<std::size_t>(store_.sites(example).site_count);
  if (words.size() != 2 * rows) {
    throw sculpt::data_error("a label and a rank for each of " + std::to_string(rows) +
                             " rows are expected");
  }
  std::vector<std::int64_t> rank(rows);
  std::vector<bool> positive(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    const std::string_view label = words[2 * i].text;
    if (label != positive_text_ && label != negative_text_) {
      throw sculpt::data_error(sculpt::shown(label) + " is neither " + positive_text_ + " nor " +
                               negative_text_);
    }
    positive[i] = label == positive_text_;
    rank[i] = sculpt::read_rank(words[2 * i + 1].text);
  }
  const auto at = [&](std::int64_t i) { return -rank[static_cast<std::size_t>(i)]; };
  const auto y = out.resize(static_cast<std::int64_t>(rows));
  std::int32_t number = before_first;
  std::int64_t previous = 0;
  for (const std::int64_t row : sculpt::ascending(rows, at)) {
    const auto i = static_cast<std::size_t>(row);
    if (at(row) != previous) {
      number = number_above(number, positive[i]);
    } else if (is_positive(number) != positive[i]) {
      throw sculpt::data_error("rows of both labels have the rank " + std::to_string(rank[i]) +
                               "; give rows that tie the same label");
    }
    previous = at(row);
    y[i] = number;
  }
}

void SvmLightSet::items(std::int64_t example, sculpt::Labels y,
                        std::vector<std::int64_t>& items) const {
  check_size(example, y);
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (is_positive(y[i])) items.push_back(static_cast<std::int64_t>(i));
  }
}

void SvmLightSet::save(sculpt::StateWriter& writer) const {
  writer.integer(state_version);
  writer.integer(feature_count_);
  base_.save(writer);
  writer.integer(static_cast<std::int64_t>(positive_labels_.size()));
  for (const std::int64_t label : positive_labels_) writer.integer(label);
  writer.integer(static_cast<std::int64_t>(known_labels_.size()));
  for (const std::int64_t label : known_labels_) writer.integer(label);
  writer.integer(negative_label_);
  writer.text(positive_text_);
  writer.text(negative_text_);
}

void SvmLightSet::restore(sculpt::StateReader& reader) {
  const std::int64_t version = reader.integer();
  if (version < 2 || version > state_version) reader.damaged();
  feature_count_ = reader.integer();
  if (feature_count_ < 0 || feature_count_ > std::numeric_limits<std::int32_t>::max()) {
    reader.damaged();
  }
  if (version >= 3) base_.restore(reader);
  positive_labels_.clear();
  for (std::int64_t left = reader.count(sizeof(std::int64_t)); left > 0; --left) {
    positive_labels_.insert(reader.integer());
  }
  known_labels_.clear();
  for (std::int64_t left = reader.count(sizeof(std::int64_t)); left > 0; --left) {
    known_labels_.insert(reader.integer());
  }
  negative_label_ = reader.integer();
  positive_text_ = reader.text();
  negative_text_ = reader.text();
  if (positive_labels_.empty() || positive_text_ == negative_text_) reader.damaged();
  has_learned_ = true;
}

}  // namespace contingency
