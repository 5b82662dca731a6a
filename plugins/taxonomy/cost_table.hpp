// cost_table.hpp - an arbitrary loss between classes: a table with the cost of each confusion.
//
//   Delta(truth, guess) = cost[truth][guess]
//
// A row "truth * cost" gives the cost of every confusion of a class that has no row of its own.
// With such rows alone the costs are weights of classes.
//
// Called by the host (taxonomy.cpp).
#pragma once

#include <cmath>
#include <limits>
#include <map>
#include <sculpt/cpp/held_text.hpp>
#include <sculpt/cpp/site_input.hpp>
#include <sculpt/cpp/text_buffer.hpp>

#include "class_loss.hpp"

namespace taxonomy {

// A loss between two classes. Each row gives the cost of one confusion, and `other` is the cost of
// all confusions without a row. Costs are in [0, 1e100]. Memory: a table of [classes][classes].
class CostTable : public ClassLoss<CostTable> {
 public:
  static constexpr double max_cost = 1e100;
  static constexpr std::size_t max_classes = 8192;  // their table takes 512 MB
  static constexpr sculpt::About about{"org.sculpt.cost_table", "1.0.1",
                                       "a table with the cost of each confusion of two classes"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::path("file", "null",
                   "rows `truth guess cost`, or `truth * cost` for every other guess"),
      sculpt::list_of(sculpt::text("rows", "null", "the rows themselves, instead of file")),
      sculpt::real("other", "1", 0, max_cost, "the cost of all other confusions")};
  static constexpr sculpt_metric metrics[] = {
      sculpt::lower_is_better("error", "share of the examples whose class is wrong"),
      sculpt::lower_is_better("cost", "mean cost of the guesses")};
  static constexpr std::int64_t sum_count = 3;  // wrong examples, costs, examples
  static constexpr const char* experiments[] = {R"({
    "name": "cost_table_three_classes",
    "dataset": {"use": "svmlight", "train": {"text": "1 1:1\n2 1:1 2:1\n3 3:1\n1 2:-1 3:1\n"}},
    "features": "multiclass",
    "loss": {"use": "cost_table", "rows": ["1 2 0.5", "2 1 0.5", "3 1 10"], "other": 2},
    "oracle": "viterbi", "solver": {"use": "n_slack", "C": 10}})"};

  explicit CostTable(const sculpt::Parameters& given)
      : table_text_(given, "rows"), other_(given.real("other")) {}

  // Reads the table. Throws E_PARAMETER if it is missing, E_DATA with the place for malformed rows.
  void bind(const sculpt::Bindings& bindings) {
    if (!table_text_.present()) {
      throw sculpt::parameter_error("needs a table; set file to its path, or rows to its rows");
    }
    const sculpt::SiteInput input(bindings.dataset);
    require_one_label(input);
    read(table_text_.source(), input);
  }
  void save(sculpt::StateWriter& writer) const { table_text_.save(writer); }
  void restore(sculpt::StateReader& reader) { table_text_.restore(reader); }

  // Requires two classes of the dataset.
  double cost(std::int32_t truth, std::int32_t guess) const {
    return costs_[static_cast<std::size_t>(truth) * classes_ + static_cast<std::size_t>(guess)];
  }
  double greatest_cost() const { return levels_.back(); }
  const std::vector<double>& levels() const { return levels_; }

  void add_metrics(std::int64_t, sculpt::Labels truth, sculpt::Labels guess,
                   std::span<double> sums) const {
    if (label(truth) == -1) return;
    sums[0] += guess.known() && truth[0] == guess[0] ? 0 : 1;
    sums[1] += loss(truth, guess);
    sums[2] += 1;
  }
  void finish_metrics(std::span<const double> sums, std::span<double> values) const {
    for (std::size_t k = 0; k < 2; ++k) {
      values[k] = sums[2] > 0 ? sums[k] / sums[2] : std::numeric_limits<double>::quiet_NaN();
    }
  }

 private:
  // Reads the rows. The levels are all costs that occur, and 0.
  void read(const sculpt::Source& source, const sculpt::SiteInput& input) {
    std::map<std::string, std::size_t, std::less<>> class_numbers;
    classes_ = static_cast<std::size_t>(input.state_count());
    for (std::size_t k = 0; k < classes_; ++k) {
      class_numbers[sculpt::text_written([&](sculpt::ByteOutput& out) {
        input.state_name(static_cast<std::int64_t>(k), out);
      })] = k;
    }
    if (classes_ > max_classes) {
      throw sculpt::data_error(std::to_string(classes_) +
                               " classes are too many for a cost table, " + "which has at most " +
                               std::to_string(max_classes) +
                               "; use the loss tree_loss or zero_one");
    }
    costs_.assign(classes_ * classes_, -1);
    std::vector<double> costs_of_truths(classes_, -1);  // of rows with *
    const bool has_class_star = class_numbers.contains("*");
    levels_ = {0};
    sculpt::LineReader reader(source);
    while (reader.next()) {
      const std::vector<sculpt::Field>& fields = reader.fields();
      if (fields.empty() || fields[0].text.starts_with('#')) continue;
      if (fields.size() != 3) {
        throw reader.error(fields[0].column,
                           "this row does not have three fields; write `truth guess cost`");
      }
      const auto class_of = [&](const sculpt::Field& field) {
        const auto found = class_numbers.find(field.text);
        if (found != class_numbers.end()) return found->second;
        throw reader.error(field.column, sculpt::shown(field.text) + " is not a class of " +
                                             input.dataset_id() + "; remove the row");
      };
      const std::size_t truth = class_of(fields[0]);
      const bool is_any_guess = fields[1].text == "*" && !has_class_star;
      const std::size_t guess = is_any_guess ? classes_ : class_of(fields[1]);
      double& cost = is_any_guess ? costs_of_truths[truth] : costs_[truth * classes_ + guess];
      if (cost >= 0) {
        throw reader.error(fields[0].column,
                           is_any_guess
                               ? "this class has a cost for every guess already; remove one of the "
                                 "rows"
                               : "these two classes have a cost already; remove one of the rows");
      }
      cost = reader.real(fields[2], "a cost");
      if (cost < 0 || (truth == guess && cost != 0)) {
        throw reader.error(fields[2].column,
                           truth == guess
                               ? "the cost of the truth itself must be 0; write 0"
                               : "this cost is negative; write a number from 0 to 1e100");
      }
      if (cost > max_cost) {
        throw reader.error(fields[2].column, "this cost is above 1e100; write a smaller one");
      }
      if (!is_any_guess) levels_.push_back(cost);
    }
    for (std::size_t k = 0; k < costs_.size(); ++k) {
      if (k % (classes_ + 1) == 0) costs_[k] = 0;  // the diagonal
      if (costs_[k] >= 0) continue;
      const double of_truth = costs_of_truths[k / classes_];
      costs_[k] = of_truth >= 0 ? of_truth : other_;
      if (levels_.back() != costs_[k]) levels_.push_back(costs_[k]);
    }
    std::sort(levels_.begin(), levels_.end());
    levels_.erase(std::unique(levels_.begin(), levels_.end()), levels_.end());
  }

  sculpt::HeldText table_text_;
  double other_;
  std::size_t classes_ = 0;
  std::vector<double> costs_;   // [truth * classes + guess]
  std::vector<double> levels_;  // ascending, from 0 on
};

}  // namespace taxonomy
