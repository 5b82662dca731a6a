#include "topic_reader.hpp"

namespace diversity {

namespace {
constexpr std::string_view bar = "|";
constexpr const char* document_form =
    "write `document NAME | subtopic ... | word[:count] ...`, or `document NAME | word[:count] "
    "...` if subtopics are unknown";
}  // namespace

std::vector<Topic> TopicReader::read() {
  while (reader_.next()) {
    if (reader_.line().starts_with('#')) continue;
    const std::vector<sculpt::Field>& fields = reader_.fields();
    if (fields.empty()) continue;
    if (fields[0].text == "topic") {
      end_topic();
      begin_topic(fields);
    } else if (fields[0].text == "document") {
      add_document(fields);
    } else {
      throw reader_.error(fields[0].column,
                          sculpt::shown(fields[0].text) +
                              " cannot begin a line; begin it with `topic` or `document`");
    }
  }
  end_topic();
  return std::move(topics_);
}

void TopicReader::begin_topic(const std::vector<sculpt::Field>& fields) {
  if (fields.size() != 2) {
    throw reader_.error(
        fields[fields.size() > 2 ? 2 : 0].column,
        "this topic does not have one name; write `topic NAME`, without blanks in the name");
  }
  if (!topic_names_.emplace(fields[1].text).second) {
    throw reader_.error(fields[1].column, "there is a topic " + sculpt::shown(fields[1].text) +
                                              " already; give this one another name");
  }
  document_names_.clear();
  subtopic_numbers_.clear();
  word_numbers_.clear();
  topics_.emplace_back();
  topics_.back().name = fields[1].text;
  topics_.back().line = reader_.number();
}

void TopicReader::end_topic() {
  if (topics_.empty()) return;
  Topic& topic = topics_.back();
  if (topic.document_count() < choice_size_) {
    throw reader_.error_at(topic.line, 0,
                           "topic " + sculpt::shown(topic.name) + " has " +
                               std::to_string(topic.document_count()) + " documents, but k is " +
                               std::to_string(choice_size_) + "; lower k, or remove the topic");
  }
  topic.word_count = static_cast<std::int32_t>(word_numbers_.size());
  topic.choice_size = choice_size_;
  topic.subtopics.finish(static_cast<std::int32_t>(subtopic_numbers_.size()));
}

void TopicReader::add_document(const std::vector<sculpt::Field>& fields) {
  if (topics_.empty()) {
    throw reader_.error(fields[0].column,
                        "this document comes before the first topic; write a line `topic NAME` "
                        "above it");
  }
  if (fields.size() < 3 || fields[1].text == bar || fields[2].text != bar) {
    throw reader_.error(
        fields[fields.size() < 3       ? 0
               : fields[1].text == bar ? 1
                                       : 2]
            .column,
        std::string("this document does not have one name and a bar after it; ") + document_form);
  }
  if (document_names_.size() == max_documents) {
    throw reader_.error(fields[0].column, "more than " + std::to_string(max_documents) +
                                              " documents in one topic; use fewer candidates");
  }
  if (!document_names_.emplace(fields[1].text).second) {
    throw reader_.error(fields[1].column, "the topic has a document " +
                                              sculpt::shown(fields[1].text) +
                                              " already; give this one another name");
  }
  const auto is_bar = [](const sculpt::Field& field) { return field.text == bar; };
  const auto first_bar = fields.begin() + 2;
  const auto second_bar = std::find_if(first_bar + 1, fields.end(), is_bar);
  const bool is_labelled = second_bar != fields.end();
  check_labelled(is_labelled, fields[0].column);
  if (is_labelled) {
    const auto third_bar = std::find_if(second_bar + 1, fields.end(), is_bar);
    if (third_bar != fields.end()) {
      throw reader_.error(third_bar->column, std::string("there is a third bar; ") + document_form);
    }
    add_subtopics(Fields(first_bar + 1, second_bar));
  }
  Topic& topic = topics_.back();
  topic.documents.emplace_back(fields[1].text);
  topic.subtopics.end_document();
  add_words(Fields(is_labelled ? second_bar + 1 : first_bar + 1, fields.end()));
}

void TopicReader::check_labelled(bool is_labelled, std::size_t column) {
  Topic& topic = topics_.back();
  if (topic.documents.empty()) topic.is_labelled = is_labelled;
  if (topic.is_labelled == is_labelled) return;
  throw reader_.error(
      column, std::string("this document has ") + (is_labelled ? "" : "no ") +
                  "subtopics between two bars, but the first document of the topic has " +
                  (is_labelled ? "none" : "some") + "; label all documents of a topic, or none");
}

std::int32_t TopicReader::number_of(std::map<std::string, std::int32_t, std::less<>>& names,
                                    const sculpt::Field& field, std::size_t max_names,
                                    const char* what) const {
  const auto found = names.find(field.text);
  if (found != names.end()) return found->second;
  if (names.size() == max_names) {
    throw reader_.error(field.column, "more than " + std::to_string(max_names) + " " + what +
                                          " in one topic; use fewer candidates");
  }
  const auto new_number = static_cast<std::int32_t>(names.size());
  names.emplace(field.text, new_number);
  return new_number;
}

void TopicReader::add_subtopics(Fields fields) {
  std::set<std::int32_t> numbers;
  for (const sculpt::Field& field : fields) {
    numbers.insert(number_of(subtopic_numbers_, field, max_subtopics, "subtopics"));
  }
  for (const std::int32_t subtopic : numbers) topics_.back().subtopics.add(subtopic);
}

void TopicReader::add_words(Fields fields) {
  std::map<std::int32_t, std::int64_t> counts;
  for (const sculpt::Field& field : fields) {
    const std::size_t colon = field.text.rfind(':');
    sculpt::Field word = field;
    std::int64_t count = 1;
    if (colon != std::string_view::npos) {
      word.text = field.text.substr(0, colon);
      const sculpt::Field count_field{field.text.substr(colon + 1), field.column + colon + 1};
      count = reader_.clamped_integer(
          count_field, "a count; write `word:count`, or another character instead of the colon");
      if (count < 1 || count > max_count) {
        throw reader_.error(count_field.column, "a count must be from 1 to " +
                                                    std::to_string(max_count) +
                                                    "; leave out words that a document does not "
                                                    "have");
      }
      if (word.text.empty()) {
        throw reader_.error(field.column, "no word before the colon; write `word:count`");
      }
    }
    counts[number_of(word_numbers_, word, max_words, "words")] += count;
  }
  std::vector<WordCount>& words = topics_.back().words.emplace_back();
  for (const auto& [word, count] : counts) words.push_back({word, count});
}

}  // namespace diversity
