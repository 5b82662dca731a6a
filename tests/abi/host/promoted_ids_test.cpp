// The host finds a promoted extension of a plugin that was built before the promotion, by the id of
// its draft (sculpt/ext/promoted.h).

#include <doctest/doctest.h>
#include <sculpt/ext/promoted.h>
#include <sculpt/ext/scores.h>

#include <cstring>

#include "check/fixture/known_extensions.hpp"
#include "stub_components.hpp"

namespace sculpt::core {
namespace {

constexpr const char* draft_id = "sculpt.items/draft-1";

sculpt_status one_item(const void*, std::int64_t, sculpt_labels, std::int64_t* items,
                       std::int64_t capacity, std::int64_t* count, sculpt_error*) {
  *count = 1;
  if (capacity > 0) items[0] = 7;
  return SCULPT_OK;
}
constexpr sculpt_ext_items draft_table{one_item, nullptr};
constexpr sculpt_ext_items promoted_table{one_item, nullptr};

const void* draft_only(const void*, const char* id) {
  return std::strcmp(id, draft_id) == 0 ? &draft_table : nullptr;
}
const void* both(const void* self, const char* id) {
  return std::strcmp(id, SCULPT_EXT_ITEMS) == 0 ? &promoted_table : draft_only(self, id);
}

// A dataset that declares the draft, and answers as `extension` says.
struct EarlyDataset {
  explicit EarlyDataset(const void* (*extension)(const void*, const char*))
      : life(*stub::find(SCULPT_KIND_DATASET, "scaled_points").life),
        description(stub::find(SCULPT_KIND_DATASET, "scaled_points")) {
    life.extension = extension;
    description.life = &life;
    description.extensions = &draft_id;
    description.extension_count = 1;
    const CheckedParameters parameters = stub::checked(description, "{}");
    component = std::make_unique<Component>(description, parameters.values(), stub::services());
  }
  sculpt_life life;
  sculpt_component description;
  std::unique_ptr<Component> component;
};

TEST_CASE("an extension is found by the id of its draft, but by the promoted id first") {
  const EarlyDataset early(draft_only);
  CHECK(early.component->answered_table(SCULPT_EXT_ITEMS) == &draft_table);
  const EarlyDataset later(both);
  CHECK(later.component->answered_table(SCULPT_EXT_ITEMS) == &promoted_table);
}

TEST_CASE("an extension that changed with its promotion is not found by the id of its draft") {
  CHECK(sculpt_draft_id(SCULPT_EXT_SCORES) == nullptr);
  CHECK(std::string(sculpt_promoted_id("sculpt.scores/draft-1")) == "sculpt.scores/draft-1");
}

TEST_CASE("check takes the id of a draft for the extension that it became") {
  const EarlyDataset early(draft_only);
  std::vector<std::string> answered;
  CHECK(answer_fault(*early.component, {}, answered) == "");
  CHECK(answered == std::vector<std::string>{SCULPT_EXT_ITEMS});

  sculpt_component loss = early.description;
  loss.kind = SCULPT_KIND_LOSS;
  CHECK(declaration_fault(loss, draft_id, {}) != "");
}

}  // namespace
}  // namespace sculpt::core
