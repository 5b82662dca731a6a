// oracle_calls.hpp - calls of oracles, and of losses for a given example, in the style of
// live_component.hpp.
#pragma once

#include "live_component.hpp"
#include "random_graphs.hpp"

#include <sculpt/ext/expectation.h>
#include <sculpt/ext/frontier.h>
#include <sculpt/ext/k_best.h>
#include <sculpt/ext/sample.h>

namespace plugin_test {

// A query to an oracle. It must outlive every frontier that it opens.
struct OracleQuery {
  std::int64_t example = 0;
  std::vector<double> w;
  Outputs truth;
  double loss_weight = 0;
  bool labelled = true;
  sculpt_query raw() const;
};

Solution argmax(const LiveComponent& oracle, const OracleQuery& query);
double loss(const LiveComponent& loss, std::int64_t example, const Outputs& truth,
            const Outputs& guess);

struct Mean {
  double log_z = 0;
  std::vector<double> psi;
};
Mean mean(const LiveComponent& oracle, const OracleQuery& query);
std::vector<double> covariance_times(const LiveComponent& oracle, const OracleQuery& query,
                                     const std::vector<double>& v);

// The `most` best outputs, or all if there are fewer.
std::vector<Solution> k_best(const LiveComponent& oracle, const OracleQuery& query,
                             std::size_t most);

// Outputs drawn with the seeds 1, 2, ...
std::vector<Outputs> draws(const LiveComponent& oracle, const OracleQuery& query, int count);

// All outputs, or none if there are more than `limit`.
std::vector<Outputs> enumerated(const LiveComponent& oracle, std::int64_t example,
                                std::int64_t limit);

// The frontier of an oracle for these counts. begin() opens it on the session, which has one open
// frontier at a time. The query must outlive this object.
class OracleFrontier {
 public:
  OracleFrontier(const LiveComponent& oracle, const OracleQuery& query,
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
  sculpt_frontier_query frontier_query_;
  sculpt_frontier_shape shape_{sizeof(sculpt_frontier_shape), 0, {0, 1}};
};

// S(c) and an output that attains it, for one vector of counts.
struct FrontierEntry {
  double score = 0;
  Outputs output;
};
std::map<Counts, FrontierEntry> frontier(const LiveComponent& oracle, const LiveComponent& loss,
                                         const OracleQuery& query);

}  // namespace plugin_test
