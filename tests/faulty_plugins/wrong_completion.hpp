// wrong_completion.hpp - taggers that complete a partial truth (sculpt/ext/complete.h) by trying
// all outputs. All except one have a fault.
//
// A copy of tagger.cpp includes this file after its class Tagger.
#pragma once

namespace {

enum class Completion {
  correct,
  disagrees,       // with the last label that is given
  is_not_best,     // takes the worst
  has_no_output,   // although there is one, if the first label is free
  states_a_value,  // that is not that of its output
  drifts           // from call to call
};

template <Completion fault>
class CompletingTagger : public Tagger {
 public:
  class Session : public Tagger::Session {
   public:
    explicit Session(const CompletingTagger& owner) : Tagger::Session(owner), owner_(owner) {}

    void complete(const sculpt::Query& query, sculpt::Answer& answer) {
      std::vector<std::int32_t> given(query.truth.begin(), query.truth.end());
      if (fault == Completion::disagrees && !given.empty()) given.back() = -1;
      if (fault == Completion::has_no_output && !given.empty() && given[0] < 0) {
        return answer.no_output();
      }
      ++calls_;
      const bool takes_worst =
          fault == Completion::is_not_best || (fault == Completion::drifts && calls_ % 2 == 0);
      Best best{owner_, query, given, takes_worst ? -1.0 : 1.0};
      if (owner_.enumerate(query.example, all, sculpt::Visit(Best::add, &best)) > all) {
        throw sculpt::unsupported_error("completes only outputs that can be listed");
      }
      if (!best.found) return answer.no_output();
      answer.labels().assign(best.labels);
      answer.exact(best.value + (fault == Completion::states_a_value ? 0.5 : 0));
    }

   private:
    static constexpr std::int64_t all = 1 << 20;

    // The best output so far that agrees; the worst if sign is -1.
    struct Best {
      const CompletingTagger& tagger;
      const sculpt::Query& query;
      const std::vector<std::int32_t>& given;
      double sign;
      bool found = false;
      double value = 0;
      std::vector<std::int32_t> labels = {};

      static sculpt_status add(void* context, sculpt_labels raw) {
        Best& best = *static_cast<Best*>(context);
        const sculpt::Labels y(raw);
        if (!sculpt::agrees(y, best.given)) return SCULPT_OK;
        sculpt::DenseSum psi(best.tagger.dimension());
        sculpt::Sum sum = psi.sum();
        best.tagger.features(best.query.example, y, sum);
        double value = 0;
        for (std::size_t j = 0; j < psi.values().size(); ++j) {
          value += best.query.weights[j] * psi.values()[j];
        }
        if (best.found && best.sign * value <= best.sign * best.value) return SCULPT_OK;
        best.found = true;
        best.value = value;
        best.labels.assign(y.begin(), y.end());
        return SCULPT_OK;
      }
    };

    const CompletingTagger& owner_;
    int calls_ = 0;
  };
};

}  // namespace
