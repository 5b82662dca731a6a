// segments.cpp - a complete task with a limit, and without a fault. Mutants in beyond.cmake are
// copies of it with one change. Keep text that a mutant replaces on one line.
//
// Sequences that are divided into segments of at most `longest` positions, each with the label a or
// b. A line of data is "A:1 a:0.5 B:-2", where a large letter begins a segment.
//   y          for each position 2 * label + (1 if a segment begins)
//   psi(x, y)  = ( sum_t x_t e_{label},   segments of each label,   segments of one position,
//                  pairs of neighbouring segments )
//   Delta      = number of wrong entries of y
// The oracle is a semi-Markov dynamic program. The experiment has no two examples of equal size,
// and no segment of two positions or more.
#include <limits>
#include <map>
#include <sculpt/sculpt.hpp>
#include <string>
#include <vector>

namespace {

class Segments {
 public:
  static constexpr sculpt::About about{"org.test.segments", "1.0.0",
                                       "sequences divided into segments, for tests"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::integer("longest", "4", 1, 8, "the length of the longest segment", "positions")};
  static constexpr const char* experiments[] = {R"({
    "name": "segments_lines",
    "dataset": {"use": "segments", "train": {"text": "B:1\nA:-1 B:0.5\nB:1 A:2 A:0\n"}},
    "features": "segments", "loss": "segments", "oracle": "segments",
    "solver": {"use": "n_slack", "C": 1}})"};

  explicit Segments(const sculpt::Parameters& given) : longest_(given.integer("longest")) {}

  void load(std::string_view split, const sculpt::Source& source) {
    const std::int64_t begin = count();
    sculpt::LineReader reader(source);
    while (reader.next()) {
      Line line;
      for (const sculpt::Field& field : reader.fields()) {
        const std::size_t letter = std::string_view("aAbB").find(field.text.substr(0, 1));
        const bool begins = letter % 2 == 1;
        if (field.text.size() < 3 || letter > 3 || (line.truth.empty() && !begins)) {
          throw reader.error(0, "write A, a, B or b, a colon and a number; begin with A or B");
        }
        line.truth.push_back(static_cast<std::int32_t>(letter));
        line.inputs.push_back(std::stod(std::string(field.text.substr(2))));
      }
      for (std::size_t t = 1; t < line.truth.size(); ++t) {
        if (line.truth[t] % 2 == 0 && line.truth[t] / 2 != line.truth[t - 1] / 2) {
          throw reader.error(0, "begin each new label with a large letter");
        }
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

  std::int64_t dimension() const { return pairs_from + states * states; }
  void features(std::int64_t example, sculpt::Labels y, sculpt::Sum& sum) const {
    const std::vector<double>& x = line(example).inputs;
    std::int32_t before = -1;  // the label of the segment before
    for (std::size_t t = 0; t < y.size(); ++t) {
      const std::int32_t label = y[t] / 2;
      sum.add(label, x[t]);
      if (y[t] % 2 == 0) continue;
      sum.add(begins_from + label, 1);
      if (t + 1 == y.size() || y[t + 1] % 2 == 1) sum.add(singles_from + label, 1);
      if (before >= 0) sum.add(pairs_from + before * states + label, 1);
      before = label;
    }
  }
  double loss(sculpt::Labels truth, sculpt::Labels guess) const {
    double wrong = 0;
    for (std::size_t t = 0; t < truth.size(); ++t) wrong += truth[t] != guess[t] ? 1 : 0;
    return wrong;
  }

  std::int64_t enumerate(std::int64_t example, std::int64_t limit,
                         const sculpt::Visit& visit) const {
    const std::size_t length = line(example).inputs.size();
    std::vector<std::int64_t> counts(length + 1, 0);  // of the outputs of each length
    counts[0] = 1;
    for (std::size_t end = 1; end <= length; ++end) {
      for (std::size_t size = 1; size <= end && fits(size); ++size) {
        counts[end] = std::min(limit + 1, counts[end] + states * counts[end - size]);
      }
    }
    if (counts[length] > limit) return limit + 1;
    std::vector<std::int32_t> y;
    visit_all(length, y, visit);
    return counts[length];
  }

  class Session {
   public:
    explicit Session(const Segments& owner) : owner_(owner) {}

    void argmax(const sculpt::Query& query, sculpt::Answer& answer) {
      const std::vector<double>& x = owner_.line(query.example).inputs;
      const std::size_t length = x.size();
      best_.assign((length + 1) * states, length == 0 ? 0 : unreachable);
      from_.assign((length + 1) * states, {0, 0});
      for (std::size_t end = 1; end <= length; ++end) {
        for (std::int32_t label = 0; label < states; ++label) {
          for (std::size_t size = 1; size <= end && owner_.fits(size); ++size) {
            extend(query, x, end, label, size);
          }
        }
      }
      const auto y = answer.labels().resize(static_cast<std::int64_t>(length));
      double value = backtrack(y);
      answer.exact(value);
      if (query.truth.count() > 0 && !owner_.covers(query.truth)) answer.truth_outside();
    }

   private:
    struct Segment {
      std::size_t size;
      std::int32_t label_before;
    };

    // Adds the segment [end - size, end) with this label to the best segments before it.
    void extend(const sculpt::Query& query, const std::vector<double>& x, std::size_t end,
                std::int32_t label, std::size_t size) {
      const double* w = query.weights.data();
      double score = w[begins_from + label];
      if (size == 1) score += w[singles_from + label];
      for (std::size_t t = end - size; t < end; ++t) {
        score += w[label] * x[t];
        const std::int32_t entry = 2 * label + (t == end - size ? 1 : 0);
        if (query.loss_weight > 0 && query.truth[t] != entry) score += query.loss_weight;
      }
      double& best = best_[end * states + static_cast<std::size_t>(label)];
      for (std::int32_t before = 0; before < states; ++before) {
        double sum = score;
        if (size < end) {
          sum += best_[(end - size) * states + static_cast<std::size_t>(before)] +
                 w[pairs_from + before * states + label];
        }
        if (sum <= best) continue;
        best = sum;
        from_[end * states + static_cast<std::size_t>(label)] = {size, before};
      }
    }

    // Writes the best output to y and returns its score.
    double backtrack(std::span<std::int32_t> y) const {
      std::size_t end = y.size();
      const std::size_t last = end * states;
      std::int32_t label = best_[last + 1] > best_[last] ? 1 : 0;
      const double value = best_[last + static_cast<std::size_t>(label)];
      while (end > 0) {
        const Segment segment = from_[end * states + static_cast<std::size_t>(label)];
        for (std::size_t t = end - segment.size; t < end; ++t) y[t] = 2 * label;
        end -= segment.size;
        y[end] += 1;
        label = segment.label_before;
      }
      return value;
    }

    static constexpr double unreachable = -std::numeric_limits<double>::infinity();

    const Segments& owner_;
    std::vector<double> best_;   // [length + 1][states] the best score up to an end
    std::vector<Segment> from_;  // [length + 1][states] the last segment
  };

 private:
  static constexpr std::int64_t states = 2;
  static constexpr std::int64_t begins_from = states;
  static constexpr std::int64_t singles_from = 2 * states;
  static constexpr std::int64_t pairs_from = 3 * states;

  struct Line {
    std::vector<std::int32_t> truth;
    std::vector<double> inputs;
  };
  const Line& line(std::int64_t example) const { return lines_[static_cast<std::size_t>(example)]; }
  bool fits(std::size_t size) const { return static_cast<std::int64_t>(size) <= longest_; }

  // True if no segment is too long.
  bool covers(sculpt::Labels y) const {
    std::size_t begin = 0;
    for (std::size_t t = 0; t < y.size(); ++t) {
      if (y[t] % 2 == 1) begin = t;
      if (!fits(t + 1 - begin)) return false;
    }
    return true;
  }

  // Visits all outputs that begin with y.
  void visit_all(std::size_t length, std::vector<std::int32_t>& y,
                 const sculpt::Visit& visit) const {
    if (y.size() == length) return visit(sculpt::Labels(y));
    const std::size_t begin = y.size();
    for (std::size_t size = 1; begin + size <= length && fits(size); ++size) {
      for (std::int32_t label = 0; label < states; ++label) {
        y.push_back(2 * label + 1);
        y.resize(begin + size, 2 * label);
        visit_all(length, y, visit);
        y.resize(begin);
      }
    }
  }

  std::int64_t longest_;
  std::vector<Line> lines_;
  std::map<std::string, sculpt::Range> splits_;
};

}  // namespace

SCULPT_PLUGIN("segments", "1.0.0", "Apache-2.0", sculpt::Task<Segments>)
