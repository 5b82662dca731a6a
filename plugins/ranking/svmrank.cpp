#include "svmrank.hpp"

#include <charconv>
#include <cstdio>
#include <map>

#include "grade_groups.hpp"
#include "order_output.hpp"

namespace ranking {

namespace {

// True if the grades are not all equal.
bool grades_differ(std::span<const double> grades) {
  return std::any_of(grades.begin(), grades.end(),
                     [&](double grade) { return grade != grades.front(); });
}

constexpr std::int64_t state_version = 3;
constexpr std::string_view qid = "qid:";

// The fields before the entries of a row.
struct RowHead {
  bool is_labelled = false;
  double grade = 0;
  std::int64_t query = 0;
  std::size_t column = 0;  // of the qid, from 0
  std::size_t end = 0;     // the column after it
};

RowHead read_head(const sculpt::LineReader& reader, std::span<const sculpt::Field> fields) {
  RowHead head;
  head.is_labelled = fields[0].text.find(':') == std::string_view::npos;
  if (head.is_labelled) {
    head.grade = reader.real(fields[0], "a grade, nor qid:number of a row without one");
  }
  const std::size_t index = head.is_labelled ? 1 : 0;
  if (index >= fields.size() || !fields[index].text.starts_with(qid)) {
    const std::size_t column = index < fields.size() ? fields[index].column : fields[0].end();
    throw reader.error(column, "this row has no query here; write qid:number");
  }
  head.column = fields[index].column;
  head.query = reader.integer({fields[index].text.substr(qid.size()), head.column + qid.size()},
                              "a query; a whole number is expected");
  head.end = fields[index].end();
  return head;
}

std::int32_t read_count(std::string_view text, std::size_t documents) {
  std::int32_t count = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  if (is_whole && count >= 0 && static_cast<std::size_t>(count) < documents) return count;
  throw sculpt::data_error(sculpt::shown(text) +
                           " is not a number of other documents; write a number from 0 to " +
                           std::to_string(documents - 1));
}

}  // namespace

SvmRank::File SvmRank::read(sculpt::LineReader& reader) {
  File file;
  std::map<std::int64_t, std::int64_t> first_lines;  // first line of each query
  RowHead first;                                     // of the current query
  while (reader.next()) {
    reader.cut_comment('#');
    const std::span<const sculpt::Field> fields = reader.fields(2);
    if (fields.empty()) continue;
    const RowHead head = read_head(reader, fields);
    if (file.queries.empty() || head.query != first.query) {
      const auto [entry, is_new] = first_lines.try_emplace(head.query, reader.number());
      if (!is_new) {
        throw reader.error(head.column, "query " + std::to_string(head.query) + " began on line " +
                                            std::to_string(entry->second) +
                                            " and ended before this row; sort the rows by qid");
      }
      first = head;
      const std::size_t begin =
          file.queries.empty() ? 0 : file.queries.back().begin + file.queries.back().rows;
      file.queries.push_back({begin, {}, 0, reader.number(), fields[0].column});
    } else if (head.is_labelled != first.is_labelled) {
      throw reader.error(fields[0].column, std::string("this row has ") +
                                               (first.is_labelled ? "no" : "a") +
                                               " grade, but the first row of its query has " +
                                               (first.is_labelled ? "one" : "none") +
                                               "; give a grade to all rows of a query, or to none");
    }
    Query& query = file.queries.back();
    if (head.is_labelled) query.grades.push_back(head.grade);
    ++query.rows;
    file.entries.add_row(reader, head.end);
  }
  return file;
}

void SvmRank::load(std::string_view split, const sculpt::Source& source) {
  store_.begin_split(split, source.path());
  sculpt::LineReader reader(source, sculpt::LineLife::until_next);
  File file = read(reader);
  if (file.queries.empty()) {
    throw sculpt::data_error(source.path() +
                             ":1:1: no rows; write rows such as `2 qid:1 1:0.5 3:1`");
  }
  const bool train = split == "train";
  if (train) check_labelled(file, reader);
  base_.apply(file.entries, reader, !has_learned_);
  if (!has_learned_) {
    if (!train) {
      throw sculpt::Error(SCULPT_E_INVALID,
                          "has no features before the split 'train' is loaded; load it first");
    }
    learn(file, source);
  }
  std::int64_t of_one_grade = 0;
  for (const Query& query : file.queries) {
    if (!query.grades.empty() && !grades_differ(query.grades)) {
      ++of_one_grade;
      if (train) continue;
    }
    for (std::size_t row = query.begin; row < query.begin + query.rows; ++row) {
      file.entries.copy_row(row, feature_count_, store_);
      store_.end_site();
    }
    store_.end_example(sculpt::Labels(), query.line);
    grades_.add_query(query.grades);
  }
  grades_.end_split();
  warn_of_one_grade(of_one_grade, file, train, source.path());
  file.entries.warn_of_ignored(host_, source.path(), feature_count_);
}

void SvmRank::warn_of_one_grade(std::int64_t queries, const File& file, bool is_training,
                                const std::string& path) const {
  if (queries == 0) return;
  const std::int64_t all = std::ssize(file.queries);
  const std::string share = std::to_string(queries) + " of " + std::to_string(all) + " queries";
  if (!is_training) {
    host_.warn(path + ": the documents of " + share +
               " all have the same grade, so no order of them is wrong; the measures leave these "
               "queries out (skipped), and only the mean loss counts them, as 0");
    return;
  }
  char factor[32];
  std::snprintf(factor, sizeof factor, "%.6g",
                static_cast<double>(all) / static_cast<double>(all - queries));
  host_.warn(path + ": left out " + share +
             ", because their documents all have the same grade, so there is nothing to learn "
             "(SVM-rank counts them in its means: its -c is C times " +
             factor + ")");
}

void SvmRank::check_labelled(const File& file, const sculpt::LineReader& reader) {
  for (const Query& query : file.queries) {
    if (!query.grades.empty()) continue;
    throw reader.error_at(query.line, query.column,
                          "this query has no grades, so there is nothing to learn from it; begin "
                          "its rows with grades, or remove it from the training data");
  }
}

void SvmRank::learn(const File& file, const sculpt::Source& source) {
  bool has_pairs = false;
  for (const Query& query : file.queries) {
    has_pairs = has_pairs || grades_differ(query.grades);
  }
  if (!has_pairs) {
    throw sculpt::data_error(source.path() +
                             ":1:1: no query has documents of different grades, so there is "
                             "nothing to learn; use other training data");
  }
  feature_count_ = file.entries.feature_count();
  has_learned_ = true;
}

void SvmRank::format(std::int64_t example, sculpt::Labels y, sculpt::ByteOutput& out) const {
  const auto documents = static_cast<std::size_t>(store_.sites(example).site_count);
  if (y.size() == documents) {
    const std::vector<std::int64_t> rank = sculpt::ranks(y);
    for (std::size_t i = 0; i < documents; ++i) out << (i > 0 ? "\n" : "") << rank[i];
    return;
  }
  if (y.size() != 2 * documents) {
    throw sculpt::Error(SCULPT_E_INVALID, "an output of this query has " +
                                              std::to_string(documents) + " numbers, not " +
                                              std::to_string(y.count()));
  }
  for (std::size_t i = 0; i < documents; ++i) {
    out << (i > 0 ? "\n" : "") << std::int64_t{y[i]} << " " << std::int64_t{y[documents + i]};
  }
}

void SvmRank::parse(std::int64_t example, std::string_view text, sculpt::LabelOutput& out) const {
  std::vector<sculpt::Field> words;
  sculpt::split_fields(text, " \t\r\n", words);
  const auto documents = static_cast<std::size_t>(store_.sites(example).site_count);
  if (words.size() == 2 * documents) {
    const auto y = out.resize(static_cast<std::int64_t>(2 * documents));
    for (std::size_t i = 0; i < documents; ++i) {
      y[i] = read_count(words[2 * i].text, documents);
      y[documents + i] = read_count(words[2 * i + 1].text, documents);
    }
    return;
  }
  if (words.size() != documents) {
    throw sculpt::data_error("a rank for each of " + std::to_string(documents) +
                             " documents is expected");
  }
  std::vector<std::int64_t> rank;
  for (const sculpt::Field& word : words) rank.push_back(sculpt::read_rank(word.text));
  write_order([&](std::int64_t i) { return -rank[static_cast<std::size_t>(i)]; },
              grades_.truth(example), out.resize(static_cast<std::int64_t>(documents)));
}

void SvmRank::save(sculpt::StateWriter& writer) const {
  writer.integer(state_version);
  writer.integer(feature_count_);
  grades_.save_largest(writer);
  base_.save(writer);
  grades_.save_ranked(writer);
}

void SvmRank::restore(sculpt::StateReader& reader) {
  const std::int64_t version = reader.integer();
  if (version < 1 || version > state_version) reader.damaged();
  feature_count_ = reader.integer();
  if (feature_count_ < 0 || feature_count_ > std::numeric_limits<std::int32_t>::max()) {
    reader.damaged();
  }
  grades_.restore_largest(reader);
  base_.restore(reader, version >= 2);
  if (version >= 3) grades_.restore_ranked(reader);
  if (grades_.count() < 2) reader.damaged();
  has_learned_ = true;
}

}  // namespace ranking
