// tagger.cpp - a complete task without a fault. Many mutants in CMakeLists.txt are copies of it
// with one change. Keep text that a mutant replaces on one line.
//
// Sequences of labels a, b, c with one input each; a line of data is "a:1 b:-0.5 c:2".
//   psi(x, y) = ( sum_t x_t e_{y_t},   sum_t e_{y_t},   sum_t e_{y_t} (x) e_{y_{t+1}} )
//   Delta(y, y') = number of wrong labels
// The oracle is Viterbi's algorithm.
#include <limits>
#include <map>
#include <sculpt/sculpt.hpp>
#include <string>
#include <vector>

namespace {

class Tagger {
 public:
  static constexpr sculpt::About about{"org.test.tagger", "1.0.0",
                                       "labels of sequences, for tests"};
  static constexpr const char* experiments[] = {R"({
    "name": "tagger_lines",
    "dataset": {"use": "tagger", "train": {"text":
      "b:1\na:-1 c:0.5\nc:1 b:2 a:0\nb:0.25 b:-3 c:1\na:1 c:1 b:1 b:2\n"}},
    "features": "tagger", "loss": "tagger", "oracle": "tagger",
    "solver": {"use": "n_slack", "C": 1}})"};

  void load(std::string_view split, const sculpt::Source& source) {
    const std::int64_t begin = count();
    sculpt::LineReader reader(source);
    while (reader.next()) {
      Line line;
      for (const sculpt::Field& field : reader.fields()) {
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

  void save(sculpt::StateWriter& out) const { out.integer(1); }
  void restore(sculpt::StateReader& in) {
    if (in.integer() != 1) in.damaged();
  }

  void format(std::int64_t, sculpt::Labels y, sculpt::ByteOutput& out) const {
    for (const std::int32_t label : y) out << std::string(1, static_cast<char>('a' + label));
  }
  void parse(std::int64_t, std::string_view text, sculpt::LabelOutput& out) const {
    std::vector<std::int32_t> y;
    for (const char c : text) y.push_back(c - 'a');
    out.assign(sculpt::Labels(y));
  }

  std::int64_t dimension() const { return transition_from + states * states; }
  void features(std::int64_t example, sculpt::Labels y, sculpt::Sum& sum) const {
    const std::vector<double>& x = line(example).inputs;
    for (std::size_t t = 0; t < y.size(); ++t) {
      sum.add(y[t], x[t]);
      sum.add(bias_from + y[t], 1);
    }
    for (std::size_t t = 1; t < y.size(); ++t) {
      sum.add(transition_from + y[t - 1] * states + y[t], 1);
    }
  }
  void weight_name(std::int64_t j, sculpt::ByteOutput& out) const {
    const auto letter = [](std::int64_t k) { return std::string(1, static_cast<char>('a' + k)); };
    if (j < bias_from) {
      out << "input " << letter(j);
    } else if (j < transition_from) {
      out << "bias " << letter(j - bias_from);
    } else {
      out << letter((j - transition_from) / states) << "->"
          << letter((j - transition_from) % states);
    }
  }

  double loss(sculpt::Labels truth, sculpt::Labels guess) const {
    double wrong = 0;
    for (std::size_t t = 0; t < truth.size(); ++t) wrong += truth[t] != guess[t] ? 1 : 0;
    return wrong;
  }

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

  class Session {
   public:
    explicit Session(const Tagger& owner) : owner_(owner) {}

    void argmax(const sculpt::Query& query, sculpt::Answer& answer) {
      const std::vector<double>& x = owner_.line(query.example).inputs;
      const double* w = query.weights.data();
      const sculpt::Labels truth = query.truth;
      const double loss_weight = query.loss_weight;
      length_ = x.size();
      best_.assign(length_ * states, 0);
      back_.assign(length_ * states, 0);
      for (std::size_t t = 0; t < length_; ++t) {
        for (std::int32_t k = 0; k < states; ++k) {
          Score node = w[k] * x[t] + w[bias_from + k];
          if (loss_weight > 0 && truth[t] != k) node += loss_weight;
          if (t > 0) node += best_before(w + transition_from, t, k);
          best_[t * states + static_cast<std::size_t>(k)] += node;
        }
      }
      const auto y = answer.labels().resize(static_cast<std::int64_t>(length_));
      double value = backtrack(y);
      answer.exact(value);
    }

   private:
    using Score = double;

    // Returns the best score of the labels before position t if label k follows. Stores the label
    // at t - 1 in back_.
    Score best_before(const double* transitions, std::size_t t, std::int32_t k) {
      Score best = -std::numeric_limits<double>::infinity();
      for (std::int32_t j = 0; j < states; ++j) {
        const double step = transitions[j * states + k];
        const Score score = best_[(t - 1) * states + static_cast<std::size_t>(j)] + step;
        if (score <= best) continue;
        best = score;
        back_[t * states + static_cast<std::size_t>(k)] = j;
      }
      return best;
    }

    // Writes the best labels to y and returns their score.
    double backtrack(std::span<std::int32_t> y) const {
      if (length_ == 0) return 0;
      const Score* last = best_.data() + (length_ - 1) * states;
      std::int32_t label = 0;
      for (std::int32_t k = 1; k < states; ++k) {
        if (last[k] > last[label]) label = k;
      }
      const double value = last[label];
      for (std::size_t t = length_; t-- > 0;) {
        y[t] = label;
        label = back_[t * states + static_cast<std::size_t>(label)];
      }
      return value;
    }

    const Tagger& owner_;
    std::size_t length_ = 0;
    std::vector<Score> best_;         // [length][states]
    std::vector<std::int32_t> back_;  // [length][states]
  };

 private:
  static constexpr std::int64_t states = 3;
  static constexpr std::int64_t bias_from = states;
  static constexpr std::int64_t transition_from = 2 * states;

  struct Line {
    std::vector<std::int32_t> truth;
    std::vector<double> inputs;
  };
  const Line& line(std::int64_t example) const { return lines_[static_cast<std::size_t>(example)]; }

  std::vector<Line> lines_;
  std::map<std::string, sculpt::Range> splits_;
};

}  // namespace

SCULPT_PLUGIN("tagger", "1.0.0", "Apache-2.0", sculpt::Task<Tagger>)
