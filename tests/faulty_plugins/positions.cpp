// positions.cpp - a complete task without a fault, whose labels do not depend on each other. Some
// mutants are copies of it with one change. Keep text that a mutant replaces on one line.
//
// Sequences of labels a, b, c with one input each; a line of data is "a:1 b:-0.5", or "-" for the
// empty sequence.
//   psi(x, y) = ( sum_t x_t e_{y_t},   sum_t e_{y_t} )
//   Delta(y, y') = the square of the number of wrong labels: no sum over the parts of y'
// The oracle lists all outputs. Its features offer scores, also of the empty sequence.
#include <algorithm>
#include <map>
#include <sculpt/sculpt.hpp>
#include <string>
#include <utility>
#include <vector>

namespace {

class Positions {
 public:
  static constexpr sculpt::About about{"org.test.positions", "1.0.0",
                                       "labels that do not depend on each other, for tests"};
  static constexpr const char* experiments[] = {R"({
    "name": "positions_lines",
    "dataset": {"use": "positions", "train": {"text":
      "b:1\n-\na:-1 c:0.5\nc:1 b:2\nc:1 b:2 a:0\nb:0.25 b:-3 c:1\n"}},
    "features": "positions", "loss": "positions", "oracle": "positions",
    "solver": {"use": "n_slack", "C": 1}})"};

  void load(std::string_view split, const sculpt::Source& source) {
    const std::int64_t begin = count();
    sculpt::LineReader reader(source);
    while (reader.next()) {
      Line line;
      for (const sculpt::Field& field : reader.fields()) {
        if (field.text == "-") continue;
        if (field.text.size() < 3 || field.text[0] < 'a' || field.text[0] > 'c') {
          throw reader.error(0, "write a label from a to c, a colon and a number");
        }
        line.truth.push_back(field.text[0] - 'a');
        line.inputs.push_back(std::stod(std::string(field.text.substr(2))));
      }
      lines_.push_back(std::move(line));
    }
    splits_[std::string(split)] = {begin, count()};
  }
  std::int64_t count() const { return static_cast<std::int64_t>(lines_.size()); }
  sculpt::Range split(std::string_view name) const {
    const auto found = splits_.find(std::string(name));
    return found == splits_.end() ? sculpt::Range() : found->second;
  }
  sculpt::Labels truth(std::int64_t example) const { return sculpt::Labels(line(example).truth); }

  std::int64_t dimension() const { return 2 * states; }
  void features(std::int64_t example, sculpt::Labels y, sculpt::Sum& sum) const {
    for (std::size_t t = 0; t < y.size(); ++t) {
      sum.add(y[t], line(example).inputs[t]);
      sum.add(states + y[t], 1);
    }
  }

  std::uint32_t score_rule() const { return SCULPT_SCORES_LARGEST; }
  std::int64_t score_columns() const { return states; }
  void score_name(std::int64_t column, sculpt::ByteOutput& out) const {
    out << std::to_string(column);
  }
  std::int64_t score_rows(std::int64_t example) const {
    return static_cast<std::int64_t>(line(example).inputs.size());
  }
  void write_scores(std::int64_t example, sculpt::Weights w, std::span<double> scores) const {
    for (std::size_t k = 0; k < scores.size(); ++k) {
      scores[k] = score(w, line(example).inputs[k / states], k % states);
    }
  }

  double loss(sculpt::Labels truth, sculpt::Labels guess) const {
    double wrong = 0;
    for (std::size_t t = 0; t < truth.size(); ++t) wrong += truth[t] != guess[t] ? 1 : 0;
    return wrong * wrong;
  }

  class Session {
   public:
    explicit Session(const Positions& owner) : owner_(owner) {}

    void argmax(const sculpt::Query& query, sculpt::Answer& answer) {
      list(query, query.loss_weight);
      answer.labels().assign(sculpt::Labels(outputs_.front().second));
      answer.exact(outputs_.front().first);
    }
    void begin_k_best(const sculpt::Query& query) {
      const double loss_weight = query.loss_weight;
      list(query, loss_weight);
      next_ = 0;
    }
    void next_best(sculpt::Answer& answer) {
      if (next_ == outputs_.size()) return answer.no_output();
      answer.labels().assign(sculpt::Labels(outputs_[next_].second));
      answer.exact(outputs_[next_++].first);
    }

   private:
    // All outputs with their values, the best first.
    void list(const sculpt::Query& query, double loss_weight) {
      const std::vector<double>& x = owner_.line(query.example).inputs;
      outputs_.assign(1, {0, {}});
      for (const double input : x) {
        std::vector<std::pair<double, std::vector<std::int32_t>>> longer;
        for (const auto& [value, labels] : outputs_) {
          for (std::size_t k = 0; k < states; ++k) {
            longer.emplace_back(value + score(query.weights, input, k), labels);
            longer.back().second.push_back(static_cast<std::int32_t>(k));
          }
        }
        outputs_ = std::move(longer);
      }
      if (loss_weight > 0) {
        for (auto& [value, labels] : outputs_) {
          value += loss_weight * owner_.loss(query.truth, sculpt::Labels(labels));
        }
      }
      std::stable_sort(outputs_.begin(), outputs_.end(),
                       [](const auto& a, const auto& b) { return a.first > b.first; });
    }

    const Positions& owner_;
    std::vector<std::pair<double, std::vector<std::int32_t>>> outputs_;
    std::size_t next_ = 0;
  };

  std::int64_t enumerate(std::int64_t example, std::int64_t limit,
                         const sculpt::Visit& visit) const {
    std::vector<std::int32_t> y(line(example).inputs.size(), 0);
    std::int64_t count = 1;
    for (std::size_t t = 0; t < y.size(); ++t) count *= states;
    if (count > limit) return limit + 1;
    for (std::int64_t number = 0; number < count; ++number) {
      std::int64_t rest = number;
      for (std::int32_t& label : y) {
        label = static_cast<std::int32_t>(rest % states);
        rest /= states;
      }
      visit(sculpt::Labels(y));
    }
    return count;
  }

 private:
  static constexpr std::int64_t states = 3;

  struct Line {
    std::vector<std::int32_t> truth;
    std::vector<double> inputs;
  };
  const Line& line(std::int64_t example) const { return lines_[static_cast<std::size_t>(example)]; }
  static double score(sculpt::Weights w, double input, std::size_t label) {
    return w[label] * input + w[states + label];
  }

  std::vector<Line> lines_;
  std::map<std::string, sculpt::Range> splits_;
};

}  // namespace

SCULPT_PLUGIN("positions", "1.0.0", "Apache-2.0", sculpt::Task<Positions>)
