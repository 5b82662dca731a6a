// pairings.cpp - two tasks: one whose oracle knows only its own loss and features, and one whose
// oracle calls those that it is bound to. For tests of what the host pairs.
//
//   data   one example a line: its label 0, 1 or 2, and a number x
//   psi(x, y) = x e_y,   Delta = [y != y']
#include <limits>
#include <map>
#include <sculpt/sculpt.hpp>
#include <string>
#include <vector>

namespace {

constexpr std::int32_t states = 3;

// The data, features and loss of both tasks.
class Points {
 public:
  void load(std::string_view split, const sculpt::Source& source) {
    const std::int64_t begin = count();
    sculpt::LineReader reader(source);
    while (reader.next()) {
      const std::vector<sculpt::Field>& fields = reader.fields();
      if (fields.size() != 2) throw reader.error(0, "write a label and a number");
      const std::int64_t label = reader.integer(fields[0], "a label");
      if (label < 0 || label >= states)
        throw reader.error(fields[0].column, "the labels are 0 to 2");
      truths_.push_back(static_cast<std::int32_t>(label));
      inputs_.push_back(reader.real(fields[1], "a number"));
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
  void format(std::int64_t, sculpt::Labels y, sculpt::ByteOutput& out) const {
    out << std::int64_t{y[0]};
  }

  double input(std::int64_t example) const { return inputs_[static_cast<std::size_t>(example)]; }
  std::int64_t dimension() const { return states; }
  void features(std::int64_t example, sculpt::Labels y, sculpt::Sum& sum) const {
    sum.add(y[0], input(example));
  }
  double loss(sculpt::Labels truth, sculpt::Labels guess) const {
    return truth[0] == guess[0] ? 0 : 1;
  }

 protected:
  // Answers with the label of the largest value(y).
  template <class Value>
  static void answer_best(sculpt::Answer& answer, Value value) {
    std::int32_t best = 0;
    double best_value = -std::numeric_limits<double>::infinity();
    for (std::int32_t y = 0; y < states; ++y) {
      const double value_of_y = value(sculpt::Labels(&y, 1));
      if (value_of_y > best_value) best_value = value_of_y, best = y;
    }
    answer.labels().assign({&best, 1});
    answer.exact(best_value);
  }

 private:
  std::vector<std::int32_t> truths_;
  std::vector<double> inputs_;
  std::map<std::string, sculpt::Range> splits_;
};

class Closed : public Points {
 public:
  static constexpr sculpt::About about{"org.test.closed", "1.0.0", "knows only its own loss"};

  void argmax(const sculpt::Query& query, sculpt::Answer& answer) const {
    answer_best(answer, [&](sculpt::Labels y) {
      const double score = query.weights[static_cast<std::size_t>(y[0])] * input(query.example);
      return query.loss_weight > 0 ? score + query.loss_weight * loss(query.truth, y) : score;
    });
  }
};

class Open : public Points {
 public:
  static constexpr sculpt::About about{"org.test.open", "1.0.0", "calls any loss and features"};
  static constexpr bool takes_other_losses = true;
  static constexpr bool takes_other_features = true;

  void check_bindings(const sculpt::Bindings& to) const {
    if (to.loss.present() && to.loss.id() == "org.sculpt.hamming") {
      throw sculpt::unsupported_error("cannot use hamming; set loss to zero_one");
    }
  }

  class Session {
   public:
    Session(const Open&, const sculpt::Bindings& to) : features_(to.features), loss_(to.loss) {}

    void argmax(const sculpt::Query& query, sculpt::Answer& answer) const {
      answer_best(answer, [&](sculpt::Labels y) {
        sculpt::DenseSum psi(features_.dimension());
        sculpt::Sum sum = psi.sum();
        features_.add(query.example, y, sum);
        double value = 0;
        for (std::size_t j = 0; j < query.weights.size(); ++j) {
          value += query.weights[j] * psi.values()[j];
        }
        if (query.loss_weight == 0) return value;
        return value + query.loss_weight * loss_.loss(query.example, query.truth, y);
      });
    }

   private:
    sculpt::FeaturesSession features_;
    sculpt::LossSession loss_;
  };
};

// Delta = |y - y'|
struct Distance {
  static constexpr sculpt::About about{"org.test.distance", "1.0.0", "the distance of two labels"};
  double loss(sculpt::Labels truth, sculpt::Labels guess) const {
    return truth[0] < guess[0] ? guess[0] - truth[0] : truth[0] - guess[0];
  }
};

// psi(x, y) = (e_y, x e_y) on the data of either task
class Affine {
 public:
  static constexpr sculpt::About about{"org.test.affine", "1.0.0", "with a constant"};
  void bind(const sculpt::Bindings& to) {
    const auto& dataset = to.dataset;
    points_ = sculpt::same_library<Open>(dataset, sculpt::Task<Open>::DatasetPart::component);
    if (points_ == nullptr) {
      points_ = sculpt::same_library<Closed>(dataset, sculpt::Task<Closed>::DatasetPart::component);
    }
    if (points_ == nullptr) throw sculpt::unsupported_error("needs the data of open or closed");
  }
  std::int64_t dimension() const { return 2 * states; }
  void features(std::int64_t example, sculpt::Labels y, sculpt::Sum& sum) const {
    sum.add(y[0], 1);
    sum.add(states + y[0], points_->input(example));
  }

 private:
  const Points* points_ = nullptr;
};

}  // namespace

SCULPT_PLUGIN("pairings", "1.0.0", "Apache-2.0", sculpt::Task<Closed>, sculpt::Task<Open>,
              sculpt::Loss<Distance>, sculpt::Features<Affine>)
