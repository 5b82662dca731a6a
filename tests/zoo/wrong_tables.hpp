// wrong_tables.hpp - the drafts of ProgramOracle, each wrong in one way: `Wrong` says in which.
//
// For mutants of tests/sdk/program/folding.cpp.
#pragma once

#include <sculpt/program/oracle.hpp>
#include <sculpt/sculpt.hpp>

#include <cstring>

enum class Wrong { log_z, k_best_again, k_best_ends, sample_seed, sample_first };

template <class T, Wrong wrong>
class WrongOracle : public sculpt::ProgramOracle<T> {
 public:
  using Right = sculpt::ProgramOracle<T>;
  using Right::Right;

  struct Session : Right::Session {
    explicit Session(const WrongOracle& owner) : Right::Session(owner) {}

    double mean(const sculpt::Query& query, sculpt::Sum& sum) {
      return Right::Session::mean(query, sum) + (wrong == Wrong::log_z ? 1e-6 : 0);
    }
    void begin_k_best(const sculpt::Query& query) {
      Right::Session::begin_k_best(query);
      asked_ = 0;
      query_ = query;
    }
    void next_best(sculpt::Answer& answer) {
      ++asked_;
      if (wrong == Wrong::k_best_ends && asked_ == 2) return answer.no_output();
      if (wrong == Wrong::k_best_again && asked_ == 3) Right::Session::begin_k_best(query_);
      Right::Session::next_best(answer);
    }
    void draw(std::uint64_t seed, sculpt::LabelOutput& out) {
      if (wrong == Wrong::sample_first) seed = 1;
      if (wrong == Wrong::sample_seed) seed += static_cast<std::uint64_t>(++asked_);
      Right::Session::draw(seed, out);
    }

   private:
    int asked_ = 0;
    sculpt::Query query_{sculpt_query{}};
  };

  const void* extension(const char* id) const { return sculpt::program::table_of<WrongOracle>(id); }
};
