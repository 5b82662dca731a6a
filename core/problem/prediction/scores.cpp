#include "problem/prediction/scores.hpp"

#include <bit>
#include <cmath>

#include "problem/plugin/answer_buffers.hpp"
#include "problem/plugin/lent_array.hpp"

namespace sculpt::core {
namespace {

// A NaN that no computation produces. It marks entries that were not written.
constexpr std::uint64_t unset_bits = 0x7ff8'5c01'b7de'adedU;

bool is_unset(double score) {
  return std::bit_cast<std::uint64_t>(score) == unset_bits;
}

}  // namespace

Scores::Scores(const Component& features)
    : features_(features), table_(features.extension<sculpt_ext_scores>()) {
  if (table_ == nullptr) {
    throw Failure(Exit::config,
                  features.name() +
                      " offers no scores (" SCULPT_EXT_SCORES
                      "): outputs that are decided as a whole have none; use --nbest, "
                      "or --marginals with a model of crf");
  }
  rule_ = checked_rule();
  const std::int64_t columns = column_count();
  for (std::int64_t column = 0; column < columns; ++column) names_.push_back(name_of(column));
}

std::uint32_t Scores::checked_rule() const {
  std::uint32_t rule = 0;
  features_.call("scores.rule", -1,
                 [&](sculpt_error* error) { return table_->rule(features_.self(), &rule, error); });
  if (rule >= SCULPT_SCORES_LARGEST && rule <= SCULPT_SCORES_WHOLE) return rule;
  features_.refuse(Exit::plugin, -1,
                   "the rule of its scores is " + std::to_string(rule) +
                       "; give one of SCULPT_SCORES_LARGEST, _SIGN, _ORDER and _WHOLE");
}

std::int64_t Scores::column_count() const {
  std::int64_t columns = 0;
  features_.call("scores.columns", -1, [&](sculpt_error* error) {
    return table_->columns(features_.self(), &columns, error);
  });
  if (columns < 1 || columns > max_answer_labels) {
    features_.refuse(Exit::plugin, -1,
                     "has " + std::to_string(columns) +
                         " columns of scores; there must be from 1 to " +
                         std::to_string(max_answer_labels));
  }
  return columns;
}

std::string Scores::name_of(std::int64_t column) const {
  ByteBuffer text;
  features_.call("scores.column_name", -1, [&](sculpt_error* error) {
    return table_->column_name(features_.self(), column, text.raw(), error);
  });
  return text.text_of(features_, -1);
}

std::int64_t Scores::row_count(std::int64_t example) const {
  std::int64_t rows = 0;
  features_.call("scores.rows", example, [&](sculpt_error* error) {
    return table_->rows(features_.self(), example, &rows, error);
  });
  const auto columns = static_cast<std::int64_t>(names_.size());
  if (rows >= 0 && rows <= max_answer_labels / columns) return rows;
  features_.refuse(Exit::plugin, example,
                   "has " + std::to_string(rows) + " rows of " + std::to_string(columns) +
                       " scores; there must be from 0 to " + std::to_string(max_answer_labels) +
                       " of them");
}

void Scores::write(std::int64_t example, sculpt_weights w, std::vector<double>& out) const {
  const auto count = static_cast<std::size_t>(row_count(example)) * names_.size();
  out.assign(count + 1, std::bit_cast<double>(unset_bits));  // the extra entry must stay unset
  const FilledArray<double> filled(features_, "the scores", std::span(out).first(count));
  features_.call("scores.scores", example, [&](sculpt_error* error) {
    return table_->scores(features_.self(), example, w, filled.data(), error);
  });
  filled.take();
  if (!is_unset(out.back())) {
    features_.refuse(Exit::plugin, example, "writes more scores than it has rows for");
  }
  out.pop_back();
  for (std::size_t k = 0; k < count; ++k) {
    if (std::isfinite(out[k])) continue;
    const std::string entry = "score " + std::to_string(k) + " of " + std::to_string(count);
    if (is_unset(out[k])) features_.refuse(Exit::plugin, example, "leaves " + entry + " unset");
    features_.refuse(Exit::data, example, entry + " overflows; set \"scaling\" in \"dataset\"");
  }
}

}  // namespace sculpt::core
