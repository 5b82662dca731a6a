// Tests of the oracles' extensions about all outputs: expectation, k_best, sample. The
// reference is the distribution computed by listing all outputs.

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
#include "problem/oracle/output_series.hpp"
#include "problem/plugin/lent_array.hpp"

namespace sculpt::core {

namespace {

using WeightedOutput = ExactDistribution::WeightedOutput;

// Returns the table of an extension of the oracle. Skips the test if it is not offered.
template <class Table>
const Table& required_extension(TestFixture& fixture, TestContext& context) {
  const Table* table = fixture.oracle().extension<Table>();
  if (table == nullptr) {
    context.skip_not_offered(std::string(Extension<Table>::id) + " of " + fixture.oracle_name());
  }
  return *table;
}

// The queries that an oracle may refuse: with a loss, which need not be a sum over the parts of an
// output; or any, because it gives only approximations.
enum class MayRefuse { with_loss, any };

// Calls body(query, distribution) for each query if all its outputs can be listed.
template <class Body>
void each_distribution(TestFixture& fixture, TestContext& context, const char* test, Body body,
                       MayRefuse may_refuse = MayRefuse::with_loss) {
  std::string refusal;
  bool refuses_without_loss = false;
  fixture.each_query(context, test, [&](const OracleQuery& query) {
    if (!fixture.outputs(query.example).complete) return;
    const ExactDistribution exact(fixture, query);
    if (exact.largest_terms().magnitude > 1e6)
      return;  // only for a few w: exp() amplifies their rounding
    context.set_activity(query.text());
    try {
      body(query, exact);
    } catch (const Failure& failure) {
      const bool is_allowed = query.loss_weight != 0 || may_refuse == MayRefuse::any;
      if (!is_allowed || failure.exit_code() != Exit::config) throw;
      refusal = failure.what();
      refuses_without_loss |= query.loss_weight == 0;
    }
  });
  if (!refusal.empty()) {
    context.remark((refuses_without_loss ? "without the queries that the oracle refuses: "
                                         : "without the loss, which the oracle refuses: ") +
                   refusal);
  }
  if (context.cases() == 0 && refuses_without_loss) {
    context.skip("the oracle refuses every query: " + refusal);
  }
  if (context.cases() > 0) return;
  context.skip(
      "all examples have too many outputs to list; choose smaller examples with --example N");
}

class SessionCaller {
 public:
  explicit SessionCaller(TestFixture& fixture) : oracle_(fixture.oracle()), sessions_(oracle_, 1) {}
  template <class Call>
  void operator()(const char* function, const OracleQuery& query, Call call) {
    oracle_.call(function, query.example,
                 [&](sculpt_error* error) { return call(sessions_.for_worker(0), error); });
  }

 private:
  const Component& oracle_;
  Sessions sessions_;
};

[[noreturn]] void fail_query(TestFixture& fixture, TestContext& context, const OracleQuery& query,
                             const std::string& what) {
  context.fail({fixture.oracle_name() + " " + what,
                example_text(fixture, query.example) + "; " + query.text()});
}

std::string outputs_text(const std::string& what, double reported, double exact) {
  return what + " " + exact_number_text(reported) + ", but all outputs give " +
         exact_number_text(exact);
}

// Error bound of exp() and log() of scores of that size.
double distribution_rounding(const ExactDistribution& exact) {
  return 1e-8 * (1 + exact.largest_terms().magnitude);
}

// Returns where a sum differs from the exact one, or "".
std::string first_difference(SparseAccumulator& sum, const DenseValue& exact, double tolerance) {
  std::string fault = sum.fault();
  if (!fault.empty()) return fault;
  SparseVector merged;
  sum.merge(merged);
  std::vector<double> reported(exact.value.size());
  for (std::size_t k = 0; k < merged.index.size(); ++k) {
    reported[static_cast<std::size_t>(merged.index[k])] = merged.value[k];
  }
  for (std::size_t k = 0; k < reported.size(); ++k) {
    if (std::abs(reported[k] - exact.value[k]) <= tolerance * (1 + exact.magnitude[k])) continue;
    return outputs_text("weight " + std::to_string(k) + ":", reported[k], exact.value[k]);
  }
  return "";
}

// What is wrong with the flags, or "".
std::string fault_of_flags(const sculpt_log_z& log_z) {
  if ((log_z.flags & ~std::uint32_t{SCULPT_LOG_Z_EXACT}) != 0) {
    return "sets unknown flags of log Z, " + std::to_string(log_z.flags);
  }
  return log_z.reserved != 0 ? "sets `reserved` of log Z, which must be 0" : "";
}

// log Z and E[psi] agree with those of all outputs.
void expectation_mean_test(TestFixture& fixture, TestContext& context) {
  const auto& table = required_extension<sculpt_ext_expectation>(fixture, context);
  SessionCaller call_sequence(fixture);
  SparseAccumulator sum(fixture.problem().dimension());
  bool is_approximate = false;
  each_distribution(
      fixture, context, "expectation.mean",
      [&](const OracleQuery& query, const ExactDistribution& exact) {
        sum.clear();
        const LentQuery lent(fixture.oracle(), raw_query_of(fixture.problem(), query));
        sculpt_log_z raw = {std::nan(""), 0, 0};
        call_sequence("expectation.mean", query, [&](void* session, sculpt_error* error) {
          return table.mean(session, lent.raw(), &raw, 1, sum.raw(), error);
        });
        lent.require_unchanged();
        const double log_z = raw.value;
        const std::string fault = fault_of_flags(raw);
        if (!fault.empty()) fail_query(fixture, context, query, fault);
        const bool has_outputs = std::isfinite(log_z) && !exact.empty();
        if ((raw.flags & SCULPT_LOG_Z_EXACT) == 0 && has_outputs) {
          is_approximate = true;
          context.count();
          const std::string reason = sum.fault();
          if (!reason.empty())
            fail_query(fixture, context, query, "gives a wrong E[psi]: " + reason);
          return;
        }
        context.count(TestContext::Compared::all_outputs);
        const double tolerance = distribution_rounding(exact);
        if (log_z != exact.log_z() && !(std::abs(log_z - exact.log_z()) <= tolerance)) {
          fail_query(fixture, context, query, outputs_text("gives log Z =", log_z, exact.log_z()));
        }
        const std::string reason =
            first_difference(sum, exact.mean(fixture.problem().dimension()), tolerance);
        if (!reason.empty()) fail_query(fixture, context, query, "gives a wrong E[psi]: " + reason);
      });
  if (is_approximate) {
    context.remark(
        "some log Z do not claim to be exact, so they are not compared with all outputs");
  }
}

// Cov[psi] v agrees with that of all outputs, for a random v.
void expectation_covariance_test(TestFixture& fixture, TestContext& context) {
  const auto& table = required_extension<sculpt_ext_expectation>(fixture, context);
  SessionCaller call_sequence(fixture);
  SparseAccumulator sum(fixture.problem().dimension());
  Random random = fixture.random("expectation.covariance");
  each_distribution(
      fixture, context, "expectation.covariance",
      [&](const OracleQuery& query, const ExactDistribution& exact) {
        sum.clear();
        const LentQuery lent(fixture.oracle(), raw_query_of(fixture.problem(), query));
        const Weights v = fixture.weights().normal(random);
        call_sequence(
            "expectation.covariance_times", query, [&](void* session, sculpt_error* error) {
              return table.covariance_times(session, lent.raw(), v.raw(), 1, sum.raw(), error);
            });
        lent.require_unchanged();
        context.count(TestContext::Compared::all_outputs);
        double size = 1;  // size of <v, psi>; the result averages its differences
        for (const WeightedOutput& member : exact.members()) {
          size = std::max(size, score_and_terms_of(*member.output, v.values()).terms.magnitude);
        }
        const std::string reason = first_difference(sum, exact.covariance_times(v.values()),
                                                    size * distribution_rounding(exact));
        if (!reason.empty())
          fail_query(fixture, context, query, "gives a wrong Cov[psi] v: " + reason);
      },
      MayRefuse::any);
}

constexpr std::size_t max_ranks = 60;

// The outputs come by falling value, each once, and then NO_OUTPUT.
void k_best_order_test(TestFixture& fixture, TestContext& context) {
  const auto& table = required_extension<sculpt_ext_k_best>(fixture, context);
  SessionCaller call_sequence(fixture);
  each_distribution(
      fixture, context, "k_best.order",
      [&](const OracleQuery& query, const ExactDistribution& exact) {
        const LentQuery lent(fixture.oracle(), raw_query_of(fixture.problem(), query));
        call_sequence("k_best.begin", query, [&](void* session, sculpt_error* error) {
          return table.begin(session, lent.raw(), error);
        });
        context.count(TestContext::Compared::all_outputs);
        std::set<std::vector<std::int32_t>> seen;
        const std::size_t ranks = std::min(max_ranks, exact.members().size());
        for (std::size_t rank = 0; rank <= ranks; ++rank) {
          Answer buffer;
          FilledLabels labels(fixture.oracle(), buffer.raw()->labels);
          call_sequence("k_best.next", query, [&](void* session, sculpt_error* error) {
            return table.next(session, buffer.raw(), error);
          });
          labels.take();
          lent.require_unchanged();
          const OwnedAnswer answer(buffer);
          const std::string rank_text = "rank " + std::to_string(rank + 1) + " ";
          if (rank == exact.members().size()) {
            if (!answer.has_flag(SCULPT_ANSWER_NO_OUTPUT)) {
              fail_query(fixture, context, query, "gives more outputs than there are");
            }
            return;
          }
          if (answer.has_flag(SCULPT_ANSWER_NO_OUTPUT)) {
            fail_query(fixture, context, query, rank_text + "is NO_OUTPUT, but there are more");
          }
          const WeightedOutput& member = exact.members()[rank];
          const double rounding = 2 * exact.largest_terms().rounding();
          if (!(std::abs(answer.value - member.score) <= rounding)) {
            fail_query(fixture, context, query,
                       outputs_text(rank_text + "has value", answer.value, member.score));
          }
          const AugmentedScore own =
              augmented_score_of(query, fixture.with_psi_and_loss(query.example, answer.labels));
          if (!(std::abs(answer.value - own.value) <= rounding)) {
            fail_query(fixture, context, query,
                       rank_text + labels_text(answer.labels) + " has value " +
                           exact_number_text(answer.value) + ", but the host computes " +
                           exact_number_text(own.value));
          }
          if (!seen.insert(answer.labels).second) {
            fail_query(fixture, context, query,
                       rank_text + labels_text(answer.labels) + " was given before");
          }
        }
      });
}

// log Z agrees with that of all outputs. Each output is drawn as often as its probability.
void sample_draws_test(TestFixture& fixture, TestContext& context) {
  const auto& table = required_extension<sculpt_ext_sample>(fixture, context);
  SessionCaller call_sequence(fixture);
  Frequencies frequencies(fixture.random("sample.draws"));
  each_distribution(
      fixture, context, "sample.draws",
      [&](const OracleQuery& query, const ExactDistribution& exact) {
        const LentQuery lent(fixture.oracle(), raw_query_of(fixture.problem(), query));
        double log_z = std::nan("");
        call_sequence("sample.begin", query, [&](void* session, sculpt_error* error) {
          return table.begin(session, lent.raw(), &log_z, error);
        });
        context.count(TestContext::Compared::all_outputs);
        if (log_z != exact.log_z() &&
            !(std::abs(log_z - exact.log_z()) <= distribution_rounding(exact))) {
          fail_query(fixture, context, query, outputs_text("gives log Z =", log_z, exact.log_z()));
        }
        if (exact.empty()) return;
        const auto draw = [&](std::uint64_t seed) {
          Answer answer;
          FilledLabels labels(fixture.oracle(), answer.raw()->labels);
          call_sequence("sample.draw", query, [&](void* session, sculpt_error* error) {
            return table.draw(session, seed, &answer.raw()->labels, error);
          });
          labels.take();
          lent.require_unchanged();
          return OwnedAnswer(answer).labels;
        };
        std::vector<Frequencies::Share> shares;
        for (const WeightedOutput& member : exact.members()) {
          shares.push_back({&member.output->labels, member.probability});
        }
        const std::string reason = frequencies.fault(shares, draw);
        if (!reason.empty()) fail_query(fixture, context, query, reason);
      });
  const std::string reason = frequencies.fault_of_all();
  if (!reason.empty()) context.fail(fixture.oracle_name() + " " + reason);
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
