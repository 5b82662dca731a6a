// wrong_batch.hpp - taggers that answer several queries in one call (sculpt/ext/batch_argmax.h).
// The first two have no fault.
//
// A copy of tagger.cpp includes this file after its class Tagger.
#pragma once

#include <ctime>
#include <exception>

namespace {

enum class Batching {
  correct,
  slow,             // 20 ms for each query
  mixes_order,      // the first answer is last
  keeps_state,      // a value depends on the query before
  loses_last,       // leaves the last answer unset
  drops_loss,       // only the first query has its loss_weight
  breaks_at_error,  // is wrong after an error in the middle
  forgets_failed,   // does not say which query fails
  other_error,      // has an error text of its own
  wrong_if_large    // is wrong in batches of more than 40 queries
};

template <Batching fault>
class BatchingTagger : public Tagger {
 public:
  class Session : public Tagger::Session {
   public:
    explicit Session(const BatchingTagger& owner) : Tagger::Session(owner) {}

    void argmax_batch(sculpt::Batch& batch) {
      double error = fault == Batching::breaks_at_error && is_inside_ ? 1e-9 : 0;  // of weights
      if (fault == Batching::wrong_if_large && batch.size() > 40) error = 1e-9;
      std::exception_ptr failure;
      is_inside_ = true;
      batch.each([&](std::size_t k, const sculpt::Query& query, sculpt::Answer& answer) {
        if (fault == Batching::loses_last && k > 0 && k + 1 == batch.size()) return;
        sculpt::Query asked = query;
        if (fault == Batching::mixes_order) asked = batch.query((k + 1) % batch.size());
        if (fault == Batching::drops_loss && k > 0) asked.loss_weight = 0;
        std::vector<double> w(query.weights.begin(), query.weights.end());
        for (double& weight : w) weight += error;
        asked.weights =
            sculpt::Weights({w.data(), query.weights.raw().size, query.weights.stamp()});
        try {
          if (fault == Batching::slow) {
            const timespec pause{0, 20000000};
            nanosleep(&pause, nullptr);
          }
          argmax(asked, answer);
        } catch (const std::exception&) {
          if (fault == Batching::other_error) {
            throw sculpt::Error(SCULPT_E_MEMORY, "one of the queries failed");
          }
          if (fault != Batching::forgets_failed) throw;
          failure = std::current_exception();
        }
        if (fault == Batching::keeps_state) error += 1e-9;
      });
      if (failure) std::rethrow_exception(failure);
      is_inside_ = false;
    }

   private:
    bool is_inside_ = false;
  };
};

}  // namespace
