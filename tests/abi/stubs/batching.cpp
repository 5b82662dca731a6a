// batching.cpp - classes of points, whose oracle answers several queries in one call
// (ext/batch_argmax.h) unless a parameter switches that off. Everything is in one class.
//
// One example a line: its class and its coordinates. psi(x, y) = e_y (x) x, Delta(y, y') = |y -
// y'|.
#include <sculpt/ext/batch_argmax.h>
#include <sculpt/ext/draft/batch_values.h>

#include <algorithm>
#include <cmath>
#include <sculpt/sculpt.hpp>
#include <string>
#include <vector>

#include "batch_counts.hpp"

namespace {

class Batching {
 public:
  static constexpr sculpt::About about{"org.sculpt.stub.batching", "1.0.0", "classes of points"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::boolean("batches", "true", "answers several queries in one call"),
      sculpt::integer("fails_at", "-1", -1, 1000000, "the example at which argmax fails; -1: none"),
      sculpt::integer("breaks_at", "-1", -1, 1000000, "a batch with it fails as a whole; -1: none"),
      sculpt::integer("stops_at", "-1", -1, 1000000, "the example that ends by a stop; -1: none"),
      sculpt::integer("wrong_at", "-1", -1, 1000000, "the example with a wrong value; -1: none"),
      sculpt::boolean("weighted", "false", "every fifth example has the weight 0"),
      sculpt::boolean("misnames", "false", "an error names a query that does not exist"),
      sculpt::text("values", "\"right\"",
                   "psi and losses of a batch: none, right, wrong or failing")};
  static constexpr const char* extensions[] = {SCULPT_EXT_BATCH_ARGMAX, SCULPT_EXT_BATCH_FEATURES,
                                               SCULPT_EXT_BATCH_LOSS, STUB_EXT_BATCH_COUNTS};

  explicit Batching(const sculpt::Parameters& values)
      : batches_(values.boolean("batches")),
        fails_at_(values.integer("fails_at")),
        breaks_at_(values.integer("breaks_at")),
        stops_at_(values.integer("stops_at")),
        wrong_at_(values.integer("wrong_at")),
        weighted_(values.boolean("weighted")),
        misnames_(values.boolean("misnames")),
        values_(values.text("values")) {}
  const void* extension(const char* id) const;

  void load(std::string_view, const sculpt::Source& source) {
    sculpt::LineReader reader(source);
    while (reader.next()) {
      truths_.push_back(std::stoi(std::string(reader.fields()[0].text)));
      for (std::size_t j = 1; j < reader.fields().size(); ++j) {
        points_.push_back(std::stod(std::string(reader.fields()[j].text)));
      }
    }
    width_ = points_.size() / truths_.size();
  }
  std::int64_t count() const { return static_cast<std::int64_t>(truths_.size()); }
  sculpt::Range split(std::string_view name) const {
    return name == "train" ? sculpt::Range{0, count()} : sculpt::Range();
  }
  sculpt::Labels truth(std::int64_t example) const {
    return sculpt::Labels(&truths_[static_cast<std::size_t>(example)], 1);
  }
  double example_weight(std::int64_t example) const {
    return weighted_ && example % 5 == 0 ? 0 : 1;
  }

  std::int64_t dimension() const { return classes * static_cast<std::int64_t>(width_); }
  void features(std::int64_t example, sculpt::Labels y, sculpt::Sum& sum) const {
    for (std::size_t j = 0; j < width_; ++j) {
      sum.add(y[0] * static_cast<std::int64_t>(width_) + static_cast<std::int64_t>(j),
              point(example)[j]);
    }
  }
  double loss(sculpt::Labels truth, sculpt::Labels guess) const {
    return std::abs(truth[0] - guess[0]);
  }

  // psi and losses of many outputs.
  bool gives_values() const { return batches_ && values_ != "none"; }
  void require_values() const {
    ++counts_.value_calls;
    if (values_ == "failing") throw sculpt::data_error("has no values in batches");
  }
  double error_of_values() const { return values_ == "wrong" ? 1e-9 : 0; }

  class Session {
   public:
    const Batching& owner() const { return owner_; }
    explicit Session(const Batching& owner) : owner_(owner) {}

    void argmax(const sculpt::Query& query, sculpt::Answer& answer) {
      ++owner_.counts_.alone;
      owner_.answer(query, answer);
    }
    bool misnames() const { return owner_.misnames_; }
    void answer_all(sculpt::Batch& batch) {
      const auto size = static_cast<std::int64_t>(batch.size());
      ++owner_.counts_.batches;
      owner_.counts_.in_batches += size;
      owner_.counts_.largest = std::max(owner_.counts_.largest.load(), size);
      const auto examples = batch.examples();
      if (std::find(examples.begin(), examples.end(), owner_.breaks_at_) != examples.end()) {
        throw sculpt::unsupported_error("has no memory for a batch");
      }
      batch.each([&](std::size_t, const sculpt::Query& query, sculpt::Answer& answer) {
        owner_.answer(query, answer);
      });
    }

   private:
    const Batching& owner_;
  };

 private:
  static constexpr std::int32_t classes = 4;

  const double* point(std::int64_t example) const {
    return points_.data() + static_cast<std::size_t>(example) * width_;
  }
  void answer(const sculpt::Query& query, sculpt::Answer& answer) const {
    if (query.example == fails_at_) throw sculpt::data_error("has no class");
    if (query.example == stops_at_) throw sculpt::Error(SCULPT_E_CANCELLED, "stopped");
    std::int32_t best = 0;
    double best_value = -INFINITY;
    for (std::int32_t y = 0; y < classes; ++y) {
      double value = 0;
      for (std::size_t j = 0; j < width_; ++j) {
        value += query.weights[static_cast<std::size_t>(y) * width_ + j] * point(query.example)[j];
      }
      if (query.loss_weight > 0) value += query.loss_weight * std::abs(query.truth[0] - y);
      if (value <= best_value) continue;
      best = y;
      best_value = value;
    }
    answer.labels().assign(sculpt::Labels(&best, 1));
    answer.exact(query.example == wrong_at_ ? best_value + 1 : best_value);
  }

  bool batches_;
  std::int64_t fails_at_;
  std::int64_t breaks_at_;
  std::int64_t stops_at_;
  std::int64_t wrong_at_;
  bool weighted_;
  bool misnames_;
  std::string values_;
  std::size_t width_ = 0;
  std::vector<std::int32_t> truths_;
  std::vector<double> points_;
  mutable BatchCounts counts_;
};

constexpr sculpt_ext_batch_argmax batch_argmax{
    [](void* session, std::int64_t count, const sculpt_query* const* queries,
       sculpt_answer* const* answers, std::int64_t* failed, sculpt_error* error) {
      auto& worker = sculpt::session_of<Batching>(session);
      const sculpt_status status = sculpt::guarded(error, "answer_all", [&] {
        sculpt::Batch batch({queries, static_cast<std::size_t>(count)}, answers, failed);
        worker.answer_all(batch);
      });
      if (status != SCULPT_OK && worker.misnames()) *failed = count;
      return status;
    }};

constexpr sculpt_ext_batch_features batch_features{
    [](void* session, std::int64_t count, const std::int64_t* examples,
       const sculpt_labels* outputs, sculpt_accumulator* const* sums, sculpt_error* error) {
      const Batching& owner = sculpt::session_of<Batching>(session).owner();
      return sculpt::guarded(error, "accumulate", [&] {
        owner.require_values();
        for (std::int64_t k = 0; k < count; ++k) {
          sculpt::Sum sum(sums[k], 1 + owner.error_of_values());
          owner.features(examples[k], sculpt::Labels(outputs[k]), sum);
        }
      });
    }};

constexpr sculpt_ext_batch_loss batch_loss{
    [](void* session, std::int64_t count, const std::int64_t*, const sculpt_labels* truths,
       const sculpt_labels* guesses, double* losses, sculpt_error* error) {
      const Batching& owner = sculpt::session_of<Batching>(session).owner();
      return sculpt::guarded(error, "loss", [&] {
        owner.require_values();
        for (std::int64_t k = 0; k < count; ++k) {
          losses[k] = owner.loss(sculpt::Labels(truths[k]), sculpt::Labels(guesses[k])) +
                      owner.error_of_values();
        }
      });
    }};

const void* Batching::extension(const char* id) const {
  const std::string_view name = id;
  if (gives_values() && name == SCULPT_EXT_BATCH_FEATURES) return &batch_features;
  if (gives_values() && name == SCULPT_EXT_BATCH_LOSS) return &batch_loss;
  if (name == STUB_EXT_BATCH_COUNTS) return &counts_;
  return batches_ && name == SCULPT_EXT_BATCH_ARGMAX ? &batch_argmax : nullptr;
}

}  // namespace

SCULPT_PLUGIN("stub_batching", "1.0.0", "Apache-2.0", sculpt::Task<Batching>)
