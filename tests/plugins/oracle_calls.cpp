#include "oracle_calls.hpp"

#include "relaxed_answers.hpp"

#include "call_buffers.hpp"

#include <sculpt/ext/count_loss.h>
#include <sculpt/cpp/views.hpp>

#include <cmath>

namespace plugin_test {

sculpt_query OracleQuery::raw() const {
  return {sizeof(sculpt_query),
          0,
          example,
          1,
          {w.data(), static_cast<std::int64_t>(w.size()), 1},
          labelled ? view(truth) : sculpt_labels{nullptr, 0},
          loss_weight};
}

BoundedAnswer argmax_bounded(const LiveComponent& oracle, const OracleQuery& query) {
  LabelBuffer labels;
  sculpt_answer answer{sizeof(sculpt_answer), 0, labels, 0, 0};
  const sculpt_query raw_query = query.raw();
  ErrorText error;
  const sculpt_status status =
      oracle.api<sculpt_oracle_api>().argmax(oracle.session(), &raw_query, &answer, error.raw());
  static_cast<sculpt_label_buffer&>(labels) = answer.labels;  // it may have grown
  error.check(status);
  return {labels.outputs(), answer.value, answer.bound, answer.flags};
}

Solution argmax(const LiveComponent& oracle, const OracleQuery& query) {
  const BoundedAnswer answer = argmax_bounded(oracle, query);
  return {answer.output, answer.value, answer.flags};
}

double loss(const LiveComponent& loss, std::int64_t example, const Outputs& truth,
            const Outputs& guess) {
  double value = -1;
  ErrorText error;
  error.check(loss.api<sculpt_loss_api>().loss(loss.session(), example, view(truth), view(guess),
                                               &value, error.raw()));
  return value;
}

Mean mean(const LiveComponent& oracle, const OracleQuery& query) {
  Mean result;
  sculpt::DenseSum sum(static_cast<std::int64_t>(query.w.size()));
  const sculpt_query raw_query = query.raw();
  sculpt_log_z log_z = {};
  ErrorText error;
  error.check(oracle.extension<sculpt_ext_expectation>(SCULPT_EXT_EXPECTATION)
                  .mean(oracle.session(), &raw_query, &log_z, 1, sum.sum().raw(), error.raw()));
  result.log_z = log_z.value;
  result.psi = sum.values();
  return result;
}

std::vector<double> covariance_times(const LiveComponent& oracle, const OracleQuery& query,
                                     const std::vector<double>& v) {
  sculpt::DenseSum sum(static_cast<std::int64_t>(v.size()));
  const sculpt_query raw_query = query.raw();
  const sculpt_weights direction{v.data(), static_cast<std::int64_t>(v.size()), 2};
  ErrorText error;
  error.check(oracle.extension<sculpt_ext_expectation>(SCULPT_EXT_EXPECTATION)
                  .covariance_times(oracle.session(), &raw_query, direction, 1, sum.sum().raw(),
                                    error.raw()));
  return sum.values();
}

std::vector<Solution> k_best(const LiveComponent& oracle, const OracleQuery& query,
                             std::size_t most) {
  const auto& table = oracle.extension<sculpt_ext_k_best>(SCULPT_EXT_K_BEST);
  const sculpt_query raw_query = query.raw();
  ErrorText error;
  error.check(table.begin(oracle.session(), &raw_query, error.raw()));
  std::vector<Solution> result;
  while (result.size() < most) {
    LabelBuffer labels;
    sculpt_answer answer{sizeof(sculpt_answer), 0, labels, 0, 0};
    const sculpt_status status = table.next(oracle.session(), &answer, error.raw());
    static_cast<sculpt_label_buffer&>(labels) = answer.labels;
    error.check(status);
    if ((answer.flags & SCULPT_ANSWER_NO_OUTPUT) != 0) break;
    result.push_back({labels.outputs(), answer.value, answer.flags});
  }
  return result;
}

std::vector<Outputs> draws(const LiveComponent& oracle, const OracleQuery& query, int count) {
  const auto& table = oracle.extension<sculpt_ext_sample>(SCULPT_EXT_SAMPLE);
  const sculpt_query raw_query = query.raw();
  double log_z = 0;
  ErrorText error;
  error.check(table.begin(oracle.session(), &raw_query, &log_z, error.raw()));
  std::vector<Outputs> result;
  for (int k = 1; k <= count; ++k) {
    LabelBuffer labels;
    error.check(table.draw(oracle.session(), static_cast<std::uint64_t>(k), &labels, error.raw()));
    result.push_back(labels.outputs());
  }
  return result;
}

std::vector<Outputs> enumerated(const LiveComponent& oracle, std::int64_t example,
                                std::int64_t limit) {
  std::vector<Outputs> result;
  std::int64_t count = -1;
  ErrorText error;
  error.check(oracle.extension<sculpt_ext_enumerate>(SCULPT_EXT_ENUMERATE)
                  .enumerate(
                      oracle.session(), example, limit,
                      [](void* context, sculpt_labels y) -> sculpt_status {
                        static_cast<std::vector<Outputs>*>(context)->emplace_back(y.data,
                                                                                  y.data + y.size);
                        return SCULPT_OK;
                      },
                      &result, &count, error.raw()));
  return result;
}

OracleFrontier::OracleFrontier(const LiveComponent& oracle, const OracleQuery& query,
                               std::vector<sculpt_count> counts)
    : oracle_(oracle),
      counts_(std::move(counts)),
      query_(query.raw()),
      frontier_query_{sizeof frontier_query_,
                      static_cast<std::uint32_t>(counts_.size()),
                      counts_.data(),
                      &query_,
                      nullptr,
                      nullptr} {}

void OracleFrontier::begin() {
  ErrorText error;
  error.check(table().begin(oracle_.session(), &frontier_query_, &shape_, error.raw()));
}

std::vector<double> OracleFrontier::slice(std::int64_t first) const {
  std::vector<double> scores(static_cast<std::size_t>(shape_.size[1]));
  ErrorText error;
  error.check(table().slice(oracle_.session(), first, scores.data(), error.raw()));
  return scores;
}

Outputs OracleFrontier::output(Counts counts) const {
  LabelBuffer labels;
  ErrorText error;
  error.check(table().output(oracle_.session(), counts.data(), &labels, error.raw()));
  return labels.outputs();
}

std::map<Counts, FrontierEntry> frontier(const LiveComponent& oracle, const LiveComponent& loss,
                                         const OracleQuery& query) {
  const sculpt_count* counts = nullptr;
  std::int64_t count_count = 0;
  ErrorText error;
  error.check(loss.extension<sculpt_ext_count_loss>(SCULPT_EXT_COUNT_LOSS)
                  .counts(loss.self(), &counts, &count_count, error.raw()));
  OracleFrontier cursor(oracle, query, {counts, counts + count_count});
  cursor.begin();
  std::map<Counts, FrontierEntry> result;
  for (std::int64_t first = 0; first < cursor.shape().size[0]; ++first) {
    const std::vector<double> slice = cursor.slice(first);
    for (std::size_t second = 0; second < slice.size(); ++second) {
      if (std::isinf(slice[second])) continue;
      const Counts at{first, static_cast<std::int64_t>(second)};
      result[at] = {slice[second], cursor.output(at)};
    }
  }
  return result;
}

}  // namespace plugin_test
