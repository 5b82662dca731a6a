// rows.cpp - a dataset of labelled rows that offers all drafts of datasets with columns: width,
// column-scale, load-range, merge-state and memory-source. The original of mutants.
//
//   a 1:2 3:-0.5     the label, then index:value
//
// It learns from train: the labels in the order of their first occurrence, and the largest
// magnitude of each column, by which it divides.
#include <sculpt/ext/draft/column_scale.h>
#include <sculpt/ext/draft/load_range.h>
#include <sculpt/ext/draft/memory_source.h>
#include <sculpt/ext/draft/merge_state.h>
#include <sculpt/ext/draft/width.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <sculpt/sculpt.hpp>
#include <string>
#include <vector>

namespace {

struct Learned {
  std::vector<std::string> labels;
  std::vector<double> largest;  // of each column

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
  void save(sculpt::StateWriter& out) const {
    out.integer(static_cast<std::int64_t>(labels.size()));
    for (const std::string& label : labels) out.text(label);
    out.integer(static_cast<std::int64_t>(largest.size()));
    for (const double magnitude : largest) out.real(magnitude);
  }
  void restore(sculpt::StateReader& in) {
    labels.resize(static_cast<std::size_t>(in.count(sizeof(std::int64_t))));
    for (std::string& label : labels) label = in.text();
    largest.resize(static_cast<std::size_t>(in.count(sizeof(double))));
    for (double& magnitude : largest) magnitude = in.real();
  }
};

class Rows {
 public:
  static constexpr sculpt::About about{"org.test.rows", "1.0.0", "labelled rows, for tests"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::choice("scaling", R"("max_abs")", "none|max_abs", "divides columns, or does not")};
  static constexpr const char* extensions[] = {SCULPT_EXT_WIDTH, SCULPT_EXT_COLUMN_SCALE,
                                               SCULPT_EXT_LOAD_RANGE, SCULPT_EXT_MERGE_STATE,
                                               SCULPT_EXT_MEMORY_SOURCE};
  static constexpr const char* experiments[] = {R"({
    "name": "rows_of_three_columns",
    "dataset": {"use": "rows", "train": {"text":
      "a 1:2 2:1\nb 2:4\n\nc 1:-1 3:8\na 3:2\nb 1:0.5\nc 1:1 2:2 3:-8\n\n"}},
    "features": "multiclass", "loss": "zero_one", "oracle": "viterbi",
    "solver": {"use": "n_slack", "C": 1}})"};
  explicit Rows(const sculpt::Parameters& given) : is_scaled_(given.choice("scaling") != "none") {}
  const void* extension(const char* id) const;

  void load(std::string_view split, const sculpt::Source& source) {
    begin_split(split);
    sculpt::LineReader reader(source, sculpt::LineLife::until_next);
    while (reader.next()) add_line(reader.line(), reader.path(), reader.number());
    end_split(split);
  }
  void load_part(std::string_view split, const sculpt_source& source, std::int64_t part,
                 std::int64_t part_count) {
    const std::string path = source.path;
    if (source.text != nullptr) throw sculpt::unsupported_error("write the text to a file first");
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(source.path, "rb"),
                                                               std::fclose);
    if (file == nullptr) throw sculpt::missing_error(path + ": is missing");
    std::fseek(file.get(), 0, SEEK_END);
    const std::int64_t size = std::ftell(file.get());
    const std::int64_t begin = size * part / part_count;
    const std::int64_t end = size * (part + 1) / part_count;
    begin_split(split);
    std::int64_t position = std::max<std::int64_t>(begin - 1, 0);
    std::fseek(file.get(), position, SEEK_SET);
    std::string line;
    if (begin > 0) position += read_line(file.get(), line);  // its first byte is before the part
    while (position < end) {
      const std::int64_t bytes = read_line(file.get(), line);
      if (bytes == 0) break;
      add_line(line, "", 0);
      position += bytes;
    }
    end_split(split);
  }
  void load_rows(std::string_view split, const sculpt_memory_rows& rows) {
    if (rows.first_edge != nullptr) throw sculpt::unsupported_error("takes no edges");
    const bool learns = !has_learned_;
    begin_split(split);
    for (std::int32_t state = 0; learns && state < rows.state_count; ++state) {
      learned_.add_label(std::to_string(state));
    }
    if (learns) learned_.largest.assign(static_cast<std::size_t>(rows.feature_count), 0.0);
    for (std::int64_t k = 0; k < rows.example_count; ++k) add_row(rows, k, learns);
    end_split(split);
  }

  void save_piece(sculpt::StateWriter& out) const { learned_.save(out); }
  void merge(const char* pieces, const std::int64_t* from, std::int64_t count) {
    Learned whole;
    for (std::int64_t k = 0; k < count; ++k) {
      sculpt::StateReader in(pieces + from[k], from[k + 1] - from[k]);
      Learned piece;
      piece.restore(in);
      in.end();
      for (const std::string& label : piece.labels) whole.add_label(label);
      for (std::size_t column = 0; column < piece.largest.size(); ++column) {
        whole.add_value(column, piece.largest[column]);
      }
    }
    learned_ = whole;
  }

  void seal() {
    for (Row& row : rows_) {
      row.state = learned_.find(row.label);
      for (std::size_t k = 0; k < row.index.size(); ++k) {
        row.value[k] /= divisor(row.index[k]);
      }
    }
  }
  void save(sculpt::StateWriter& out) const { learned_.save(out); }
  void restore(sculpt::StateReader& in) {
    learned_.restore(in);
    has_learned_ = true;
  }

  std::int64_t count() const { return static_cast<std::int64_t>(rows_.size()); }
  sculpt::Range split(std::string_view name) const {
    const auto found = splits_.find(name);
    return found == splits_.end() ? sculpt::Range() : found->second;
  }
  sculpt::Labels truth(std::int64_t example) const { return {&at(example).state, 1}; }
  std::string place(std::int64_t example) const {
    const Row& row = at(example);
    return row.line > 0 ? row.path + ":" + std::to_string(row.line) : "";
  }
  std::string widest() const {
    const Row* widest = nullptr;
    for (const Row& row : rows_) {
      if (row.index.empty()) continue;
      if (widest == nullptr || row.index.back() > widest->index.back()) widest = &row;
    }
    if (widest == nullptr || widest->line == 0) return "";
    return widest->path + ":" + std::to_string(widest->line) + ": index " +
           std::to_string(widest->index.back() + 1);
  }
  std::int64_t feature_count() const { return static_cast<std::int64_t>(learned_.largest.size()); }
  std::int32_t state_count() const { return static_cast<std::int32_t>(learned_.labels.size()); }
  void state_name(std::int32_t state, sculpt::ByteOutput& out) const {
    out << learned_.labels.at(static_cast<std::size_t>(state));
  }
  void feature_name(std::int64_t feature, sculpt::ByteOutput& out) const { out << "x" << feature; }
  sculpt_sites sites(std::int64_t example) const {
    const Row& row = at(example);
    return {sizeof(sculpt_sites), 0,      1, 0, row.row_from, row.index.data(),
            row.value.data(),     nullptr};
  }
  void write_scale(std::int64_t feature, sculpt_column_scale* out) const {
    if (feature < 0 || feature >= feature_count()) throw sculpt::Error(SCULPT_E_INVALID, "none");
    const double scale = divisor(feature);
    sculpt::fill_record(out, sculpt_column_scale{sizeof(sculpt_column_scale), 0, 0, scale});
  }

 private:
  double divisor(std::int64_t column) const {
    const double largest = learned_.largest[static_cast<std::size_t>(column)];
    return is_scaled_ && largest > 0 ? largest : 1;
  }

  struct Row {
    std::string path;
    std::int64_t line = 0;  // 0: unknown
    std::string label;
    std::int32_t state = -1;
    std::vector<std::int32_t> index{};
    std::vector<double> value{};
    std::int64_t row_from[2] = {0, 0};
  };

  static std::int64_t read_line(std::FILE* file, std::string& line) {
    line.clear();
    int c = std::fgetc(file);
    for (; c != EOF && c != '\n'; c = std::fgetc(file)) line += static_cast<char>(c);
    return static_cast<std::int64_t>(line.size()) + (c == '\n' ? 1 : 0);
  }
  void begin_split(std::string_view split) {
    learns_ = !has_learned_;
    splits_[std::string(split)] = {count(), count()};
  }
  void end_split(std::string_view split) {
    splits_[std::string(split)].end = count();
    has_learned_ = true;
  }
  void add_line(std::string_view text, std::string_view path, std::int64_t number) {
    std::vector<sculpt::Field> fields;
    sculpt::split_fields(text, " ", fields);
    if (fields.empty()) return;
    Row row{std::string(path), number, std::string(fields.front().text)};
    if (learns_) learned_.add_label(row.label);
    for (std::size_t k = 1; k < fields.size(); ++k) {
      const std::string_view field = fields[k].text;
      const std::size_t colon = std::min(field.find(':'), field.size());
      double index = 0;
      double value = 0;
      const bool is_field =
          sculpt::read_finite(field.substr(0, colon), index) == sculpt::NumberText::number &&
          sculpt::read_finite(field.substr(std::min(colon + 1, field.size())), value) ==
              sculpt::NumberText::number &&
          index >= 1 && index <= 1e8;
      if (!is_field) {
        throw sculpt::data_error(std::string(path) + ":" + std::to_string(number) +
                                 ": write index:value");
      }
      const auto column = static_cast<std::size_t>(index) - 1;
      if (learns_) learned_.add_value(column, value);
      if (column >= learned_.largest.size()) continue;  // not in train
      row.index.push_back(static_cast<std::int32_t>(column));
      row.value.push_back(value);
    }
    add(std::move(row));
  }
  // Adds example k of rows in memory. Only examples of one site have a row.
  void add_row(const sculpt_memory_rows& rows, std::int64_t k, bool learns) {
    Row row;
    const std::string where = "example " + std::to_string(k) + ": ";
    const std::int64_t first = rows.label == nullptr ? 0 : rows.first_label[k];
    if (rows.label != nullptr && rows.label[first] >= 0) {
      if (rows.label[first] >= state_count()) throw sculpt::data_error(where + "an unknown label");
      row.label = learned_.labels[static_cast<std::size_t>(rows.label[first])];
    }
    const bool is_dense = rows.row_from == nullptr;
    const std::int64_t site = rows.first_site == nullptr ? k : rows.first_site[k];
    const std::int64_t begin = is_dense ? site * rows.feature_count : rows.row_from[site];
    const std::int64_t end = is_dense ? begin + rows.feature_count : rows.row_from[site + 1];
    for (std::int64_t j = begin; j < end; ++j) {
      const std::int64_t column = is_dense ? j - begin : rows.index[j];
      if (rows.value[j] == 0) continue;
      if (column >= feature_count()) throw sculpt::data_error(where + "an unknown feature");
      if (learns) learned_.add_value(static_cast<std::size_t>(column), rows.value[j]);
      row.index.push_back(static_cast<std::int32_t>(column));
      row.value.push_back(rows.value[j]);
    }
    add(std::move(row));
  }
  void add(Row row) {
    row.row_from[1] = static_cast<std::int64_t>(row.index.size());
    rows_.push_back(std::move(row));
  }
  const Row& at(std::int64_t example) const { return rows_.at(static_cast<std::size_t>(example)); }

  bool is_scaled_;
  std::vector<Row> rows_;
  std::map<std::string, sculpt::Range, std::less<>> splits_;
  Learned learned_;
  bool learns_ = false;
  bool has_learned_ = false;
};

constexpr sculpt_ext_width width{
    [](const void* self, sculpt_byte_buffer* out, sculpt_error* error) {
      return sculpt::guarded(error, "widest", [&] {
        sculpt::ByteOutput(out) << sculpt::component_of<Rows>(self).widest();
      });
    }};

constexpr sculpt_ext_column_scale column_scale{
    [](const void* self, std::int64_t feature, sculpt_column_scale* out, sculpt_error* error) {
      return sculpt::guarded(error, "scale",
                             [&] { sculpt::component_of<Rows>(self).write_scale(feature, out); });
    },
    [](const void* self, std::int64_t feature, sculpt_byte_buffer* out, sculpt_error* error) {
      return sculpt::guarded(error, "name", [&] {
        sculpt::ByteOutput text(out);
        sculpt::component_of<Rows>(self).feature_name(feature, text);
      });
    }};

constexpr sculpt_ext_load_range load_range{[](void* self, const char* split,
                                              const sculpt_source* source, std::int64_t part,
                                              std::int64_t part_count, sculpt_error* error) {
  return sculpt::guarded(error, "load_part", [&] {
    sculpt::mutable_component_of<Rows>(self).load_part(split, *source, part, part_count);
  });
}};

constexpr sculpt_ext_merge_state merge_state{
    [](const void* self, sculpt_byte_buffer* out, sculpt_error* error) {
      return sculpt::guarded(error, "save_piece", [&] {
        sculpt::StateWriter writer{sculpt::ByteOutput(out)};
        sculpt::component_of<Rows>(self).save_piece(writer);
      });
    },
    [](void* self, const char* pieces, const std::int64_t* from, std::int64_t count,
       sculpt_error* error) {
      return sculpt::guarded(error, "merge", [&] {
        sculpt::mutable_component_of<Rows>(self).merge(pieces, from, count);
      });
    }};

constexpr sculpt_ext_memory_source memory_source{
    [](void* self, const char* split, const sculpt_memory_rows* rows, sculpt_error* error) {
      return sculpt::guarded(
          error, "load", [&] { sculpt::mutable_component_of<Rows>(self).load_rows(split, *rows); });
    }};

const void* Rows::extension(const char* id) const {
  const std::string_view name = id;
  if (name == SCULPT_EXT_WIDTH) return &width;
  if (name == SCULPT_EXT_COLUMN_SCALE) return &column_scale;
  if (name == SCULPT_EXT_LOAD_RANGE) return &load_range;
  if (name == SCULPT_EXT_MERGE_STATE) return &merge_state;
  return name == SCULPT_EXT_MEMORY_SOURCE ? &memory_source : nullptr;
}

}  // namespace

SCULPT_PLUGIN("rows", "1.0.0", "Apache-2.0", sculpt::Dataset<Rows>)
