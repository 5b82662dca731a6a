// dataset.hpp - days of a conference: which of the talks does somebody attend?
//
// One day a line, one talk a word: begin-end:tag,tag. A + marks the talks that are attended:
//
//   +9-10:vision 9-11:theory,ml +11-12:ml
//
// A line that begins with ? is not labelled. A line with a single - is a day without talks.
#pragma once

#include <map>
#include <sculpt/sculpt.hpp>
#include <string>
#include <unordered_map>
#include <vector>

// The number of the fault that is switched on; see ../LIST.md. 0: none.
#ifndef PLANTED
#define PLANTED 0
#endif

namespace talks {

struct Talk {
  std::int32_t begin = 0;
  std::int32_t end = 0;
  std::vector<std::int32_t> tags;  // those of the training data
};

using Day = std::vector<Talk>;

class Days {
 public:
  static constexpr sculpt::About about{"org.example.talks", "1.0.0", "days full of talks"};
  static constexpr const char* experiments[] = {
      R"({
        "dataset": {"use": "talks", "train": {"text":
          "+9-10:vision 9-11:theory,ml +11-12:ml\n9-10:ml +9-12:theory\n+14-15:ml,vision 10-11:db +16-17:ml\n"}},
        "features": "talks", "loss": "jaccard", "oracle": "talks",
        "solver": {"use": "n_slack", "C": 10}})",
      R"({
        "dataset": {"use": "talks", "train": {"text":
          "+9-10:a 10-11:b +11-12:a 9-12:c\n9-10:a 10-12:c\n-\n"}},
        "features": {"use": "talks", "longest_gap": 2}, "loss": "jaccard",
        "oracle": {"use": "talks", "most": 2},
        "solver": {"use": "one_slack", "C": 10, "rescaling": "slack"}})",
      R"({
        "dataset": {"use": "talks", "train": {"text":
          "+9-10:a 10-11:b +11-12:a\n9-10:a +9-10:b\n"}},
        "features": "talks", "loss": "jaccard", "oracle": {"use": "talks", "exact_up_to": 2},
        "solver": {"use": "n_slack", "C": 10}})"};

  void load(std::string_view split, const sculpt::Source& source) {
    const bool is_training = split == "train";
    const std::int64_t begin = count();
    sculpt::LineReader reader(source);
    while (reader.next()) {
      if (!reader.fields().empty()) read_day(reader, is_training);
    }
    splits_[std::string(split)] = {begin, count()};
  }
  std::int64_t count() const { return static_cast<std::int64_t>(days_.size()); }
  sculpt::Range split(std::string_view name) const {
    const auto found = splits_.find(std::string(name));
    return found == splits_.end() ? sculpt::Range() : found->second;
  }
  sculpt::Labels truth(std::int64_t example) const {
    const auto i = static_cast<std::size_t>(example);
    return is_labelled_[i] ? sculpt::Labels(truths_[i]) : sculpt::Labels();
  }

  // The text of an output: the numbers of the talks, from 1; none for no talk at all.
  void format(std::int64_t example, sculpt::Labels y, sculpt::ByteOutput& out) const {
    if (y.empty()) out << "none";
    for (std::size_t k = 0; k < y.size(); ++k) {
      if (k > 0) out << " ";
#if PLANTED == 15
      out << span_of(day(example)[static_cast<std::size_t>(y[k])]);
#else
      (void)example, out << std::int64_t{y[k]} + 1;
#endif
    }
  }
  void parse(std::int64_t example, std::string_view text, sculpt::LabelOutput& out) const {
    std::vector<sculpt::Field> fields;
    sculpt::split_fields(text, " ", fields);
    std::vector<std::int32_t> y;
    for (const sculpt::Field& field : fields) {
      if (field.text != "none") y.push_back(find_talk(day(example), field.text));
    }
    out.assign(y);
  }

  void save(sculpt::StateWriter& out) const {
    out.integer(tag_count());
#if PLANTED == 14
    for (const auto& [name, number] : numbers_) out.text(name), out.integer(number);
#else
    for (const std::string& name : tags_) out.text(name), out.integer(numbers_.at(name));
#endif
  }
  void restore(sculpt::StateReader& in) {
    const std::int64_t size = in.count(2 * sizeof(std::int64_t));
    tags_.resize(static_cast<std::size_t>(size));
    for (std::int64_t k = 0; k < size; ++k) {
      const std::string name = in.text();
      const std::int64_t number = in.integer();
      if (number < 0 || number >= size) in.damaged();
      if (!numbers_.emplace(name, static_cast<std::int32_t>(number)).second) in.damaged();
      tags_[static_cast<std::size_t>(number)] = name;
    }
  }

  const Day& day(std::int64_t example) const {
    return days_[static_cast<std::size_t>(example)];
  }
  std::int64_t tag_count() const {
    return static_cast<std::int64_t>(tags_.size());
  }
  const std::string& tag(std::int64_t number) const {
    return tags_[static_cast<std::size_t>(number)];
  }

 private:
  static constexpr std::int64_t latest = 100000;  // the largest time

  void read_day(const sculpt::LineReader& reader, bool is_training) {
    Day day;
    std::vector<std::int32_t> attended;
    sculpt::Field field = reader.field_from(0);
    const bool is_labelled = field.text != "?";
    if (!is_labelled) field = reader.field_from(field.end());
    const bool is_empty = field.text == "-";
    if (is_empty) field = reader.field_from(field.end());
    if (is_empty && !field.text.empty()) throw reader.error(0, "has talks behind the -");
    for (; !field.text.empty(); field = reader.field_from(field.end())) {
      if (field.text.front() == '+') {
        if (!is_labelled) throw reader.error(field.column, "has a + although it is not labelled");
        attended.push_back(static_cast<std::int32_t>(day.size()));
        field = {field.text.substr(1), field.column + 1};
      }
      day.push_back(read_talk(reader, field, is_training));
    }
    days_.push_back(std::move(day));
    truths_.push_back(std::move(attended));
    is_labelled_.push_back(is_labelled);
  }

  Talk read_talk(const sculpt::LineReader& reader, const sculpt::Field& field, bool is_training) {
    const auto refuse = [&] {
      return reader.error(field.column, sculpt::shown(field.text) +
                                            " is no talk; write begin-end:tag,tag, the end after "
                                            "the begin, with times from 0 to 100000");
    };
    const std::size_t dash = field.text.find('-');
    const std::size_t colon = field.text.find(':');
    if (dash == std::string_view::npos || colon == std::string_view::npos || dash > colon) {
      throw refuse();
    }
    const auto time = [&](std::size_t from, std::size_t to) {
      const std::int64_t value =
          reader.integer({field.text.substr(from, to - from), field.column + from}, "a time");
      if (value < 0 || value > latest) throw refuse();
      return static_cast<std::int32_t>(value);
    };
    Talk talk{time(0, dash), time(dash + 1, colon), {}};
    if (talk.end <= talk.begin) throw refuse();
    std::vector<sculpt::Field> names;
    sculpt::split_fields(field.text.substr(colon + 1), ",", names);
    for (const sculpt::Field& name : names) {
      const std::int32_t number = number_of_tag(std::string(name.text), is_training);
      if (number >= 0) talk.tags.push_back(number);
    }
    return talk;
  }

  // Returns -1 for a tag that the training data do not have.
  std::int32_t number_of_tag(const std::string& name, bool is_training) {
    const auto found = numbers_.find(name);
    if (found != numbers_.end()) return found->second;
    if (!is_training) return -1;
    const auto number = static_cast<std::int32_t>(tags_.size());
    tags_.push_back(name);
    numbers_.emplace(name, number);
    return number;
  }

  static std::string span_of(const Talk& talk) {
    return std::to_string(talk.begin) + "-" + std::to_string(talk.end);
  }
  static std::int32_t find_talk(const Day& day, std::string_view text) {
#if PLANTED == 15
    for (std::size_t k = 0; k < day.size(); ++k) {
      if (span_of(day[k]) == text) return static_cast<std::int32_t>(k);
    }
#else
    std::int64_t number = 0;
    const bool is_number = sculpt::read_whole(text, number) == sculpt::NumberText::number;
    if (is_number && number >= 1 && number <= static_cast<std::int64_t>(day.size())) {
      return static_cast<std::int32_t>(number - 1);
    }
#endif
    throw sculpt::data_error(sculpt::shown(text) + " is no talk of this day");
  }

  std::vector<Day> days_;
  std::vector<std::vector<std::int32_t>> truths_;  // [examples] the attended talks
  std::vector<bool> is_labelled_;
  std::map<std::string, sculpt::Range> splits_;
  std::vector<std::string> tags_;  // by number
  std::unordered_map<std::string, std::int32_t> numbers_;
};

}  // namespace talks
