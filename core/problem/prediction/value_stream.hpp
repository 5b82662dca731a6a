// value_stream.hpp - what is computed for single examples as bytes, for the other ranks.
//
// Called by for_each_in_order() and Predictor. A value type of their callers has a save() and a
// load() like these.
#pragma once

#include <vector>

#include "base/file/state_stream.hpp"
#include "problem/oracle/expectations.hpp"
#include "problem/prediction/probabilities.hpp"

namespace sculpt::core {

inline void save(const std::vector<double>& values, StateWriter& out) {
  out.put_array(values);
}
inline void load(StateReader& in, std::vector<double>& values) {
  in.get_array(values);
}

inline void save(const Prediction& prediction, StateWriter& out) {
  out.put(static_cast<std::uint8_t>(prediction.no_output));
  out.put_array(prediction.labels);
}
inline void load(StateReader& in, Prediction& prediction) {
  prediction.no_output = in.get_flag();
  in.get_array(prediction.labels);
}

inline void save(const Marginals& marginals, StateWriter& out) {
  out.put_array(marginals.row_from);
  out.put_array(marginals.p);
}
inline void load(StateReader& in, Marginals& marginals) {
  in.get_array(marginals.row_from);
  in.get_array(marginals.p);
}

inline void save(const std::vector<ScoredOutput>& outputs, StateWriter& out) {
  out.put(static_cast<std::uint64_t>(outputs.size()));
  for (const ScoredOutput& one : outputs) {
    save(one.output, out);
    out.put(one.score);
    out.put(one.log_probability);
  }
}
inline void load(StateReader& in, std::vector<ScoredOutput>& outputs) {
  outputs.resize(static_cast<std::size_t>(in.get<std::uint64_t>()));
  for (ScoredOutput& one : outputs) {
    load(in, one.output);
    one.score = in.get<double>();
    one.log_probability = in.get<double>();
  }
}

}  // namespace sculpt::core
