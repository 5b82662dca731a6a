// topic_reader.hpp - the file format of topics:
//
//   # a comment
//   topic NAME
//   document NAME | subtopic subtopic ... | word[:count] word[:count] ...
//   document NAME | word[:count] ...                                            not labelled
//
// Called by topics.cpp. Messages begin with path:line:column.
#pragma once

#include <map>
#include <set>

#include "topic.hpp"

namespace diversity {

// Reads all topics of a file: names, words, subtopics, labels. Throws data_error with the place.
class TopicReader {
 public:
  // Limits; larger files are refused.
  static constexpr std::size_t max_documents = 100000;  // In a topic.
  static constexpr std::size_t max_subtopics = 10000;   // In a topic.
  static constexpr std::size_t max_words = 1000000;     // Different words in a topic.
  static constexpr std::int64_t max_count = 1000000000;

  // `choice_size`: a topic with fewer documents is refused.
  TopicReader(sculpt::LineReader& reader, std::int64_t choice_size)
      : reader_(reader), choice_size_(choice_size) {}
  std::vector<Topic> read();

 private:
  using Fields = std::span<const sculpt::Field>;
  void begin_topic(const std::vector<sculpt::Field>& fields);
  void end_topic();
  void add_document(const std::vector<sculpt::Field>& fields);
  void add_subtopics(Fields fields);
  void add_words(Fields fields);
  void check_labelled(bool is_labelled, std::size_t column);
  // Returns the number of a name, the next number if it is new. Throws above `max_names` names.
  std::int32_t number_of(std::map<std::string, std::int32_t, std::less<>>& names,
                         const sculpt::Field& field, std::size_t max_names, const char* what) const;

  sculpt::LineReader& reader_;
  std::int64_t choice_size_;
  std::vector<Topic> topics_;
  std::set<std::string, std::less<>> topic_names_;
  // Of the current topic:
  std::set<std::string, std::less<>> document_names_;
  std::map<std::string, std::int32_t, std::less<>> subtopic_numbers_;
  std::map<std::string, std::int32_t, std::less<>> word_numbers_;
};

}  // namespace diversity
