// keys.cpp - a task with a parameter of every type, and splits that may be empty. For tests of how
// the host and its schema check parameters.
//
//   data   one example a line, its label 0 or 1
//   psi(x, y) = e_y,   Delta = [y != y']
#include <cfloat>
#include <limits>
#include <map>
#include <sculpt/sculpt.hpp>
#include <string>
#include <vector>

namespace {

class Keys {
 public:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  static constexpr sculpt::About about{"org.test.keys", "1.0.0", "a parameter of every type",
                                       "for tests"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::text("must", nullptr, "a text that must be there"),
      sculpt::boolean("flag", "false", "on or off"),
      sculpt::integer("whole", "3", -2, 9, "a whole number", "things"),
      sculpt::integer("maybe", "null", 1, 9e15, "a whole number or nothing"),
      sculpt::real("rate", "0.5", DBL_MIN, 1, "above 0"),
      sculpt::real("least", "\"inf\"", 0, infinity, "a number without an upper limit", "seconds"),
      sculpt::text("words", "\"some\"", "a text"),
      sculpt::path("lexicon", "null", "a path or nothing"),
      sculpt::choice("colour", "\"red\"", "red|green", "one of two"),
      sculpt::json("anything", "{}", "any JSON"),
      sculpt::list_of(sculpt::real("rates", "[1]", 0, infinity, "numbers without upper limit")),
      sculpt::list_of(sculpt::choice("colours", "[]", "red|green", "some of two")),
      sculpt::list_of(sculpt::path("folders", "null", "paths or nothing"))};
  // A name as from bad data: an escape sequence, and a byte that is not UTF-8.
  static constexpr sculpt_metric metrics[] = {
      sculpt::lower_is_better("wrong\x1B[31m\xFF", "wrong labels")};
  static constexpr std::int64_t sum_count = 1;

  explicit Keys(const sculpt::Parameters&) {}

  void load(std::string_view split, const sculpt::Source& source) {
    const std::int64_t begin = count();
    sculpt::LineReader reader(source);
    while (reader.next()) {
      for (const sculpt::Field& field : reader.fields()) {
        truths_.push_back(static_cast<std::int32_t>(reader.integer(field, "a label")));
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
    return {&truths_[static_cast<std::size_t>(example)], 1};
  }

  std::int64_t dimension() const { return 2; }
  void features(std::int64_t, sculpt::Labels y, sculpt::Sum& sum) const { sum.add(y[0], 1); }
  double loss(sculpt::Labels truth, sculpt::Labels guess) const {
    return truth[0] == guess[0] ? 0 : 1;
  }
  void add_metrics(std::int64_t, sculpt::Labels truth, sculpt::Labels guess,
                   std::span<double> sums) const {
    sums[0] += loss(truth, guess);
  }
  void finish_metrics(std::span<const double> sums, std::span<double> values) const {
    values[0] = sums[0];
  }
  void argmax(const sculpt::Query& query, sculpt::Answer& answer) const {
    double value[2] = {query.weights[0], query.weights[1]};
    if (query.loss_weight > 0) value[1 - query.truth[0]] += query.loss_weight;
    const std::int32_t best = value[1] > value[0] ? 1 : 0;
    answer.labels().assign({&best, 1});
    answer.exact(value[best]);
  }

 private:
  std::vector<std::int32_t> truths_;
  std::map<std::string, sculpt::Range> splits_;
};

// The oracle of Keys, with a deprecated parameter.
class OldKeys {
 public:
  static constexpr sculpt::About about{"org.test.old_keys", "1.0.0", "tries both labels"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::deprecated(sculpt::integer("steps", "1", 1, 9, "It has no effect. Leave it out."))};

  explicit OldKeys(const sculpt::Parameters& given) : keys_(given) {}

  void argmax(const sculpt::Query& query, sculpt::Answer& answer) const {
    keys_.argmax(query, answer);
  }

 private:
  Keys keys_;
};

}  // namespace

SCULPT_PLUGIN("keys", "1.0.0", "Apache-2.0", sculpt::Task<Keys>, sculpt::Oracle<OldKeys>)
