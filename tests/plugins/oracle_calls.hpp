// oracle_calls.hpp - what oracles answer: the calls of live_component.hpp for components that know
// examples. Losses of an example are here too.
#pragma once

#include "live_component.hpp"
#include "random_graphs.hpp"

#include <sculpt/ext/draft/expectation.h>
#include <sculpt/ext/draft/k_best.h>
#include <sculpt/ext/draft/sample.h>
#include <sculpt/ext/frontier.h>

namespace plugin_test {

// What an oracle is asked; the vectors live as long as the conversation.
struct Question {
  std::int64_t example = 0;
  std::vector<double> w;
  Outputs truth;
  double loss_weight = 0;
  bool labelled = true;
  sculpt_query raw() const;
};

Solution argmax(const LiveComponent& oracle, const Question& question);
double loss(const LiveComponent& loss, std::int64_t example, const Outputs& truth,
            const Outputs& guess);

struct Mean {
  double log_z = 0;
  std::vector<double> psi;
};
Mean mean(const LiveComponent& oracle, const Question& question);
std::vector<double> covariance_times(const LiveComponent& oracle, const Question& question,
                                     const std::vector<double>& v);

// The best `most` of them, or all when there are fewer.
std::vector<Solution> k_best(const LiveComponent& oracle, const Question& question,
                             std::size_t most);

// Outputs drawn with the seeds 1, 2, ...
std::vector<Outputs> draws(const LiveComponent& oracle, const Question& question, int count);

// All outputs; none when there are more than `limit`.
std::vector<Outputs> enumerated(const LiveComponent& oracle, std::int64_t example,
                                std::int64_t limit);

// A conversation with an oracle about what a loss counts, of which a session has one at a time. The
// question lives on.
class OracleFrontier {
 public:
  OracleFrontier(const LiveComponent& oracle, const Question& question,
                 std::vector<sculpt_count> counts);
  OracleFrontier(const OracleFrontier&) = delete;
  OracleFrontier& operator=(const OracleFrontier&) = delete;

  void begin();
  const sculpt_frontier_shape& shape() const { return shape_; }
  std::vector<double> slice(std::int64_t first) const;
  Outputs output(Counts counts) const;

 private:
  const sculpt_ext_frontier& table() const {
    return oracle_.extension<sculpt_ext_frontier>(SCULPT_EXT_FRONTIER);
  }
  const LiveComponent& oracle_;
  std::vector<sculpt_count> counts_;
  sculpt_query query_;
  sculpt_frontier_query asked_;
  sculpt_frontier_shape shape_{sizeof(sculpt_frontier_shape), 0, {0, 1}};
};

// S(c) and an output that attains it, for the counts of a loss.
struct FrontierEntry {
  double score = 0;
  Outputs output;
};
std::map<Counts, FrontierEntry> frontier(const LiveComponent& oracle, const LiveComponent& loss,
                                         const Question& question);

}  // namespace plugin_test
