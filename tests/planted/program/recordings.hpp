// recordings.hpp - signals in phases: walking, resting, ...
//
// One recording a line. A phase is its label and its values; phases are separated by a semicolon:
//
//   walk 1.2 0.9 1.1; rest 0.1 0.2; walk 1.0
//
// A line with the single phase ? is not labelled.
#pragma once

#include <map>
#include <sculpt/cpp/items.hpp>
#include <sculpt/cpp/name_list.hpp>
#include <sculpt/sculpt.hpp>
#include <string>
#include <vector>

// The number of the fault that is switched on; see ../LIST.md. 0: none.
#ifndef PLANTED
#define PLANTED 0
#endif

namespace phases {

// y: for each value 2 * label, and 1 more if it begins a phase.
inline std::int32_t label_of(std::int32_t y) {
  return y / 2;
}
inline bool is_begin(std::int32_t y) {
  return y % 2 == 1;
}

// The place behind the phase that begins at `begin`.
inline std::size_t end_of_phase(sculpt::Labels y, std::size_t begin) {
  std::size_t end = begin + 1;
  while (end < y.size() && !is_begin(y[end])) ++end;
  return end;
}

class Recordings {
 public:
  static constexpr sculpt::About about{"org.example.phases", "1.0.0", "signals in phases"};

  void load(std::string_view split, const sculpt::Source& source) {
    const std::int64_t begin = count();
#if PLANTED == 24
    const bool learns = true;  // a new label may come at any time
#else
    const bool learns = split == "train";
#endif
    std::vector<Line> lines;
    sculpt::LineReader reader(source);
    while (reader.next()) {
      if (!reader.fields().empty()) read_line(reader, lines.emplace_back());
    }
    for (const Line& line : lines) {
      for (const std::string& label : line.labels) {
        if (learns && label != "?") names_.add(label);
      }
    }
    names_.finish();
    for (const Line& line : lines) truths_.push_back(output_of(line, reader));
    splits_[std::string(split)] = {begin, count()};
  }
  std::int64_t count() const {
    return static_cast<std::int64_t>(values_.size());
  }
  sculpt::Range split(std::string_view name) const {
    const auto found = splits_.find(std::string(name));
    return found == splits_.end() ? sculpt::Range() : found->second;
  }
  sculpt::Labels truth(std::int64_t example) const {
    const std::vector<std::int32_t>& y = truths_[static_cast<std::size_t>(example)];
#if PLANTED == 25
    return sculpt::Labels(y);
#else
    return y.empty() ? sculpt::Labels() : sculpt::Labels(y);
#endif
  }

  // The text of an output: walk*3 rest*2 walk*1.
  void format(std::int64_t, sculpt::Labels y, sculpt::ByteOutput& out) const {
    for (std::size_t s = 0, t = 0; s < y.size(); s = t) {
      t = end_of_phase(y, s);
      out << (s > 0 ? " " : "") << names_.name(label_of(y[s])) << "*"
          << static_cast<std::int64_t>(t - s);
    }
  }
  void parse(std::int64_t example, std::string_view text, sculpt::LabelOutput& out) const {
    std::vector<sculpt::Field> fields;
    sculpt::split_fields(text, " ", fields);
    std::vector<std::int32_t> y;
    for (const sculpt::Field& field : fields) {
      const std::size_t star = field.text.rfind('*');
      std::int64_t size = 0;
      const std::int32_t label = names_.find(field.text.substr(0, star));
      const bool is_phase =
          star != std::string_view::npos && label >= 0 &&
          sculpt::read_whole(field.text.substr(star + 1), size) == sculpt::NumberText::number;
      if (!is_phase || size < 1 || size > static_cast<std::int64_t>(values(example).size())) {
        throw sculpt::data_error(sculpt::shown(field.text) + " is no phase; write label*length");
      }
      add_phase(label, static_cast<std::size_t>(size), y);
    }
    if (y.size() != values(example).size()) {
      throw sculpt::data_error("the phases have another length than the recording");
    }
    out.assign(y);
  }

  // The parts of an output: its phases.
  void items(std::int64_t example, sculpt::Labels y, std::vector<std::int64_t>& items) const {
    const auto size = static_cast<std::int64_t>(values(example).size()) + 1;
    for (std::size_t s = 0, t = 0; s < y.size(); s = t) {
      t = end_of_phase(y, s);
      items.push_back((label_of(y[s]) * size + static_cast<std::int64_t>(s)) * size +
                      static_cast<std::int64_t>(t));
    }
  }

  void save(sculpt::StateWriter& out) const {
    names_.save(out);
  }
  void restore(sculpt::StateReader& in) {
    names_.restore(in);
  }

  const std::vector<double>& values(std::int64_t example) const {
    return values_[static_cast<std::size_t>(example)];
  }
  std::int32_t label_count() const {
    return names_.size();
  }
  const std::string& label_name(std::int64_t label) const {
    return names_.name(label);
  }

 private:
  // A line of the file, before the labels have numbers.
  struct Line {
    std::int64_t number = 0;
    std::vector<std::string> labels;  // of each phase
    std::vector<std::size_t> sizes;   // the number of its values
  };

  void read_line(const sculpt::LineReader& reader, Line& line) {
    std::vector<double>& values = values_.emplace_back();
    std::vector<sculpt::Field> parts;
    line.number = reader.number();
    sculpt::split_fields(reader.line(), ";", parts);
    for (const sculpt::Field& part : parts) {
      std::vector<sculpt::Field> fields;
      sculpt::split_fields(part.text, " \t", fields);
      if (fields.size() < 2) throw reader.error(part.column, "write a label and its values");
      line.labels.emplace_back(fields[0].text);
      line.sizes.push_back(fields.size() - 1);
      for (std::size_t k = 1; k < fields.size(); ++k) {
        const std::size_t column = part.column + fields[k].column;
        values.push_back(reader.real({fields[k].text, column}, "a value"));
      }
      if (line.labels.back() == "?" && parts.size() > 1) {
        throw reader.error(part.column, "has a phase ?; label all of a recording, or none");
      }
    }
    if (values.empty()) throw reader.error(0, "has no phase");
  }

  // The truth of a line. Empty if it is not labelled.
  std::vector<std::int32_t> output_of(const Line& line, const sculpt::LineReader& reader) const {
    std::vector<std::int32_t> y;
    if (line.labels.front() == "?") return y;
    for (std::size_t k = 0; k < line.labels.size(); ++k) {
      const std::int32_t label = names_.find(line.labels[k]);
      if (label < 0) {
        throw reader.error_at(line.number, 0,
                              sculpt::shown(line.labels[k]) +
                                  " does not occur in the training data " + names_.text());
      }
      add_phase(label, line.sizes[k], y);
    }
    return y;
  }
  static void add_phase(std::int32_t label, std::size_t size, std::vector<std::int32_t>& y) {
    y.push_back(2 * label + 1);
    y.insert(y.end(), size - 1, 2 * label);
  }

  sculpt::NameList names_;
  std::vector<std::vector<double>> values_;        // [examples]
  std::vector<std::vector<std::int32_t>> truths_;  // [examples] empty: not labelled
  std::map<std::string, sculpt::Range> splits_;
};

}  // namespace phases
