// month.cpp - predicts the month of a day from its length and its temperature.
//
//   psi(x, y) = (x cos t_y, x sin t_y),  t_y = 2 pi y / months,  x = (1, length, temperature)
//   Delta(y, y') = months between y and y', in the shorter direction
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <numbers>
#include <sculpt/sculpt.hpp>
#include <string>
#include <vector>

class Month {
 public:
  static constexpr sculpt::About about{"org.example.month", "1.0.0", "the month of a day"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::integer("months", "12", 2, 1000, "months of a year")};

  explicit Month(const sculpt::Parameters& values)
      : months_(static_cast<std::int32_t>(values.integer("months"))) {}

  // Dataset. One example a line: its month (from 1, or ? if unknown) and its inputs.
  void load(std::string_view split, const sculpt::Source& source) {
    const std::int64_t begin = count();
    sculpt::LineReader reader(source);
    while (reader.next()) {
      const std::vector<sculpt::Field>& fields = reader.fields();
      if (fields.empty()) continue;
      if (width_ == 0) width_ = fields.size();
      if (fields.size() != width_) {
        throw reader.error(0, "has " + std::to_string(fields.size()) + " fields; the first line " +
                                  "of the training data has " + std::to_string(width_));
      }
      std::int64_t month = 0;
      if (fields[0].text != "?") {
        month = reader.integer(fields[0], "a month");
        if (month < 1 || month > months_) throw reader.error(0, "there is no such month");
      }
      truths_.push_back(static_cast<std::int32_t>(month - 1));
      inputs_.push_back(1);
      for (std::size_t k = 1; k < width_; ++k) {
        inputs_.push_back(reader.real(fields[k], "an input"));
      }
    }
    splits_[std::string(split)] = {begin, count()};
  }
  std::int64_t count() const { return static_cast<std::int64_t>(truths_.size()); }
  sculpt::Range split(std::string_view name) const {
    const auto found = splits_.find(std::string(name));
    return found == splits_.end() ? sculpt::Range() : found->second;
  }
  sculpt::Labels truth(std::int64_t example) const {
    const std::int32_t& month = truths_[static_cast<std::size_t>(example)];
    return month < 0 ? sculpt::Labels() : sculpt::Labels(&month, 1);
  }

  // State of the model: the number of fields that lines of new data must have.
  void save(sculpt::StateWriter& out) const { out.integer(static_cast<std::int64_t>(width_)); }
  void restore(sculpt::StateReader& in) { width_ = static_cast<std::size_t>(in.integer()); }
  // The text that `sculpt predict` prints.
  void format(std::int64_t, sculpt::Labels y, sculpt::ByteOutput& out) const {
    out << std::int64_t{y[0]} + 1;
  }

  // Features.
  std::int64_t dimension() const { return static_cast<std::int64_t>(2 * width_); }
  void features(std::int64_t example, sculpt::Labels y, sculpt::Sum& sum) const {
    const double* x = input(example);
    for (std::size_t k = 0; k < width_; ++k) {
      sum.add(static_cast<std::int64_t>(k), x[k] * std::cos(angle(y[0])));
      sum.add(static_cast<std::int64_t>(width_ + k), x[k] * std::sin(angle(y[0])));
    }
  }

  // Loss.
  double loss(sculpt::Labels truth, sculpt::Labels guess) const {
    const std::int32_t distance = std::abs(truth[0] - guess[0]);
    return std::min(distance, months_ - distance);
  }

  // Oracle: tries all months.
  void argmax(const sculpt::Query& query, sculpt::Answer& answer) const {
    const double* x = input(query.example);
    double cosine = 0;
    double sine = 0;
    for (std::size_t k = 0; k < width_; ++k) {
      cosine += query.weights[k] * x[k];
      sine += query.weights[width_ + k] * x[k];
    }
    std::int32_t best = 0;
    double best_value = -std::numeric_limits<double>::infinity();
    for (std::int32_t y = 0; y < months_; ++y) {
      double value = cosine * std::cos(angle(y)) + sine * std::sin(angle(y));
      if (query.loss_weight > 0) value += query.loss_weight * loss(query.truth, {&y, 1});
      if (value > best_value) {
        best_value = value;
        best = y;
      }
    }
    answer.labels().assign({&best, 1});
    answer.exact(best_value);
  }

 private:
  const double* input(std::int64_t example) const {
    return inputs_.data() + static_cast<std::size_t>(example) * width_;
  }
  double angle(std::int32_t y) const { return 2 * std::numbers::pi * y / months_; }

  std::int32_t months_;
  std::size_t width_ = 0;             // fields of a line
  std::vector<std::int32_t> truths_;  // -1: unknown
  std::vector<double> inputs_;        // [count][width_]
  std::map<std::string, sculpt::Range> splits_;
};

SCULPT_PLUGIN("month", "1.0.0", "MIT", sculpt::Task<Month>)
