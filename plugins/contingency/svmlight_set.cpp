#include "svmlight_set.hpp"

#include <array>

#include "set_output.hpp"

namespace contingency {

namespace {
constexpr std::int64_t state_version = 4;
}

SvmLightSet::SvmLightSet(const sculpt::Parameters& given, sculpt::Host host)
    : host_(host),
      base_(given),
      positive_labels_(read_topic_names(given.text("positive"), "positive")),
      labels_are_listed_(!positive_labels_.empty()),
      sets_(given.integer("sets")) {}

void SvmLightSet::load(std::string_view split, const sculpt::Source& source) {
  store_.begin_split(split, source.path());
  sculpt::LineReader reader(source, sculpt::LineLife::until_next);
  TopicRows file = read_topic_rows(reader);
  if (file.rows.empty()) {
    throw sculpt::data_error(source.path() + ":1:1: no rows; write rows such as `1 1:0.5 3:1`");
  }
  const bool is_labelled = file.rows.front().is_labelled;
  for (const TopicRow& row : file.rows) {
    if (row.is_labelled == is_labelled) continue;
    throw reader.error_at(row.line, row.column,
                          std::string("this row has ") + (is_labelled ? "no" : "a") +
                              " label, but the first row has " + (is_labelled ? "one" : "none") +
                              "; label all rows of a set, or none" +
                              (labels_are_listed_ ? " (- is a row of no topic)" : ""));
  }
  if (!labels_are_listed_) require_one_label_each(file, reader);
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
      if (is_labelled) truth.push_back(is_positive_row(file, file.rows[r]) ? 1 : 0);
    }
    store_.end_example(is_labelled ? sculpt::Labels(truth) : sculpt::Labels(),
                       file.rows[rows.front()].line);
  }
  file.entries.warn_of_ignored(host_, source.path(), feature_count_);
}

// Distributes the positive rows over the sets in turn, then the other rows.
std::vector<std::vector<std::size_t>> SvmLightSet::split_into_sets(const TopicRows& file,
                                                                   const sculpt::LineReader& reader,
                                                                   std::int64_t sets) const {
  std::vector<std::vector<std::size_t>> rows_of_sets(static_cast<std::size_t>(sets));
  std::array<std::size_t, 2> next{0, 0};
  for (std::size_t r = 0; r < file.rows.size(); ++r) {
    const bool positive = sets > 1 && is_positive_row(file, file.rows[r]);
    rows_of_sets[next[positive ? 1 : 0]++ % rows_of_sets.size()].push_back(r);
  }
  if (sets == 1 || std::min(next[0], next[1]) >= rows_of_sets.size()) return rows_of_sets;
  const TopicRow& first = file.rows.front();
  throw reader.error_at(first.line, first.column,
                        std::to_string(next[1]) + " positive and " + std::to_string(next[0]) +
                            " negative rows are too few for " + std::to_string(sets) +
                            " sets with both kinds in each; lower `sets`");
}

void SvmLightSet::learn(const TopicRows& file, const sculpt::LineReader& reader) {
  if (!file.rows.front().is_labelled) {
    throw reader.error_at(file.rows.front().line, file.rows.front().column,
                          "the rows have no labels, so there is nothing to learn; begin rows with "
                          "a label");
  }
  for (const Topic& topic : file.topics) known_labels_.insert(topic.name);
  if (labels_are_listed_) {
    check_both_kinds(file, reader);
  } else {
    learn_labels(file, reader);
  }
  feature_count_ = file.entries.feature_count();
  has_learned_ = true;
}

// Without `positive`, rows have one of two numbers. In other splits than train, both are known.
void SvmLightSet::require_one_label_each(const TopicRows& file,
                                         const sculpt::LineReader& reader) const {
  for (const TopicRow& row : file.rows) {
    if (!row.is_labelled) continue;
    if (row.count != 1) {
      throw reader.error_at(
          row.line, row.column,
          std::string(row.count == 0 ? "the row has no label" : "the row has several labels") +
              R"(; list the labels of positive rows, such as --set 'dataset.positive=["18"]')");
    }
    const Topic& topic = file.topics[file.topics_of(row).front()];
    if (!topic.is_number) {
      throw reader.error_at(row.line, row.column,
                            sculpt::shown(topic.text) +
                                " is not a whole number, nor index:value of a row without label; "
                                "if labels are names, list those of positive rows, such "
                                R"(as --set 'dataset.positive=["spam"]')");
    }
    if (!has_learned_ || topic.name == negative_label_ || positive_labels_.contains(topic.name)) {
      continue;
    }
    throw reader.error_at(row.line, row.column,
                          "label " + sculpt::shortened(topic.text) + " does not occur in the " +
                              "training data, which has " + negative_text_ + " and " +
                              positive_text_ +
                              "; remove the row, list the positive labels in `positive`, or remove "
                              "all labels of the file to predict them");
  }
}

// Without the parameter `positive` such rows are refused.
void SvmLightSet::warn_of_new_labels(const TopicRows& file, const std::string& path) const {
  std::int64_t rows = 0;
  const TopicRow* first_row = nullptr;
  const Topic* first_topic = nullptr;
  for (const TopicRow& row : file.rows) {
    const Topic* new_topic = nullptr;
    for (const std::size_t t : file.topics_of(row)) {
      if (!known_labels_.contains(file.topics[t].name)) new_topic = &file.topics[t];
    }
    if (new_topic == nullptr) continue;
    if (rows++ > 0) continue;
    first_row = &row;
    first_topic = new_topic;
  }
  if (rows == 0) return;
  host_.warn(path + ":" + std::to_string(first_row->line) + ":" +
             std::to_string(first_row->column + 1) + ": label " +
             sculpt::shortened(first_topic->text) +
             " does not occur in the training data; such labels make no row positive, " +
             std::to_string(rows) + (rows == 1 ? " row has" : " rows have") + " them");
}

void SvmLightSet::check_both_kinds(const TopicRows& file, const sculpt::LineReader& reader) const {
  const auto positive = std::count_if(file.rows.begin(), file.rows.end(), [&](const TopicRow& row) {
    return is_positive_row(file, row);
  });
  const TopicRow& first = file.rows.front();
  if (positive > 0 && positive < std::ssize(file.rows)) {
    for (const std::string& label : positive_labels_) {
      if (known_labels_.contains(label)) continue;
      throw reader.error_at(first.line, first.column,
                            "no row has the label " + sculpt::shortened(label) +
                                " of `positive`; remove it there, or correct it");
    }
    return;
  }
  throw reader.error_at(first.line, first.column,
                        positive == 0
                            ? "no row has a label of `positive`, so there are no positive "
                              "rows; correct `positive`"
                            : "all rows have labels of `positive`, so there are no "
                              "negative rows; correct `positive`");
}

// Learns which of two numbers is positive. Every row has one number.
void SvmLightSet::learn_labels(const TopicRows& file, const sculpt::LineReader& reader) {
  const TopicRow& first = file.rows.front();
  if (file.topics.size() > 2) {
    const auto is_third = [&](const TopicRow& row) { return file.topics_of(row).front() == 2; };
    const TopicRow& row = *std::find_if(file.rows.begin(), file.rows.end(), is_third);
    throw reader.error_at(row.line, row.column,
                          "label " + sculpt::shortened(file.topics[2].text) +
                              " is a third label; list the positive labels in `positive`");
  }
  if (file.topics.size() < 2) {
    throw reader.error_at(first.line, first.column,
                          "all rows have the label " + sculpt::shortened(file.topics[0].text) +
                              ", so there is nothing to learn; add rows with another label");
  }
  const bool is_first_larger = file.topics[0].number > file.topics[1].number;
  const Topic& negative = file.topics[is_first_larger ? 1 : 0];
  const Topic& positive = file.topics[is_first_larger ? 0 : 1];
  negative_label_ = negative.name;
  negative_text_ = negative.text;
  positive_labels_ = {positive.name};
  positive_text_ = positive.text;
}

bool SvmLightSet::is_positive_row(const TopicRows& file, const TopicRow& row) const {
  const std::span<const std::size_t> topics = file.topics_of(row);
  return std::any_of(topics.begin(), topics.end(),
                     [&](std::size_t t) { return positive_labels_.contains(file.topics[t].name); });
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
  writer.texts({positive_labels_.begin(), positive_labels_.end()});
  writer.texts({known_labels_.begin(), known_labels_.end()});
  writer.text(negative_label_);
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
  base_.restore(reader, version >= 3);
  // Before version 4, labels were numbers.
  const auto read_label = [&] {
    return version >= 4 ? reader.text() : std::to_string(reader.integer());
  };
  for (std::set<std::string>* labels : {&positive_labels_, &known_labels_}) {
    labels->clear();
    for (std::int64_t left = reader.count(sizeof(std::int64_t)); left > 0; --left) {
      labels->insert(read_label());
    }
  }
  negative_label_ = read_label();
  positive_text_ = reader.text();
  negative_text_ = reader.text();
  if (positive_labels_.empty() || positive_text_ == negative_text_) reader.damaged();
  has_learned_ = true;
}

}  // namespace contingency
