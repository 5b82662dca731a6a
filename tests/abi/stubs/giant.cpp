// giant.cpp - one example of very many binary items, as for losses on the whole output of a
// classifier. The oracle runs its one call on all threads of the host.
//
//   psi(x, y) = 1/n sum_j y_j x_j in R^2,   Delta = wrong items / n,   y_j in {0, 1}
//
// The data are the number of items and a seed. load() makes random items from them.
#include <sculpt/sculpt.hpp>

namespace {

class Giant {
 public:
  static constexpr sculpt::About about{"org.sculpt.stub.giant", "1.0.0", "one giant example"};
  static constexpr std::int64_t block = 1 << 14;  // items of a task, for any number of threads

  explicit Giant(sculpt::Host host) : host_(host) {}

  void load(std::string_view, const sculpt::Source& source) {
    sculpt::LineReader reader(source);
    reader.next();
    const auto size =
        static_cast<std::size_t>(reader.integer(reader.fields().at(0), "a number of items"));
    auto random = static_cast<std::uint64_t>(reader.integer(reader.fields().at(1), "a seed"));
    for (std::size_t j = 0; j < size; ++j) {
      for (int k = 0; k < 2; ++k) {
        random = random * 6364136223846793005u + 1442695040888963407u;  // Knuth's MMIX
        inputs_.push_back(static_cast<double>(random >> 11) / 9007199254740992.0 - 0.5);
      }
      truth_.push_back(inputs_[2 * j] + 0.3 * inputs_[2 * j + 1] > 0.1 ? 1 : 0);
    }
  }
  std::int64_t count() const { return 1; }
  sculpt::Range split(std::string_view name) const {
    return name == "train" ? sculpt::Range{0, 1} : sculpt::Range{};
  }
  sculpt::Labels truth(std::int64_t) const { return truth_; }

  std::int64_t dimension() const { return 2; }
  void features(std::int64_t, sculpt::Labels y, sculpt::Sum& sum) const {
    double total[2] = {0, 0};
    for (std::size_t j = 0; j < y.size(); ++j) {
      for (std::size_t k = 0; k < 2; ++k) total[k] += y[j] * inputs_[2 * j + k];
    }
    sum.add(0, total[0] / size());
    sum.add(1, total[1] / size());
  }

  double loss(sculpt::Labels truth, sculpt::Labels guess) const {
    double wrong = 0;
    for (std::size_t j = 0; j < truth.size(); ++j) wrong += truth[j] == guess[j] ? 0 : 1;
    return wrong / size();
  }

  // No score depends on two items. Each item takes the label with the larger value, 0 in a tie.
  void argmax(const sculpt::Query& query, sculpt::Answer& answer) const {
    const auto items = static_cast<std::int64_t>(truth_.size());
    const std::span<std::int32_t> y = answer.labels().resize(items);
    std::vector<double> values(static_cast<std::size_t>((items + block - 1) / block), 0.0);
    host_.parallel(static_cast<std::int64_t>(values.size()), [&](std::int64_t task) {
      const auto end = static_cast<std::size_t>(std::min(items, (task + 1) * block));
      for (auto j = static_cast<std::size_t>(task * block); j < end; ++j) {
        const double score =
            query.weights[0] * inputs_[2 * j] + query.weights[1] * inputs_[2 * j + 1];
        const double cost = query.loss_weight;
        const double zero = query.loss_weight > 0 && query.truth[j] != 0 ? cost : 0;
        const double one = score + (query.loss_weight > 0 && query.truth[j] != 1 ? cost : 0);
        y[j] = one > zero ? 1 : 0;
        values[static_cast<std::size_t>(task)] += std::max(zero, one);
      }
    });
    double value = 0;
    for (const double part : values) value += part;  // in the order of the tasks
    answer.exact(value / size());
  }

 private:
  double size() const { return static_cast<double>(truth_.size()); }

  sculpt::Host host_;
  std::vector<std::int32_t> truth_;
  std::vector<double> inputs_;  // [items][2]
};

}  // namespace

SCULPT_PLUGIN("stub_giant", "1.0.0", "Apache-2.0", sculpt::Task<Giant>)
