// The readers of the dataset trees and of the rules of a grammar. The input is rules `A -> B C`, a
// line "-----", then bracketed trees. Without rules the grammar has the rules of the trees.
#include "contract.hpp"
#include "experiment_text.hpp"

using namespace sculpt::core;

namespace {

// Charts are small, because this tests the reader.
void use(std::string_view input) {
  const fuzz::Rows rules = fuzz::leading_rows(input, "rows");
  const std::string features = R"({"use": "grammar", "max_edges": 20000, "anchors":
      ["first_word", "last_word", "length", "split_words"])" +
                               (rules.member.empty() ? "" : ", " + rules.member) + "}";
  fuzz::read_dataset(
      "trees", R"("features": )" + features + R"(, "loss": "f1", "oracle": "grammar")", rules.rest);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::expect({Exit::data, Exit::config}, [&] { use(fuzz::text_of(data, size)); });
}
