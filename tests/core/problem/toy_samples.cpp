// The samples of the oracle of the toy: the seed chooses one of all labellings.

#include <algorithm>
#include <cmath>
#include <random>

#include "core/problem/toy_parts.hpp"

namespace sculpt::core::toy {

const sculpt_ext_sample& oracle_samples() {
  static constexpr sculpt_ext_sample table = {
      [](void* session, const sculpt_query* query, double* log_z, sculpt_error* error) {
        const ToyExample& one =
            self_of<ToyOracle>(session).dataset->examples[static_cast<std::size_t>(query->example)];
        static_cast<ToySession*>(session)->drawn_example = query->example;
        *log_z = std::log(static_cast<double>(labelling_count(one.observations.size())));
        return begin_call("oracle.begin_draws", query->example, error);
      },
      [](void* session, std::uint64_t seed, sculpt_label_buffer* out, sculpt_error* error) {
        const std::int64_t example = static_cast<ToySession*>(session)->drawn_example;
        if (example < 0) return set_error_text(SCULPT_E_INVALID, error);
        const std::size_t size = self_of<ToyOracle>(session)
                                     .dataset->examples[static_cast<std::size_t>(example)]
                                     .observations.size();
        std::mt19937_64 random(seed);
        const auto count = static_cast<std::uint64_t>(labelling_count(size));
        const Labels y = labelling(static_cast<std::int64_t>(random() % count), size);
        const sculpt_status status = sculpt_resize_labels(out, static_cast<std::int64_t>(size));
        if (status != SCULPT_OK) return status;
        std::copy(y.begin(), y.end(), out->data);
        return begin_call("oracle.draw", example, error);
      }};
  return table;
}

}  // namespace sculpt::core::toy
