// The readers of the dataset trees and of the rules of a grammar: rules `A -> B C`, a line "-----",
// then bracketed trees. Without rules they are read off the trees.
#include "contract.hpp"
#include "experiment_text.hpp"

using namespace sculpt::core;

namespace {

// Small charts: the reader is what is tested.
void use(std::string_view input) {
  const fuzz::Rows rules = fuzz::rows_in_front(input, "rows");
  const std::string features = R"({"use": "grammar", "max_edges": 20000, "anchors":
      ["first_word", "last_word", "length", "split_words"])" +
                               (rules.member.empty() ? "" : ", " + rules.member) + "}";
  fuzz::read_dataset("trees",
                     R"("features": )" + features + R"(, "loss": "f1", "oracle": "grammar")",
                     rules.behind);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::expect({Exit::data, Exit::config}, [&] { use(fuzz::text_of(data, size)); });
}
