// wrong_values.hpp - taggers that give psi or losses of several outputs in one call
// (sculpt/ext/draft/batch_values.h). The first one has no fault.
//
// A copy of tagger.cpp includes this file and wrong_batch.hpp after its class Tagger.
#pragma once

#include <sculpt/ext/draft/batch_values.h>

namespace {

enum class Values {
  correct,
  other_psi,   // psi of all but the first output of a call is a little larger
  loses_psi,   // leaves out psi of the last output
  psi_fails,   // fails if a call has more than one output
  other_loss,  // the second loss of a call is a little larger
  loses_loss   // does not write the last loss
};

template <Values fault>
class ValuesTagger : public BatchingTagger<Batching::correct> {
 public:
  static constexpr const char* extensions[] = {SCULPT_EXT_BATCH_FEATURES, SCULPT_EXT_BATCH_LOSS};
  const void* extension(const char* id) const {
    static constexpr sculpt_ext_batch_features features_table{add_all};
    static constexpr sculpt_ext_batch_loss loss_table{lose_all};
    const std::string_view name = id;
    if (name == SCULPT_EXT_BATCH_FEATURES) return &features_table;
    return name == SCULPT_EXT_BATCH_LOSS ? &loss_table : nullptr;
  }

  class Session : public BatchingTagger<Batching::correct>::Session {
   public:
    explicit Session(const ValuesTagger& owner)
        : BatchingTagger<Batching::correct>::Session(owner), tagger(owner) {}
    const ValuesTagger& tagger;
  };

 private:
  static sculpt_status add_all(void* session, std::int64_t count, const std::int64_t* examples,
                               const sculpt_labels* outputs, sculpt_accumulator* const* sums,
                               sculpt_error* error) {
    return sculpt::guarded(error, "add_all", [&] {
      if (fault == Values::psi_fails && count > 1) throw sculpt::data_error("too many outputs");
      for (std::int64_t k = 0; k < count; ++k) {
        if (fault == Values::loses_psi && k + 1 == count) return;
        sculpt::Sum sum(sums[k], fault == Values::other_psi && k > 0 ? 1 + 1e-9 : 1.0);
        sculpt::session_of<ValuesTagger>(session).tagger.features(examples[k],
                                                                  sculpt::Labels(outputs[k]), sum);
      }
    });
  }

  static sculpt_status lose_all(void* session, std::int64_t count, const std::int64_t*,
                                const sculpt_labels* truths, const sculpt_labels* guesses,
                                double* losses, sculpt_error* error) {
    return sculpt::guarded(error, "lose_all", [&] {
      for (std::int64_t k = 0; k < count; ++k) {
        if (fault == Values::loses_loss && k + 1 == count) return;
        losses[k] = sculpt::session_of<ValuesTagger>(session).tagger.loss(
            sculpt::Labels(truths[k]), sculpt::Labels(guesses[k]));
        if (fault == Values::other_loss && k == 1) losses[k] += 1e-9;
      }
    });
  }
};

}  // namespace
