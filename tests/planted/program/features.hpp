// features.hpp - the joint feature map of phases, and what its oracle needs.
//
//   psi(x, y) = sum over the phases of y of
//                 [sums of 1, x and x^2]  in the block of its label
//               + [its length]            one weight each, longer ones count as `longest`
//               + [label before, label]   if there is a phase before
#pragma once

#include <optional>

#include "program.hpp"

namespace phases {

class Segments {
 public:
  static constexpr sculpt::About about{"org.example.phases", "1.0.0",
                                       "phases by their values, length and order"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::integer("longest", "4", 1, 1000, "no phase is longer", "values")};
  static constexpr const char* counts[] = {"errors", "matched", "predicted"};
  static constexpr const char* experiments[] = {
      R"({
        "dataset": {"use": "phases", "train": {"text":
          "walk 1.2 0.9 1.1; rest 0.1 0.2\nrest 0.3; walk 0.8 1.0\nrun 2.1 1.9; walk 1.1; walk 0.7\n"}},
        "features": "phases", "loss": "f1", "oracle": "phases",
        "solver": {"use": "n_slack", "C": 10}})",
      R"({
        "dataset": {"use": "phases", "train": {"text":
          "a 1 2 1; b 0 0\nb 0.5; a 1.5 2; b 0\n"}},
        "features": {"use": "phases", "longest": 3}, "loss": "hamming", "oracle": "phases",
        "solver": {"use": "n_slack", "C": 10}})",
      R"({
        "dataset": {"use": "phases", "train": {"text":
          "a 1 2 1; b 0 0\nb 0.5 0.1; a 1.5\n"}},
        "features": {"use": "phases", "longest": 2}, "loss": "difference", "oracle": "phases",
        "solver": {"use": "one_slack", "C": 10}})"};

  Segments(const sculpt::Parameters& values, sculpt::Host host)
      : longest_(values.integer("longest")), host_(host) {}

  void bind(const sculpt::Bindings& bindings) {
    recordings_ =
        sculpt::same_library<Recordings>(bindings.dataset, sculpt::Dataset<Recordings>::component);
    if (recordings_ == nullptr) {
      throw sculpt::unsupported_error("works only with its own dataset; set dataset.use to phases");
    }
    weights_ = {recordings_->label_count(), longest_};
    warn_of_long_phases();
  }
  std::int64_t dimension() const { return weights_.dimension(); }

  void features(std::int64_t example, sculpt::Labels y, sculpt::Sum& sum) const {
    Phase phase;
    for (std::size_t s = 0, t = 0; s < y.size(); s = t) {
      t = end_of_phase(y, s);
      phase = {static_cast<std::int64_t>(s), static_cast<std::int64_t>(t), label_of(y[s]),
               s > 0 ? phase.label : -1};
      weights_.each(recordings_->values(example), phase,
                    [&](std::int64_t j, double value) { sum.add(j, value); });
    }
  }

  void weight_name(std::int64_t weight, sculpt::ByteOutput& out) const {
    const std::int64_t length = weight - weights_.length(1);
    const std::int64_t pair = weight - weights_.pair(0, 0);
    if (length < 0) {
      static constexpr const char* sums[] = {": values", ": sum", ": squares"};
      out << recordings_->label_name(weight / 3) << sums[weight % 3];
    } else if (pair < 0) {
      out << "length " << length + 1;
    } else {
      out << recordings_->label_name(pair / weights_.labels) << " -> "
          << recordings_->label_name(pair % weights_.labels);
    }
  }

  class Session {  // the methods that ProgramOracle needs
   public:
    explicit Session(const Segments& owner) : owner_(owner) {}

    const Divisions& program(std::int64_t example, std::span<const double> w) {
      return divisions_.emplace(owner_.recordings_->values(example), owner_.weights_, w);
    }
    bool covers(std::int64_t example, sculpt::Labels y) const {
#if PLANTED == 23
      return y.size() == owner_.recordings_->values(example).size();
#else
      (void)example;
      return longest_phase(y) <= owner_.longest_;
#endif
    }
    void output(std::int64_t, const std::vector<Divisions::Edge>& edges,
                std::vector<std::int32_t>& y) const {
      y.assign(divisions_->x().size(), 0);
      for (const Divisions::Edge& edge : edges) {
        if (!Divisions::is_phase(edge)) continue;
        const Phase phase = divisions_->phase(edge);
        for (std::int64_t i = phase.begin; i < phase.end; ++i) {
          y[static_cast<std::size_t>(i)] = label_at(phase, i);
        }
      }
    }
    void add(std::int64_t, const Divisions::Edge& edge, double factor, sculpt::Sum& sum) const {
      if (!Divisions::is_phase(edge)) return;
      owner_.weights_.each(divisions_->x(), divisions_->phase(edge),
                           [&](std::int64_t j, double value) { sum.add(j, factor * value); });
    }

    void begin_counts(std::int64_t, sculpt::Labels truth, std::span<const sculpt_count> counts) {
      truth_ = truth;
      names_.clear();
      for (const sculpt_count& count : counts) names_.emplace_back(count.name);
#if PLANTED == 21
      phase_end_.resize(truth.size());
#else
      phase_end_.assign(truth.size(), 0);
#endif
      for (std::size_t s = 0; s < truth.size(); s = phase_end_[s]) {
        phase_end_[s] = end_of_phase(truth, s);
      }
    }
    sculpt::program::Counts counts(const Divisions::Edge& edge) const {
      sculpt::program::Counts result{0, 0};
      if (!Divisions::is_phase(edge)) return result;
      const Phase phase = divisions_->phase(edge);
      for (std::size_t k = 0; k < names_.size(); ++k) {
        if (names_[k] == "predicted") {
          result[k] = 1;
        } else if (names_[k] == "matched") {
          result[k] = is_match(phase) ? 1 : 0;
        } else {
          result[k] = errors(phase);
        }
      }
      return result;
    }

   private:
    static std::int32_t label_at(const Phase& phase, std::int64_t i) {
      return static_cast<std::int32_t>(2 * phase.label + (i == phase.begin ? 1 : 0));
    }
    bool is_match(const Phase& phase) const {
      const auto s = static_cast<std::size_t>(phase.begin);
      if (label_of(truth_[s]) != phase.label) return false;
#if PLANTED == 19
      return phase.end == static_cast<std::int64_t>(end_of_phase(truth_, s));
#else
      return phase.end == static_cast<std::int64_t>(phase_end_[s]);
#endif
    }
    std::int64_t errors(const Phase& phase) const {
      std::int64_t errors = 0;
      for (std::int64_t i = phase.begin; i < phase.end; ++i) {
        errors += truth_[static_cast<std::size_t>(i)] != label_at(phase, i) ? 1 : 0;
      }
      return errors;
    }

    const Segments& owner_;
    std::optional<Divisions> divisions_;
    sculpt::Labels truth_;
    std::vector<std::string_view> names_;  // of the counts
    std::vector<std::size_t> phase_end_;   // [values] where the phase of the truth ends that begins
                                           // here, 0 if none does
  };

 private:
  static std::int64_t longest_phase(sculpt::Labels y) {
    std::size_t longest = 0;
    for (std::size_t s = 0, t = 0; s < y.size(); s = t) {
      t = end_of_phase(y, s);
      longest = std::max(longest, t - s);
    }
    return static_cast<std::int64_t>(longest);
  }

  // A truth with a longer phase is not among the outputs.
  void warn_of_long_phases() const {
    const sculpt::Range train = recordings_->split("train");
    std::int64_t count = 0;
    for (std::int64_t i = train.begin; i < train.end; ++i) {
      if (longest_phase(recordings_->truth(i)) > longest_) ++count;
    }
    if (count == 0) return;
    host_.warn(std::to_string(count) + " of " + std::to_string(train.end - train.begin) +
               " training examples have a phase longer than " + std::to_string(longest_) +
               " values; raise longest");
  }

  std::int64_t longest_;
  sculpt::Host host_;
  const Recordings* recordings_ = nullptr;
  Weights weights_;
};

}  // namespace phases
