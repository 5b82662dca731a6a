#include "leave_one_out/planes_without_example.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/failure.hpp"

namespace sculpt::core {

PlanesWithoutExample::PlanesWithoutExample(PlaneSource& planes, InnerProduct* inner_product,
                                           std::int64_t example, OnQuery on_query)
    : planes_(planes),
      inner_product_(inner_product),
      example_(example),
      on_query_(std::move(on_query)) {
  for (std::int64_t i = 0; i < planes.example_count(); ++i) {
    weights_.push_back(i == example ? 0 : planes.example_weight(i));
  }
}

// The compiler does not see that virtual functions never return.
void PlanesWithoutExample::report_contradiction(std::int64_t example,
                                                const std::string& text) const {
  planes_.report_contradiction(example, text);
  std::abort();
}

void PlanesWithoutExample::report_inseparable(std::span<const std::int64_t> examples,
                                              const std::string& text) const {
  planes_.report_inseparable(examples, text);
  std::abort();
}

// The answer about the example is the zero plane, as for every example of weight 0.
void PlanesWithoutExample::separate(WeightView w, std::span<const std::int64_t> examples,
                                    const Pass& pass, std::vector<Separation>& out) {
  const auto at = std::find(examples.begin(), examples.end(), example_);
  if (at == examples.end()) return planes_.separate(w, examples, pass, out);
  on_query_(w, pass.scale);
  ++queries_;
  others_.assign(examples.begin(), at);
  others_.insert(others_.end(), at + 1, examples.end());
  planes_.separate(w, others_, pass, out);
  out.insert(out.begin() + (at - examples.begin()), Separation());
}

void PlanesWithoutExample::separate_jointly(WeightView, const Pass&, JointWeight,
                                            JointSeparation&) {
  throw Failure(Exit::internal, "joint planes without an example were asked for");
}

}  // namespace sculpt::core
