#include "problem/oracle.hpp"

#include <algorithm>
#include <cmath>

namespace sculpt::core {

void Oracle::argmax(int worker, const sculpt_query& query, Answer& answer) {
  answer.clear();
  ask(worker, query, answer);
  const auto refuse = [&](const std::string& text) {
    component().refuse(Exit::plugin, query.example, text);
  };
  if (answer.has(SCULPT_ANSWER_NO_OUTPUT)) return;
  if (!answer.sound()) refuse("left an output with an impossible size");
  const sculpt_labels labels = answer.labels();
  const std::int32_t* const end = labels.data + labels.size;
  const std::int32_t* const unknown = std::find(labels.data, end, -1);
  if (unknown != end) {
    refuse("the output has the label -1 at position " + std::to_string(unknown - labels.data) +
           "; only truths may have unknown labels");
  }
  if (!std::isfinite(answer.value())) {
    refuse("the value of its answer is " + std::to_string(answer.value()));
  }
  if (answer.has(SCULPT_ANSWER_BOUND) && !std::isfinite(answer.bound())) {
    refuse("the bound of its answer is " + std::to_string(answer.bound()));
  }
}

void ComponentOracle::ask(int worker, const sculpt_query& query, Answer& answer) {
  component_.call(query.example, [&](sculpt_error* error) {
    return component_.api<sculpt_oracle_api>().argmax(sessions_.of(worker), &query, answer.raw(),
                                                      error);
  });
}

}  // namespace sculpt::core
