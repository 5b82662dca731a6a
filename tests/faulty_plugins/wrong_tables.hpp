// wrong_tables.hpp - a ProgramOracle with one fault in its frontier or its sums over all outputs.
// `Wrong` selects the fault.
//
// For mutants of tests/sdk/program/folding.cpp.
#pragma once

#include <sculpt/program/oracle.hpp>
#include <sculpt/sculpt.hpp>

enum class Wrong {
  log_z,                  // log Z is too large by 1e-6
  k_best_repeats,         // the third output is the first one again
  k_best_ends,            // there is only one output
  sample_not_repeatable,  // a draw depends on the number of draws before
  sample_ignores_seed,    // all draws are the same
  slice_refused           // a frontier that has begun refuses its second slice
};

template <class T, Wrong wrong>
class WrongOracle : public sculpt::ProgramOracle<T> {
 public:
  using Base = sculpt::ProgramOracle<T>;
  using Base::Base;

  struct Session : Base::Session {
    explicit Session(const WrongOracle& owner) : Base::Session(owner) {}

    void frontier_slice(std::int64_t first, std::span<double> scores) {
      if (wrong == Wrong::slice_refused && first > 0) {
        throw sculpt::unsupported_error("has no second slice");
      }
      Base::Session::frontier_slice(first, scores);
    }
    sculpt::LogZ mean(const sculpt::Query& query, sculpt::Sum& sum) {
      return Base::Session::mean(query, sum) + (wrong == Wrong::log_z ? 1e-6 : 0);
    }
    void begin_k_best(const sculpt::Query& query) {
      Base::Session::begin_k_best(query);
      calls_ = 0;
      query_ = query;
    }
    void next_best(sculpt::Answer& answer) {
      ++calls_;
      if (wrong == Wrong::k_best_ends && calls_ == 2) return answer.no_output();
      if (wrong == Wrong::k_best_repeats && calls_ == 3) Base::Session::begin_k_best(query_);
      Base::Session::next_best(answer);
    }
    void draw(std::uint64_t seed, sculpt::LabelOutput& out) {
      if (wrong == Wrong::sample_ignores_seed) seed = 1;
      if (wrong == Wrong::sample_not_repeatable) seed += static_cast<std::uint64_t>(++calls_);
      Base::Session::draw(seed, out);
    }

   private:
    int calls_ = 0;
    sculpt::Query query_{sculpt_query{}};
  };
};
