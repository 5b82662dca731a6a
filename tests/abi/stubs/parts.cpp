// parts.cpp - a dataset of lines that can be loaded in parts (ext/draft/load_range.h) and learns
// from them (ext/draft/merge_state.h). A line is a label, any word, and numbers. It learns the
// labels in the order of their first occurrence, and scales each column by its largest magnitude.
//
// And features that learn in bind: how often each label occurs, as a prior. They merge, too.
#include <sculpt/ext/draft/load_range.h>
#include <sculpt/ext/draft/merge_state.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <sculpt/cpp/site_input.hpp>
#include <sculpt/sculpt.hpp>
#include <string>
#include <vector>

namespace {

// What is learned from the training data.
struct Learned {
  std::vector<std::string> labels;  // in the order of their first occurrence
  std::vector<double> largest;      // of each column, its largest magnitude

  std::int32_t find(const std::string& label) const {
    const auto found = std::find(labels.begin(), labels.end(), label);
    return found == labels.end() ? -1 : static_cast<std::int32_t>(found - labels.begin());
  }
  void add_label(const std::string& label) {
    if (find(label) < 0) labels.push_back(label);
  }
  void add_value(std::size_t column, double value) {
    if (column >= largest.size()) largest.resize(column + 1, 0.0);
    largest[column] = std::max(largest[column], std::abs(value));
  }
  void save(sculpt::StateWriter& writer) const {
    writer.integer(static_cast<std::int64_t>(labels.size()));
    for (const std::string& label : labels) writer.text(label);
    writer.integer(static_cast<std::int64_t>(largest.size()));
    for (const double magnitude : largest) writer.real(magnitude);
  }
  void restore(sculpt::StateReader& reader) {
    labels.resize(static_cast<std::size_t>(reader.count(sizeof(std::int64_t))));
    for (std::string& label : labels) label = reader.text();
    largest.resize(static_cast<std::size_t>(reader.count(sizeof(double))));
    for (double& magnitude : largest) magnitude = reader.real();
  }
};

class Parts {
 public:
  static constexpr sculpt::About about{"org.sculpt.stub.parts", "1.0.0",
                                       "lines that several processes load together"};
  static constexpr const char* extensions[] = {SCULPT_EXT_LOAD_RANGE, SCULPT_EXT_MERGE_STATE};
  const void* extension(const char* id) const;

  void load(std::string_view split, const sculpt::Source& source) {
    sculpt::LineReader reader(source, sculpt::LineLife::until_next);
    begin_split(split);
    while (reader.next()) add_line(reader.line());
    end_split(split);
  }
  // The extension load-range. A line belongs to the part in which its first byte is.
  void load_part(std::string_view split, const sculpt_source& source, std::int64_t part,
                 std::int64_t part_count) {
    if (source.text != nullptr) throw sculpt::unsupported_error("loads parts of files only");
    const std::string path = source.path;
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(source.path, "rb"),
                                                               std::fclose);
    if (file == nullptr) throw sculpt::missing_error(path + ": is missing");
    if (std::fseek(file.get(), 0, SEEK_END) != 0) {
      throw sculpt::unsupported_error(path + ": a pipe has no parts; write it to a file first");
    }
    const std::int64_t size = std::ftell(file.get());
    const std::int64_t begin = size * part / part_count;
    const std::int64_t end = size * (part + 1) / part_count;
    begin_split(split);
    std::fseek(file.get(), 0, SEEK_SET);
    const int first = std::fgetc(file.get());
    if (first == 0x1F || first == 0x28) {  // gzip, zstd
      throw sculpt::unsupported_error(path + ": a packed file has no parts; unpack it first");
    }
    std::int64_t position = std::max<std::int64_t>(begin - 1, 0);
    std::fseek(file.get(), position, SEEK_SET);
    // Unless the byte before the part ends a line, the part begins inside of one.
    std::string line;
    if (begin > 0) position += read_line(file.get(), line);
    while (position < end) {
      const std::int64_t bytes = read_line(file.get(), line);
      if (bytes == 0) break;
      try {
        add_line(line);
      } catch (const sculpt::Error& error) {
        throw sculpt::Error(error.status(),
                            path + ": byte " + std::to_string(position) + ": " + error.what());
      }
      position += bytes;
    }
    end_split(split);
  }
  // The extension merge-state.
  void save_piece(sculpt::StateWriter& writer) const { learned_.save(writer); }
  void merge(const char* pieces, const std::int64_t* from, std::int64_t count) {
    Learned whole;
    for (std::int64_t k = 0; k < count; ++k) {
      sculpt::StateReader reader(pieces + from[k], from[k + 1] - from[k]);
      Learned piece;
      piece.restore(reader);
      reader.end();
      for (const std::string& label : piece.labels) whole.add_label(label);
      for (std::size_t column = 0; column < piece.largest.size(); ++column) {
        whole.add_value(column, piece.largest[column]);
      }
    }
    learned_ = whole;
    has_learned_ = true;
    interpret();
  }

  void seal() { interpret(); }
  void save(sculpt::StateWriter& writer) const { learned_.save(writer); }
  void restore(sculpt::StateReader& reader) {
    learned_.restore(reader);
    has_learned_ = true;
  }

  std::int64_t count() const { return static_cast<std::int64_t>(lines_.size()); }
  sculpt::Range split(std::string_view name) const {
    const auto found = splits_.find(name);
    return found == splits_.end() ? sculpt::Range() : found->second;
  }
  sculpt::Labels truth(std::int64_t example) const { return {&at(example).state, 1}; }
  std::int64_t feature_count() const { return static_cast<std::int64_t>(learned_.largest.size()); }
  std::int32_t state_count() const { return static_cast<std::int32_t>(learned_.labels.size()); }
  sculpt_sites sites(std::int64_t example) const {
    const Line& line = at(example);
    return {sizeof(sculpt_sites), 0,      1, 0, line.row_from, line.index.data(),
            line.scaled.data(),   nullptr};
  }

 private:
  // A line as it stands in the file, and what it means after learning.
  struct Line {
    std::string label;
    std::vector<double> value;
    std::int32_t state = -1;
    std::vector<double> scaled;
    std::vector<std::int32_t> index;
    std::int64_t row_from[2] = {0, 0};
  };

  // Returns how many bytes it read, with the line end.
  static std::int64_t read_line(std::FILE* file, std::string& line) {
    line.clear();
    int c = std::fgetc(file);
    for (; c != EOF && c != '\n'; c = std::fgetc(file)) line += static_cast<char>(c);
    return static_cast<std::int64_t>(line.size()) + (c == '\n' ? 1 : 0);
  }
  void begin_split(std::string_view split) {
    learns_ = split == "train" && !has_learned_;
    splits_[std::string(split)] = {count(), count()};
  }
  void end_split(std::string_view split) {
    splits_[std::string(split)].end = count();
    has_learned_ = true;
  }
  void add_line(std::string_view text) {
    std::vector<sculpt::Field> fields;
    sculpt::split_fields(text, " ", fields);
    if (fields.empty()) return;
    Line& line = lines_.emplace_back();
    line.label = fields.front().text;
    if (learns_) learned_.add_label(line.label);
    for (std::size_t k = 1; k < fields.size(); ++k) {
      double value = 0;
      if (sculpt::read_finite(fields[k].text, value) != sculpt::NumberText::number) {
        throw sculpt::data_error(sculpt::shown(fields[k].text) + " is not a number");
      }
      line.value.push_back(value);
      if (learns_) learned_.add_value(k - 1, value);
    }
  }
  // Numbers the labels and scales the columns by what is learned.
  void interpret() {
    for (Line& line : lines_) {
      line.state = learned_.find(line.label);
      line.scaled.clear();
      line.index.clear();
      for (std::size_t k = 0; k < line.value.size() && k < learned_.largest.size(); ++k) {
        if (line.value[k] == 0) continue;
        line.index.push_back(static_cast<std::int32_t>(k));
        line.scaled.push_back(line.value[k] / learned_.largest[k]);
      }
      line.row_from[1] = static_cast<std::int64_t>(line.index.size());
    }
  }
  const Line& at(std::int64_t example) const {
    return lines_.at(static_cast<std::size_t>(example));
  }

  std::vector<Line> lines_;
  std::map<std::string, sculpt::Range, std::less<>> splits_;
  Learned learned_;
  bool learns_ = false;
  bool has_learned_ = false;
};

constexpr sculpt_ext_load_range load_range{[](void* self, const char* split,
                                              const sculpt_source* source, std::int64_t part,
                                              std::int64_t part_count, sculpt_error* error) {
  return sculpt::guarded(error, "load_part", [&] {
    sculpt::mutable_component_of<Parts>(self).load_part(split, *source, part, part_count);
  });
}};

constexpr sculpt_ext_merge_state merge_state{
    [](const void* self, sculpt_byte_buffer* out, sculpt_error* error) {
      return sculpt::guarded(error, "save_piece", [&] {
        sculpt::StateWriter writer{sculpt::ByteOutput(out)};
        sculpt::component_of<Parts>(self).save_piece(writer);
      });
    },
    [](void* self, const char* pieces, const std::int64_t* from, std::int64_t count,
       sculpt_error* error) {
      return sculpt::guarded(error, "merge", [&] {
        sculpt::mutable_component_of<Parts>(self).merge(pieces, from, count);
      });
    }};

const void* Parts::extension(const char* id) const {
  if (std::string_view(id) == SCULPT_EXT_LOAD_RANGE) return &load_range;
  return std::string_view(id) == SCULPT_EXT_MERGE_STATE ? &merge_state : nullptr;
}

// psi(x, y) = log((1 + number of training examples with the label y) / (1 + all of them)).
class Priors {
 public:
  static constexpr sculpt::About about{"org.sculpt.stub.priors", "1.0.0",
                                       "how often each label occurs"};
  static constexpr const char* extensions[] = {SCULPT_EXT_MERGE_STATE};
  const void* extension(const char* id) const;

  void bind(const sculpt::Bindings& to) {
    const sculpt::SiteInput input(to.dataset);
    if (has_learned_) return;  // from the model
    counts_.assign(static_cast<std::size_t>(input.state_count()), 0);
    const sculpt::Range train = input.split("train");
    for (std::int64_t example = train.begin; example < train.end; ++example) {
      counts_.at(static_cast<std::size_t>(input.truth(example)[0])) += 1;
    }
  }
  // The extension merge-state: whole numbers add up the same in any parts.
  void save_piece(sculpt::StateWriter& writer) const { save(writer); }
  void merge(const char* pieces, const std::int64_t* from, std::int64_t count) {
    std::vector<std::int64_t> whole(counts_.size(), 0);
    for (std::int64_t k = 0; k < count; ++k) {
      sculpt::StateReader reader(pieces + from[k], from[k + 1] - from[k]);
      if (reader.integer() != static_cast<std::int64_t>(whole.size())) reader.damaged();
      for (std::int64_t& sum : whole) sum += reader.integer();
      reader.end();
    }
    counts_ = whole;
  }

  void save(sculpt::StateWriter& writer) const {
    writer.integer(static_cast<std::int64_t>(counts_.size()));
    for (const std::int64_t count : counts_) writer.integer(count);
  }
  void restore(sculpt::StateReader& reader) {
    counts_.resize(static_cast<std::size_t>(reader.count(sizeof(std::int64_t))));
    for (std::int64_t& count : counts_) count = reader.integer();
    has_learned_ = true;
  }

  std::int64_t dimension() const { return 1; }
  void features(std::int64_t, sculpt::Labels y, sculpt::Sum& sum) const {
    std::int64_t all = 1;
    for (const std::int64_t count : counts_) all += count;
    const auto own = static_cast<double>(1 + counts_.at(static_cast<std::size_t>(y[0])));
    sum.add(0, std::log(own / static_cast<double>(all)));
  }

 private:
  std::vector<std::int64_t> counts_;  // by label
  bool has_learned_ = false;
};

constexpr sculpt_ext_merge_state merge_priors{
    [](const void* self, sculpt_byte_buffer* out, sculpt_error* error) {
      return sculpt::guarded(error, "save_piece", [&] {
        sculpt::StateWriter writer{sculpt::ByteOutput(out)};
        sculpt::component_of<Priors>(self).save_piece(writer);
      });
    },
    [](void* self, const char* pieces, const std::int64_t* from, std::int64_t count,
       sculpt_error* error) {
      return sculpt::guarded(error, "merge", [&] {
        sculpt::mutable_component_of<Priors>(self).merge(pieces, from, count);
      });
    }};

const void* Priors::extension(const char* id) const {
  return std::string_view(id) == SCULPT_EXT_MERGE_STATE ? &merge_priors : nullptr;
}

}  // namespace

SCULPT_PLUGIN("stub_parts", "1.0.0", "Apache-2.0", sculpt::Dataset<Parts>, sculpt::Features<Priors>)
