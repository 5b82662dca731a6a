// weather.cpp - a complete task with two dictionaries and without a fault. Mutants in
// states.cmake are copies of it whose state lacks something. Keep text that a mutant replaces on
// one line.
//
// A line of data is "sunny hot dry": a label, or ? if it is unknown, then words.
//   psi(x, y) = sum over the words of x of e_(y, word)
//   Delta(y, y') = 1 if y and y' differ
// Labels and words are those of the training data. Other words are left out, and an example with
// another label is unlabelled.
#include <algorithm>
#include <limits>
#include <map>
#include <sculpt/sculpt.hpp>
#include <string>
#include <vector>

namespace {

class Dictionary {
 public:
  std::int64_t count() const { return static_cast<std::int64_t>(words_.size()); }
  const std::string& word(std::int32_t number) const { return words_[std::size_t(number)]; }
  // Returns the number of a word, -1 if it is unknown.
  std::int32_t find(std::string_view word) const {
    const auto found = std::find(words_.begin(), words_.end(), word);
    return found == words_.end() ? -1 : static_cast<std::int32_t>(found - words_.begin());
  }
  std::int32_t add(std::string_view word) {
    if (find(word) < 0) words_.emplace_back(word);
    return find(word);
  }
  void save(sculpt::StateWriter& out) const {
    out.integer(count());
    for (const std::string& word : words_) out.text(word);
  }
  void restore(sculpt::StateReader& in) {
    words_.clear();
    for (std::int64_t left = in.count(1); left > 0; --left) words_.emplace_back(in.text());
  }

 private:
  std::vector<std::string> words_;
};

class Weather {
 public:
  static constexpr sculpt::About about{"org.test.weather", "1.0.0", "the weather of some words"};
  static constexpr const char* experiments[] = {R"({
    "name": "weather_of_five_days",
    "dataset": {"use": "weather", "train": {"text":
      "sunny hot dry\nrainy cold wet\nsunny dry\ncloudy cold\nrainy wet windy\n"}},
    "features": "weather", "loss": "weather", "oracle": "weather",
    "solver": {"use": "n_slack", "C": 1}})"};

  void load(std::string_view split, const sculpt::Source& source) {
    const bool learns = split == "train" && !restored_;
    const std::int64_t begin = count();
    sculpt::LineReader reader(source);
    while (reader.next()) {
      const std::vector<sculpt::Field>& fields = reader.fields();
      if (fields.empty()) throw reader.error(0, "needs a label, or ?");
      Day day;
      for (std::size_t k = 1; k < fields.size(); ++k) {
        if (learns) words_.add(fields[k].text);
        const std::int32_t word = words_.find(fields[k].text);
        if (word >= 0) day.words.push_back(word);
      }
      if (learns && fields[0].text != "?") labels_.add(fields[0].text);
      day.label = labels_.find(fields[0].text);
      days_.push_back(day);
    }
    splits_[std::string(split)] = {begin, count()};
  }
  std::int64_t count() const { return static_cast<std::int64_t>(days_.size()); }
  sculpt::Range split(std::string_view name) const {
    const auto found = splits_.find(std::string(name));
    return found == splits_.end() ? sculpt::Range() : found->second;
  }
  sculpt::Labels truth(std::int64_t example) const {
    const Day& day = days_[static_cast<std::size_t>(example)];
    return day.label < 0 ? sculpt::Labels() : sculpt::Labels(&day.label, 1);
  }
  void format(std::int64_t, sculpt::Labels y, sculpt::ByteOutput& out) const {
    out << labels_.word(y[0]);
  }

  void save(sculpt::StateWriter& out) const {
    labels_.save(out);
    words_.save(out);
  }
  void restore(sculpt::StateReader& in) {
    restored_ = true;
    labels_.restore(in);
    words_.restore(in);
  }

  std::int64_t dimension() const { return labels_.count() * words_.count(); }
  void features(std::int64_t example, sculpt::Labels y, sculpt::Sum& sum) const {
    for (const std::int32_t word : days_[static_cast<std::size_t>(example)].words) {
      sum.add(y[0] * words_.count() + word, 1);
    }
  }
  double loss(sculpt::Labels truth, sculpt::Labels guess) const { return truth[0] != guess[0]; }
  std::int64_t enumerate(std::int64_t, std::int64_t limit, const sculpt::Visit& visit) const {
    if (labels_.count() > limit) return limit + 1;
    for (std::int32_t y = 0; y < labels_.count(); ++y) visit(sculpt::Labels(&y, 1));
    return labels_.count();
  }
  void argmax(const sculpt::Query& query, sculpt::Answer& answer) const {
    std::int32_t best = 0;
    double best_value = -std::numeric_limits<double>::infinity();
    for (std::int32_t y = 0; y < labels_.count(); ++y) {
      double value = query.loss_weight > 0 ? query.loss_weight * loss(query.truth, {&y, 1}) : 0;
      for (const std::int32_t word : days_[static_cast<std::size_t>(query.example)].words) {
        value += query.weights[static_cast<std::size_t>(y * words_.count() + word)];
      }
      if (value <= best_value) continue;
      best_value = value;
      best = y;
    }
    answer.labels().assign({&best, 1});
    answer.exact(best_value);
  }

 private:
  struct Day {
    std::int32_t label = -1;  // -1: unknown
    std::vector<std::int32_t> words;
  };

  bool restored_ = false;
  Dictionary labels_;
  Dictionary words_;
  std::vector<Day> days_;
  std::map<std::string, sculpt::Range> splits_;
};

}  // namespace

SCULPT_PLUGIN("weather", "1.0.0", "Apache-2.0", sculpt::Task<Weather>)
