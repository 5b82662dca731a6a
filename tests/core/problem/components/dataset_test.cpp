// Dataset: the arrays that it lends to plugins.

#include "problem/components/dataset.hpp"

#include <doctest/doctest.h>
#include <sculpt/ext/example_weights.h>

#include <string>
#include <vector>

#include "core/problem/toy.hpp"
#include "problem/plugin/fenced_pages.hpp"

using namespace sculpt::core;

namespace {

std::string name_behind_weights;  // of the array that ends there, "" without a fence

sculpt_status write_weights(const void*, std::int64_t begin, std::int64_t end, double* out,
                            sculpt_error*) {
  const auto fault = FencedPages::fault_at(out + (end - begin));
  name_behind_weights = fault ? fault->name : "";
  for (std::int64_t k = begin; k < end; ++k) out[k - begin] = static_cast<double>(k);
  return SCULPT_OK;
}

const void* weights_extension(const void*, const char* id) {
  static constexpr sculpt_ext_example_weights table = {write_weights};
  return std::string_view(id) == SCULPT_EXT_EXAMPLE_WEIGHTS ? &table : nullptr;
}

}  // namespace

TEST_CASE("weights of examples are written up to a fence, if there are fences") {
  sculpt_life life = *toy_dataset().life;
  life.extension = weights_extension;
  sculpt_component description = toy_dataset();
  description.life = &life;
  for (const auto guard : {Services::Guard::none, Services::Guard::fences}) {
    Workers workers(1);
    Services services({}, workers, guard);
    Component component(description, {}, services);
    CHECK(Dataset(component, 1).example_weights({3, 6}) == std::vector<double>{3, 4, 5});
    CHECK(name_behind_weights ==
          (guard == Services::Guard::none ? "" : "the weights of the examples"));
  }
}
