// topic_rows.hpp - the rows of a file "topic,topic,... index:value ... # comment", and lists of
// topics in an experiment.
//
// A topic is a whole number in any notation, or a name without blanks, commas and colons. `-` is a
// row without a topic. Messages begin with path:line:column. Used by svmlight_set.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <sculpt/cpp/sparse_rows.hpp>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace contingency {

// A topic of a file.
struct Topic {
  std::string name;  // a number without sign + and leading zeros: "7" for "+07.0"
  std::string text;  // as in the file, where it first occurs
  bool is_number = false;
  std::int64_t number = 0;  // if it is one
};

struct TopicRow {
  bool is_labelled = false;
  std::size_t first = 0;   // of its topics in TopicRows::topic_of_row
  std::size_t count = 0;   // of topics
  std::int64_t line = 0;   // from 1
  std::size_t column = 0;  // of the topics, from 0
};

struct TopicRows {
  std::vector<TopicRow> rows;
  std::vector<std::size_t> topics_of_rows;  // positions in `topics`, row after row
  std::vector<Topic> topics;                // by first occurrence
  sculpt::SparseRows entries;               // of the same rows

  std::span<const std::size_t> topics_of(const TopicRow& row) const {
    return {topics_of_rows.data() + row.first, row.count};
  }
};

// Skips blank lines and lines with only a comment. Throws E_DATA.
TopicRows read_topic_rows(sculpt::LineReader& reader);

// Returns the names in the JSON text of a parameter: a number, a text, or a list of these. Throws
// E_PARAMETER for other values. `key`: the parameter, for the message.
std::set<std::string> read_topic_names(const std::string& json, const std::string& key);

}  // namespace contingency
