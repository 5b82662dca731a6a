// wrong_witness.hpp - taggers that give witnesses (sculpt/ext/draft/witness.h). All except one have
// a fault.
//
// A copy of tagger.cpp includes this file after its class Tagger.
#pragma once

#include <sculpt/ext/draft/witness.h>

#include <limits>
#include <string_view>

namespace {

enum class Proof {
  correct,       // one number for each label, for nodes that only its page would define
  other_answer,  // its value is not that of argmax
  without_kind,
  negative_dual,
  not_finite
};

template <Proof proof>
class ProvingTagger : public Tagger {
 public:
  static constexpr const char* extensions[] = {SCULPT_EXT_WITNESS};
  const void* extension(const char* id) const {
    static constexpr sculpt_ext_witness witness{prove};
    return std::string_view(id) == SCULPT_EXT_WITNESS ? &witness : nullptr;
  }

  class Session : public Tagger::Session {
   public:
    explicit Session(const ProvingTagger& owner) : Tagger::Session(owner) {}
  };

 private:
  static sculpt_status prove(void* session, const sculpt_query* query, sculpt_answer* raw,
                             sculpt_witness* out, sculpt_error* error) {
    return sculpt::guarded(error, "prove", [&] {
      sculpt::Answer answer(raw);
      sculpt::session_of<ProvingTagger>(session).argmax(sculpt::Query(*query), answer);
      if (proof == Proof::other_answer) raw->value += 0.5;
      if (proof != Proof::without_kind) {
        out->kind = proof == Proof::negative_dual ? SCULPT_WITNESS_DUAL : SCULPT_WITNESS_POTENTIALS;
      }
      const std::int64_t size = raw->labels.size;
      if (size > out->numbers.capacity && out->numbers.grow(&out->numbers, size) != SCULPT_OK) {
        throw sculpt::Error(SCULPT_E_MEMORY, "the witness is too long");
      }
      for (std::int64_t k = 0; k < size; ++k) {
        out->numbers.data[k] = proof == Proof::negative_dual ? -1.0
                               : proof == Proof::not_finite
                                   ? std::numeric_limits<double>::infinity()
                                   : 1.0;
      }
      out->numbers.size = size;
    });
  }
};

}  // namespace
