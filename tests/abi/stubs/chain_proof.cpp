// chain_proof.cpp - a map_solver for chains that proves its maximum by messages
// (ext/draft/witness.h). a_t(x) is the best score of the variables up to t with x at t:
//
//   a_0 = theta_0,   b_t(x') = max over x of (a_t(x) + theta_(t,t+1)(x, x')),
//   a_(t+1) = theta_(t+1) + b_t
//
// The factor of t and t + 1 sends -a_t to t and b_t to t + 1. Then all variables but the last have
// the score 0 in all states, all pairs have at most 0, and the last variable has a.
#include <sculpt/ext/draft/witness.h>
#include <algorithm>
#include <limits>
#include <sculpt/sculpt.hpp>

namespace {

class ChainProof {
 public:
  static constexpr sculpt::About about{"org.sculpt.stub.chain_proof", "1.0.0",
                                       "dynamic programming on chains, with its proof"};
  static constexpr const char* extensions[] = {SCULPT_EXT_MAP_WITNESS};
  static constexpr const char* experiments[] = {R"({
    "name": "chain_proof_two_words",
    "dataset": {"use": "letters", "train": {"text":
      "1 0 0 a 1 10\n1 0 1 b 1 01\n1 0 2 c 0 11\n2 0 0 c 1 11\n2 0 1 a 0 10\n"}},
    "features": "chain", "loss": "hamming", "oracle": "chain_proof",
    "solver": {"use": "one_slack", "C": 1}})"};
  std::uint32_t demands() const { return SCULPT_GRAPH_CHAIN; }
  const void* extension(const char* id) const;

  void solve(const sculpt::MapQuery& query, sculpt::Answer& answer) const {
    std::vector<double> messages;
    solve(query, answer, messages);
  }

  void solve(const sculpt::MapQuery& query, sculpt::Answer& answer,
             std::vector<double>& messages) const {
    const Chain chain(query);
    const auto y = answer.labels().resize(query.graph.variable_count);
    messages.assign(chain.message_count(), 0.0);
    if (y.empty()) return answer.exact(0);
    const std::int32_t* const states = query.graph.states;
    if (std::find(states, states + y.size(), 0) != states + y.size()) return answer.no_output();
    std::vector<Scores> forward{chain.scores(0)};  // a_t
    for (std::size_t t = 0; t + 1 < y.size(); ++t) {
      const Scores& before = forward[t];
      Scores after = chain.scores(t + 1);
      double* const message =
          chain.is_joined(t) ? messages.data() + chain.first_message(t) : nullptr;
      for (std::size_t x = 0; message != nullptr && x < before.size(); ++x) message[x] = -before[x];
      for (std::size_t x = 0; x < after.size(); ++x) {
        double best = -std::numeric_limits<double>::infinity();
        for (std::size_t k = 0; k < before.size(); ++k) {
          best = std::max(best, before[k] + chain.pair_score(t, k, x));
        }
        if (message != nullptr) message[before.size() + x] = best;
        after[x] += best;
      }
      forward.push_back(std::move(after));
    }
    for (std::size_t t = y.size(); t-- > 0;) {
      Scores scores = forward[t];
      for (std::size_t x = 0; t + 1 < y.size() && x < scores.size(); ++x) {
        scores[x] += chain.pair_score(t, x, static_cast<std::size_t>(y[t + 1]));
      }
      const auto best = std::max_element(scores.begin(), scores.end());
      y[t] = static_cast<std::int32_t>(best - scores.begin());
    }
    answer.exact(*std::max_element(forward.back().begin(), forward.back().end()));
  }

 private:
  using Scores = std::vector<double>;

  // The factors of a chain by their first variable.
  class Chain {
   public:
    explicit Chain(const sculpt::MapQuery& query) : query_(query) {
      const sculpt_factor_graph& graph = query.graph;
      factor_.assign(static_cast<std::size_t>(graph.variable_count), -1);
      first_message_.assign(factor_.size(), 0);
      for (std::int64_t f = graph.variable_count; f < graph.factor_count; ++f) {
        const auto t = static_cast<std::size_t>(graph.scope[graph.scope_from[f]]);
        factor_[t] = f;
        first_message_[t] = message_count_;
        message_count_ += static_cast<std::size_t>(graph.states[t] + graph.states[t + 1]);
      }
    }
    std::size_t message_count() const { return message_count_; }
    std::size_t first_message(std::size_t t) const { return first_message_[t]; }
    bool is_joined(std::size_t t) const { return factor_[t] >= 0; }
    Scores scores(std::size_t t) const {
      const double* first = query_.theta.data() + query_.graph.table[t];
      return {first, first + query_.graph.states[t]};
    }
    // theta of state x of t and state z of t + 1; 0 if no factor joins them.
    double pair_score(std::size_t t, std::size_t x, std::size_t z) const {
      if (!is_joined(t)) return 0;
      const auto states = static_cast<std::size_t>(query_.graph.states[t + 1]);
      const auto table = static_cast<std::size_t>(query_.graph.table[factor_[t]]);
      return query_.theta[table + x * states + z];
    }

   private:
    const sculpt::MapQuery& query_;
    std::vector<std::int64_t> factor_;  // [variables] -1: none
    std::vector<std::size_t> first_message_;
    std::size_t message_count_ = 0;
  };
};

constexpr sculpt_ext_map_witness map_witness{[](void* session, const sculpt_map_query* query,
                                                sculpt_answer* raw, sculpt_witness* out,
                                                sculpt_error* error) {
  return sculpt::guarded(error, "prove", [&] {
    std::vector<double> messages;
    sculpt::Answer answer(raw);
    sculpt::session_of<ChainProof>(session).solve(sculpt::MapQuery(*query), answer, messages);
    const bool is_proof = (raw->flags & SCULPT_ANSWER_NO_OUTPUT) == 0;
    if (!is_proof) messages.clear();
    const auto size = static_cast<std::int64_t>(messages.size());
    if (size > out->numbers.capacity && out->numbers.grow(&out->numbers, size) != SCULPT_OK) {
      throw sculpt::Error(SCULPT_E_MEMORY, "the witness is too long");
    }
    std::copy(messages.begin(), messages.end(), out->numbers.data);
    out->numbers.size = size;
    out->kind = is_proof ? SCULPT_WITNESS_MESSAGES : SCULPT_WITNESS_NONE;
  });
}};

const void* ChainProof::extension(const char* id) const {
  return std::string_view(id) == SCULPT_EXT_MAP_WITNESS ? &map_witness : nullptr;
}

}  // namespace

SCULPT_PLUGIN("stub_chain_proof", "1.0.0", "Apache-2.0", sculpt::MapSolver<ChainProof>)
