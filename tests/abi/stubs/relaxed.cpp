// relaxed.cpp - an oracle that also gives relaxed answers, which can be fractional (cpp/cuts.hpp).
//
// Items have size 2, the bag has size 3. An output takes one item or none. A relaxed answer can
// also take half of another item. Outputs are y in {0, 1}^m. The data have one example a line: the
// item of the truth (-1: none), then the value of each item.
//
//   psi(x, y)_j = y_j x_j,   Delta(t, y) = sum_j [t_j != y_j] = sum_j t_j + sum_j (1 - 2 t_j) y_j
#include <sculpt/sculpt.hpp>

namespace {

class Bag {
 public:
  static constexpr sculpt::About about{"org.sculpt.stub.bag", "1.0.0", "items into a bag"};
  static constexpr const char* experiments[] = {R"({
    "name": "three_bags",
    "dataset": {"use": "bag", "train": {"text": "0 1 2 3\n-1 0.5 -1 2\n2 2 1 1\n"}},
    "features": "bag", "loss": "bag", "oracle": "bag", "solver": {"use": "n_slack", "C": 1}})"};

  void load(std::string_view, const sculpt::Source& source) {
    sculpt::LineReader reader(source);
    while (reader.next()) {
      const auto& fields = reader.fields();
      if (items_ == 0) items_ = fields.size() - 1;
      if (fields.size() != items_ + 1) {
        throw reader.error(0, "needs an item and the values of " + std::to_string(items_));
      }
      const std::int64_t taken = reader.integer(fields.at(0), "an item");
      for (std::size_t j = 0; j < items_; ++j) {
        truth_.push_back(static_cast<std::int64_t>(j) == taken ? 1 : 0);
        values_.push_back(reader.real(fields[j + 1], "a value"));
      }
    }
  }
  std::int64_t count() const { return static_cast<std::int64_t>(truth_.size() / items_); }
  sculpt::Range split(std::string_view name) const {
    return name == "train" ? sculpt::Range{0, count()} : sculpt::Range{};
  }
  sculpt::Labels truth(std::int64_t example) const {
    return {truth_.data() + first(example), items_};
  }

  void save(sculpt::StateWriter& out) const { out.integer(static_cast<std::int64_t>(items_)); }
  void restore(sculpt::StateReader& in) { items_ = static_cast<std::size_t>(in.integer()); }

  std::int64_t dimension() const { return static_cast<std::int64_t>(items_); }
  void features(std::int64_t example, sculpt::Labels y, sculpt::Sum& sum) const {
    for (std::size_t j = 0; j < items_; ++j) {
      if (y[j] != 0) sum.add(static_cast<std::int64_t>(j), value_of(example, j));
    }
  }
  double loss(sculpt::Labels truth, sculpt::Labels guess) const {
    double wrong = 0;
    for (std::size_t j = 0; j < items_; ++j) wrong += truth[j] == guess[j] ? 0 : 1;
    return wrong;
  }

  std::int64_t enumerate(std::int64_t, std::int64_t limit, const sculpt::Visit& visit) const {
    const auto count = static_cast<std::int64_t>(items_) + 1;
    if (count > limit) return limit + 1;
    for (std::size_t taken = 0; taken <= items_; ++taken) {
      std::vector<std::int32_t> y(items_, 0);
      if (taken < items_) y[taken] = 1;
      visit(sculpt::Labels(y));
    }
    return count;
  }

  void argmax(const sculpt::Query& query, sculpt::Answer& answer) const {
    const Choice choice = choose(query);
    write(choice.first, answer.labels());
    answer.exact(choice.base + (choice.first < items_ ? choice.first_gain : 0));
  }

  // The best item, and half of the second best item.
  void cut(const sculpt::Query& query, sculpt::Sum& psi, sculpt::Cut& out) const {
    const Choice choice = choose(query);
    double value = choice.base;
    double loss = static_cast<double>(std::count(query.truth.begin(), query.truth.end(), 1));
    auto take = [&](std::size_t j, double gain, double part) {
      if (j == items_) return;
      psi.add(static_cast<std::int64_t>(j), part * value_of(query.example, j));
      if (query.truth.known()) loss += part * (1 - 2 * query.truth[j]);
      value += part * gain;
    };
    take(choice.first, choice.first_gain, 1);
    take(choice.second, choice.second_gain, 0.5);
    out.loss(loss);  // 0 without a truth
    out.exact(value);
    if (choice.second < items_) {
      out.fractional();
    } else {
      write(choice.first, out.labels());
    }
  }

 private:
  // Writes the output with this item. item = items_: no item.
  void write(std::size_t item, sculpt::LabelOutput labels) const {
    const auto y = labels.resize(static_cast<std::int64_t>(items_));
    std::fill(y.begin(), y.end(), 0);
    if (item < items_) y[item] = 1;
  }

  struct Choice {
    double base = 0;  // value of the empty bag
    std::size_t first;
    std::size_t second;  // the items with the two largest gains above 0, items_ if there is none
    double first_gain = 0;
    double second_gain = 0;
  };
  Choice choose(const sculpt::Query& query) const {
    Choice choice{0, items_, items_, 0, 0};
    for (std::size_t j = 0; j < items_; ++j) {
      double gain = query.weights[j] * value_of(query.example, j);
      if (query.loss_weight > 0) {
        gain += query.loss_weight * (1 - 2 * query.truth[j]);
        choice.base += query.loss_weight * query.truth[j];
      }
      if (gain > choice.first_gain) {
        choice.second = choice.first;
        choice.second_gain = choice.first_gain;
        choice.first = j;
        choice.first_gain = gain;
      } else if (gain > choice.second_gain) {
        choice.second = j;
        choice.second_gain = gain;
      }
    }
    return choice;
  }
  std::size_t first(std::int64_t example) const {
    return static_cast<std::size_t>(example) * items_;
  }
  double value_of(std::int64_t example, std::size_t j) const { return values_[first(example) + j]; }

  std::size_t items_ = 0;
  std::vector<std::int32_t> truth_;  // [count][items]
  std::vector<double> values_;       // [count][items]
};

}  // namespace

SCULPT_PLUGIN("stub_relaxed", "1.0.0", "Apache-2.0", sculpt::Task<Bag>)
