// batch_argmax.hpp - for oracles that answer many queries in one call.
//
// SPDX-License-Identifier: Apache-2.0
//
//   void argmax_batch(Batch& batch)     [worker], const or of Session
//
// First the work that the queries share, then the answer to each:
//
//   void argmax_batch(sculpt::Batch& batch) {
//     scores_ = product(rows(batch.examples()), matrix(batch.weights()));  // [size][classes]
//     batch.each([&](std::size_t k, const sculpt::Query& query, sculpt::Answer& answer) {
//       choose(scores_[k], query, answer);
//     });
//   }
//
// The answers must be those of argmax() to the last byte, in a batch of any size. So add up the
// terms of each score in the order of argmax(). ext/batch_argmax.h has the contract. Used by
// offered.hpp; extensions.hpp lists the methods.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "../ext/batch_argmax.h"
#include "extensions.hpp"

namespace sculpt {

// Queries with the same weights and loss_weight, and their answers.
class Batch {
 public:
  Batch(std::span<const sculpt_query* const> queries, sculpt_answer* const* answers,
        std::int64_t* failed)
      : queries_(queries), answers_(answers), failed_(failed) {
    for (const sculpt_query* query : queries) examples_.push_back(query->example);
  }

  std::size_t size() const { return queries_.size(); }  // at least 1
  // [size] the example of each query; an example may occur more than once.
  std::span<const std::int64_t> examples() const { return examples_; }
  Weights weights() const { return Weights(queries_.front()->weights); }
  double loss_weight() const { return queries_.front()->loss_weight; }
  Query query(std::size_t k) const { return Query(*queries_[k]); }

  // Calls answer_one(k, query, answer) for each query, in order. An exception in it belongs to this
  // query, so the message names its example. Exceptions elsewhere belong to no query.
  template <class AnswerOne>
  void each(AnswerOne&& answer_one) {
    for (std::size_t k = 0; k < size(); ++k) {
      *failed_ = static_cast<std::int64_t>(k);
      Answer answer(answers_[k]);
      answer_one(k, query(k), answer);
    }
    *failed_ = -1;
  }

 private:
  std::span<const sculpt_query* const> queries_;
  sculpt_answer* const* answers_;  // [size]
  std::int64_t* failed_;
  std::vector<std::int64_t> examples_;
};

namespace detail {

struct BatchArgmax : Extension<kind_sets::oracle, Methods<method::argmax_batch>> {
  template <class T>
  static constexpr sculpt_ext_batch_argmax table{
      [](void* session, std::int64_t count, const sculpt_query* const* queries,
         sculpt_answer* const* answers, std::int64_t* failed, sculpt_error* error) {
        return guarded(error, "argmax_batch", [&] {
          Batch batch({queries, static_cast<std::size_t>(count)}, answers, failed);
          worker_of<method::argmax_batch, T>(session).argmax_batch(batch);
        });
      }};
};

}  // namespace detail
}  // namespace sculpt
