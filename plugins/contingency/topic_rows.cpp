#include "topic_rows.hpp"

#include <sculpt/cpp/parameters.hpp>

namespace contingency {

namespace {

// Throws E_DATA for a number that is too large.
Topic topic_of(const sculpt::LineReader& reader, sculpt::Field field) {
  Topic topic{std::string(field.text), std::string(field.text)};
  switch (sculpt::read_whole_in_any_notation(field.text, topic.number)) {
    case sculpt::NumberText::number:
      topic.is_number = true;
      topic.name = std::to_string(topic.number);
      break;
    case sculpt::NumberText::too_large:
      throw reader.error(field.column, sculpt::shown(field.text) + " is too large for a label");
    case sculpt::NumberText::none:
      break;
  }
  return topic;
}

// Adds the topics of a list such as "18,50" to the last row.
void add_topics(const sculpt::LineReader& reader, sculpt::Field list, TopicRows& file,
                std::map<std::string, std::size_t, std::less<>>& known) {
  TopicRow& row = file.rows.back();
  if (list.text == "-") return;
  for (std::size_t begin = 0; begin <= list.text.size();) {
    const std::size_t end = std::min(list.text.find(',', begin), list.text.size());
    const sculpt::Field field{list.text.substr(begin, end - begin), list.column + begin};
    if (field.text.empty()) {
      throw reader.error(field.column,
                         "a label is missing here; write the labels of the row as 18,50, or - if "
                         "it has none");
    }
    auto found = known.find(field.text);
    if (found == known.end()) {
      Topic topic = topic_of(reader, field);
      const auto [of_name, is_new] = known.try_emplace(topic.name, file.topics.size());
      found = known.try_emplace(topic.text, of_name->second).first;
      if (is_new) file.topics.push_back(std::move(topic));
    }
    file.topics_of_rows.push_back(found->second);
    ++row.count;
    begin = end + 1;
  }
}

[[noreturn]] void refuse_names(const std::string& json, const std::string& key) {
  throw sculpt::parameter_error(key + " is " + sculpt::shortened(json) +
                                R"(; write a label, or a list of labels such as ["18", "acq"])");
}

// Returns the name of "7" or 7. Other numbers, such as 7.5, are no labels.
std::string name_of(std::string_view item, const std::string& json, const std::string& key) {
  std::int64_t number = 0;
  const bool is_text = item.size() >= 2 && item.front() == '"' && item.back() == '"';
  const std::string_view text = is_text ? item.substr(1, item.size() - 2) : item;
  const sculpt::NumberText found = sculpt::read_whole_in_any_notation(text, number);
  if (found == sculpt::NumberText::number) return std::to_string(number);
  const bool is_name = is_text && found == sculpt::NumberText::none && !text.empty() &&
                       text.find_first_of("\\\" \t,:#") == std::string_view::npos;
  if (!is_name) refuse_names(json, key);
  return std::string(text);
}

}  // namespace

TopicRows read_topic_rows(sculpt::LineReader& reader) {
  TopicRows file;
  std::map<std::string, std::size_t, std::less<>> known;  // positions of topics, by text and name
  while (reader.next()) {
    reader.cut_comment('#');
    const sculpt::Field list = reader.field_from(0);
    if (list.text.empty()) continue;
    const bool is_labelled = list.text.find(':') == std::string_view::npos;
    file.rows.push_back({is_labelled, file.topics_of_rows.size(), 0, reader.number(), list.column});
    if (is_labelled) add_topics(reader, list, file, known);
    file.entries.add_row(reader, is_labelled ? list.end() : list.column);
  }
  return file;
}

std::set<std::string> read_topic_names(const std::string& json, const std::string& key) {
  std::set<std::string> names;
  std::string_view rest = json;
  const bool is_list = rest.starts_with('[') && rest.ends_with(']');
  if (is_list) rest = rest.substr(1, rest.size() - 2);
  if (is_list && rest.empty()) return names;
  for (bool has_more = true; has_more;) {
    const std::size_t comma = is_list ? rest.find(',') : std::string_view::npos;
    names.insert(name_of(rest.substr(0, comma), json, key));
    has_more = comma != std::string_view::npos;
    if (has_more) rest.remove_prefix(comma + 1);
  }
  return names;
}

}  // namespace contingency
