// Tests of the oracles' draft extensions about all outputs: expectation, k_best, sample. The
// reference is the distribution computed by listing all outputs.

#include <sculpt/ext/draft/count_slopes.h>
#include <sculpt/ext/draft/k_best.h>
#include <sculpt/ext/draft/sample.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "base/text/message_text.hpp"
#include "check/answers/answer_comparison.hpp"
#include "check/answers/counter_example.hpp"
#include "check/answers/draw_frequencies.hpp"
#include "check/answers/exact_distribution.hpp"
#include "check/tests/test_groups.hpp"
#include "problem/oracle/expectations.hpp"

namespace sculpt::core {

template <>
struct Extension<sculpt_ext_k_best> {
  static constexpr const char* id = SCULPT_EXT_K_BEST;
  static constexpr std::size_t functions = 2;
};
template <>
struct Extension<sculpt_ext_sample> {
  static constexpr const char* id = SCULPT_EXT_SAMPLE;
  static constexpr std::size_t functions = 2;
};
template <>
struct Extension<sculpt_ext_count_slopes> {
  static constexpr const char* id = SCULPT_EXT_COUNT_SLOPES;
  static constexpr std::size_t functions = 1;
};

namespace {

using WeightedOutput = ExactDistribution::WeightedOutput;

// Returns the table of an extension of the oracle. Skips the test if it is not offered.
template <class Table>
const Table& offered(TestFixture& fixture, TestContext& context) {
  const Table* table = fixture.oracle().extension<Table>();
  if (table == nullptr) {
    context.skip(fixture.oracle_name() + " does not offer " + Extension<Table>::id);
  }
  return *table;
}

// Calls body(query, distribution) for each query if all its outputs can be listed. Includes the
// loss only if it is linear in counts. Other losses are not sums over the parts of an output.
template <class Body>
void each_distribution(TestFixture& fixture, TestContext& context, const char* test, Body body) {
  const bool linear =
      fixture.takes_loss() &&
      fixture.problem().loss()->component().extension<sculpt_ext_count_slopes>() != nullptr;
  fixture.each_question(context, test, [&](const OracleQuery& question) {
    if (question.loss_weight != 0 && !linear) return;
    if (!fixture.outputs(question.example).complete) return;
    const ExactDistribution exact(fixture, question);
    if (exact.largest_terms().size > 1e6)
      return;  // only for a few w: exp() amplifies their rounding
    context.now(question.text());
    context.count(TestContext::Compared::everything);
    body(question, exact);
  });
  if (context.cases() == 0) {
    context.skip("no example has few enough outputs to list; give a smaller one");
  }
}

class SessionCaller {
 public:
  explicit SessionCaller(TestFixture& fixture) : oracle_(fixture.oracle()), sessions_(oracle_, 1) {}
  template <class Call>
  void operator()(const char* function, const OracleQuery& question, Call call) {
    oracle_.call(function, question.example,
                 [&](sculpt_error* error) { return call(sessions_.of(0), error); });
  }

 private:
  const Component& oracle_;
  Sessions sessions_;
};

[[noreturn]] void fail_at(TestFixture& fixture, TestContext& context, const OracleQuery& question,
                          const std::string& what) {
  context.fail({fixture.oracle_name() + " " + what,
                example_text(fixture, question.example) + "; " + question.text()});
}

std::string outputs_text(const std::string& who, double told, double exact) {
  return who + " " + exact_number_text(told) + ", by all outputs " + exact_number_text(exact);
}

// Error bound of exp() and log() of scores of that size.
double distribution_rounding(const ExactDistribution& exact) {
  return 1e-8 * (1 + exact.largest_terms().size);
}

// Returns where a sum differs from the exact one, or "".
std::string first_difference(SparseAccumulator& sum, const DenseValue& exact, double tolerance) {
  std::string fault = sum.fault();
  if (!fault.empty()) return fault;
  SparseVector merged;
  sum.merge(merged);
  std::vector<double> told(exact.value.size());
  for (std::size_t k = 0; k < merged.index.size(); ++k) {
    told[static_cast<std::size_t>(merged.index[k])] = merged.value[k];
  }
  for (std::size_t k = 0; k < told.size(); ++k) {
    if (std::abs(told[k] - exact.value[k]) <= tolerance * (1 + exact.size[k])) continue;
    return outputs_text("weight " + std::to_string(k) + ":", told[k], exact.value[k]);
  }
  return "";
}

void expectation_mean_test(TestFixture& fixture, TestContext& context) {
  const auto& table = offered<sculpt_ext_expectation>(fixture, context);
  SessionCaller call_sequence(fixture);
  SparseAccumulator sum(fixture.problem().dimension());
  each_distribution(
      fixture, context, "expectation.mean",
      [&](const OracleQuery& question, const ExactDistribution& exact) {
        sum.clear();
        const sculpt_query query = query_of(fixture.problem(), question);
        double log_z = std::nan("");
        call_sequence("expectation.mean", question, [&](void* session, sculpt_error* error) {
          return table.mean(session, &query, &log_z, 1, sum.raw(), error);
        });
        const double tolerance = distribution_rounding(exact);
        if (log_z != exact.log_z() && !(std::abs(log_z - exact.log_z()) <= tolerance)) {
          fail_at(fixture, context, question, outputs_text("says log Z is", log_z, exact.log_z()));
        }
        const std::string wrong =
            first_difference(sum, exact.mean(fixture.problem().dimension()), tolerance);
        if (!wrong.empty()) fail_at(fixture, context, question, "gives another E[psi]: " + wrong);
      });
}

void expectation_covariance_test(TestFixture& fixture, TestContext& context) {
  const auto& table = offered<sculpt_ext_expectation>(fixture, context);
  SessionCaller call_sequence(fixture);
  SparseAccumulator sum(fixture.problem().dimension());
  Random random = fixture.random("expectation.covariance");
  each_distribution(
      fixture, context, "expectation.covariance",
      [&](const OracleQuery& question, const ExactDistribution& exact) {
        sum.clear();
        const sculpt_query query = query_of(fixture.problem(), question);
        const Weights v = fixture.weights().normal(random);
        call_sequence(
            "expectation.covariance_times", question, [&](void* session, sculpt_error* error) {
              return table.covariance_times(session, &query, v.lent(), 1, sum.raw(), error);
            });
        double size = 1;  // size of <v, psi>; the result averages its differences
        for (const WeightedOutput& one : exact.members()) {
          size = std::max(size, score_and_terms_of(*one.output, v.values()).terms.size);
        }
        const std::string wrong = first_difference(sum, exact.covariance_times(v.values()),
                                                   size * distribution_rounding(exact));
        if (!wrong.empty())
          fail_at(fixture, context, question, "gives another Cov[psi] v: " + wrong);
      });
}

constexpr std::size_t max_ranks = 60;

void k_best_order_test(TestFixture& fixture, TestContext& context) {
  const auto& table = offered<sculpt_ext_k_best>(fixture, context);
  SessionCaller call_sequence(fixture);
  each_distribution(
      fixture, context, "k_best.order",
      [&](const OracleQuery& question, const ExactDistribution& exact) {
        const sculpt_query query = query_of(fixture.problem(), question);
        call_sequence("k_best.begin", question, [&](void* session, sculpt_error* error) {
          return table.begin(session, &query, error);
        });
        std::set<std::vector<std::int32_t>> seen;
        const std::size_t ranks = std::min(max_ranks, exact.members().size());
        for (std::size_t rank = 0; rank <= ranks; ++rank) {
          Answer answer;
          call_sequence("k_best.next", question, [&](void* session, sculpt_error* error) {
            return table.next(session, answer.raw(), error);
          });
          const OwnedAnswer reply(answer);
          const std::string place = "rank " + std::to_string(rank + 1) + " ";
          if (rank == exact.members().size()) {
            if (!reply.has(SCULPT_ANSWER_NO_OUTPUT)) {
              fail_at(fixture, context, question, "finds more outputs than there are");
            }
            return;
          }
          if (reply.has(SCULPT_ANSWER_NO_OUTPUT)) {
            fail_at(fixture, context, question, place + "is NO_OUTPUT, but there are more");
          }
          const WeightedOutput& member = exact.members()[rank];
          const double rounding = 2 * exact.largest_terms().rounding();
          if (!(std::abs(reply.value - member.score) <= rounding)) {
            fail_at(fixture, context, question,
                    outputs_text(place + "has value", reply.value, member.score));
          }
          const AugmentedScore own = augmented_score_of(
              question, fixture.with_psi_and_loss(question.example, reply.labels));
          if (!(std::abs(reply.value - own.value) <= rounding)) {
            fail_at(fixture, context, question,
                    outputs_text(place + labels_text(reply.labels) + " has value", reply.value,
                                 own.value));
          }
          if (!seen.insert(reply.labels).second) {
            fail_at(fixture, context, question, place + labels_text(reply.labels) + " came before");
          }
        }
      });
}

void sample_draws_test(TestFixture& fixture, TestContext& context) {
  const auto& table = offered<sculpt_ext_sample>(fixture, context);
  SessionCaller call_sequence(fixture);
  Frequencies frequencies(fixture.random("sample.draws"));
  each_distribution(
      fixture, context, "sample.draws",
      [&](const OracleQuery& question, const ExactDistribution& exact) {
        const sculpt_query query = query_of(fixture.problem(), question);
        double log_z = std::nan("");
        call_sequence("sample.begin", question, [&](void* session, sculpt_error* error) {
          return table.begin(session, &query, &log_z, error);
        });
        if (log_z != exact.log_z() &&
            !(std::abs(log_z - exact.log_z()) <= distribution_rounding(exact))) {
          fail_at(fixture, context, question, outputs_text("says log Z is", log_z, exact.log_z()));
        }
        if (exact.empty()) return;
        const auto draw = [&](std::uint64_t seed) {
          Answer answer;
          call_sequence("sample.draw", question, [&](void* session, sculpt_error* error) {
            return table.draw(session, seed, &answer.raw()->labels, error);
          });
          return OwnedAnswer(answer).labels;
        };
        std::vector<Frequencies::Share> shares;
        for (const WeightedOutput& member : exact.members()) {
          shares.push_back({&member.output->labels, member.probability});
        }
        const std::string wrong = frequencies.fault(shares, draw);
        if (!wrong.empty()) fail_at(fixture, context, question, wrong);
      });
  const std::string wrong = frequencies.fault_of_all();
  if (!wrong.empty()) context.fail(fixture.oracle_name() + " " + wrong);
}

}  // namespace

std::span<const ExperimentTest> distribution_tests() {
  static constexpr std::array<ExperimentTest, 4> tests{
      {{"expectation.mean", expectation_mean_test},
       {"expectation.covariance", expectation_covariance_test},
       {"k_best.order", k_best_order_test},
       {"sample.draws", sample_draws_test}}};
  return tests;
}

}  // namespace sculpt::core
