// The readers of taxonomies and of cost tables. The input is rows `node parent [name]`, a line
// "-----", rows `truth guess cost`, a line "-----", then rows of svmlight. Without costs the loss
// is tree_loss.
#include "contract.hpp"
#include "experiment_text.hpp"

using namespace sculpt::core;

namespace {

void use(std::string_view input) {
  const fuzz::Rows nodes = fuzz::leading_rows(input, "nodes");
  const fuzz::Rows costs = fuzz::leading_rows(nodes.rest, "rows");
  const std::string loss =
      costs.member.empty() ? R"("tree_loss")" : R"({"use": "cost_table", )" + costs.member + "}";
  const std::string tree = nodes.member.empty() ? "" : ", " + nodes.member;
  fuzz::read_dataset("svmlight",
                     R"("features": {"use": "taxonomy", "bias": true)" + tree + R"(}, "loss": )" +
                         loss + R"(, "oracle": "viterbi")",
                     costs.rest);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::expect({Exit::data, Exit::config}, [&] { use(fuzz::text_of(data, size)); });
}
