#include "command/reports/compared_outputs.hpp"

#include <algorithm>
#include <cstdlib>

#include "base/text/message_text.hpp"
#include "base/text/text_parts.hpp"
#include "command/reports/training_texts.hpp"

namespace sculpt::core {
namespace {

constexpr std::size_t max_shown_lines = 20;

// A row that differs.
struct DifferentRow {
  std::size_t number = 0;           // from 1
  std::vector<std::string> common;  // the first words of both
  std::vector<std::string> first;   // the others
  std::vector<std::string> second;

  bool has_one_rank() const {
    return first.size() == 1 && second.size() == 1 && is_whole_number(first[0]) &&
           is_whole_number(second[0]);
  }
  long long distance() const {
    return std::llabs(std::atoll(first[0].c_str()) - std::atoll(second[0].c_str()));
  }
};

DifferentRow different_row(std::size_t number, const std::string& first,
                           const std::string& second) {
  DifferentRow row{number, {}, words_of(first), words_of(second)};
  if (row.first.size() != row.second.size()) return row;
  const auto ends = std::mismatch(row.first.begin(), row.first.end(), row.second.begin());
  row.common.assign(row.first.begin(), ends.first);
  row.first.erase(row.first.begin(), ends.first);
  row.second.erase(row.second.begin(), ends.second);
  return row;
}

class RowComparison {
 public:
  RowComparison(const ComparedOutputs& outputs, const std::vector<std::string>& first,
                const std::vector<std::string>& second)
      : outputs_(outputs), row_count_(first.size()) {
    for (std::size_t k = 0; k < first.size(); ++k) {
      if (first[k] != second[k]) rows_.push_back(different_row(k + 1, first[k], second[k]));
    }
    leave_out_ranks();
    const auto has_rank = [](const DifferentRow& row) { return row.has_one_rank(); };
    if (!std::all_of(rows_.begin(), rows_.end(), has_rank)) return;
    std::stable_sort(rows_.begin(), rows_.end(), [](const DifferentRow& a, const DifferentRow& b) {
      return a.distance() > b.distance();
    });
  }

  std::string text() const {
    std::string text;
    const std::size_t shown = std::min(rows_.size(), max_shown_lines / 2);
    for (std::size_t k = 0; k < shown; ++k) {
      const DifferentRow& row = rows_[k];
      const std::string about = about_row(row);
      text += "  row " + (about.empty() ? std::to_string(row.number)
                                        : padded(std::to_string(row.number), 6) + about);
      text += "\n  - " + joined(row.first, " ") + "\n  + " + joined(row.second, " ") + "\n";
    }
    const auto count = [](std::size_t number) { return static_cast<std::int64_t>(number); };
    if (shown < rows_.size()) {
      text += "  and " + count_text(count(rows_.size() - shown), "row") + " more\n";
    }
    if (ranks_left_out_ > 0) {
      text += "  and " + count_text(count(ranks_left_out_), "row") +
              (ranks_left_out_ == 1 ? " differs" : " differ") + " only in the last number\n";
    }
    return text;
  }

 private:
  // Where a label and a rank make a row, labels matter more.
  void leave_out_ranks() {
    const auto is_ranked = [](const DifferentRow& row) {
      return row.common.size() + row.first.size() == 2 && is_whole_number(row.first.back()) &&
             is_whole_number(row.second.back());
    };
    const auto differs_in_rank = [](const DifferentRow& row) { return row.common.size() == 1; };
    if (!std::all_of(rows_.begin(), rows_.end(), is_ranked)) return;
    if (std::all_of(rows_.begin(), rows_.end(), differs_in_rank)) return;
    ranks_left_out_ = std::erase_if(rows_, differs_in_rank);
  }

  // The equal fields, as of a token. Labels of a truth repeat the label of the file.
  std::string about_row(const DifferentRow& row) const {
    std::vector<std::string> common = row.common;
    const bool repeats = outputs_.first_is_truth && common.size() > 1 && row.first.size() == 1 &&
                         common.back() == row.first[0];
    if (repeats) common.pop_back();
    const bool has_source = outputs_.source.size() == row_count_;
    if (has_source && common.size() < 2) return in_one_line(outputs_.source[row.number - 1]);
    return joined(common, " ");
  }

  const ComparedOutputs& outputs_;
  std::size_t row_count_;
  std::vector<DifferentRow> rows_;
  std::size_t ranks_left_out_ = 0;
};

// All lines, marked.
std::string marked_lines(const std::vector<std::string>& first,
                         const std::vector<std::string>& second) {
  std::string text;
  std::size_t count = 0;
  const auto add = [&](const std::vector<std::string>& lines, const char* mark) {
    for (const std::string& line : lines) {
      if (count++ >= max_shown_lines) continue;
      std::string shown = line;
      std::replace(shown.begin(), shown.end(), '\t', ' ');
      text += std::string("  ") + mark + " " + shown + "\n";
    }
  };
  add(first, "-");
  add(second, "+");
  if (count > max_shown_lines) {
    text += "  and " + count_text(static_cast<std::int64_t>(count - max_shown_lines), "line") +
            " more\n";
  }
  return text;
}

}  // namespace

std::string compared_text(const ComparedOutputs& outputs) {
  const std::vector<std::string> first = lines_of(outputs.first);
  const std::vector<std::string> second = lines_of(outputs.second);
  if (first.size() == second.size() && first.size() > 1) {
    return RowComparison(outputs, first, second).text();
  }
  return first == second ? "" : marked_lines(first, second);
}

}  // namespace sculpt::core
