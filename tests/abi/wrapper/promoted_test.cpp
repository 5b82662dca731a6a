// Extensions that were drafts: they are found by their methods, and listed by their promoted id.
// The id of the draft names the same table if the layout did not change (sculpt/ext/promoted.h).

#include <doctest/doctest.h>
#include <sculpt/c_plugin.h>

#include "live.hpp"

namespace {

struct Bags {
  static constexpr sculpt::About about{"org.sculpt.test.bags", "1.0.0", "a dataset with items"};
  void load(std::string_view, const sculpt::Source&) {}
  std::int64_t count() const { return 1; }
  sculpt::Range split(std::string_view) const { return {}; }
  sculpt::Labels truth(std::int64_t) const { return {}; }
  // The even labels, in any order.
  void items(std::int64_t, sculpt::Labels y, std::vector<std::int64_t>& items) const {
    for (const std::int32_t label : y) {
      if (label % 2 == 0) items.push_back(label);
    }
  }
};

// Features with groups, and with scores if a parameter says so.
class Rows {
 public:
  static constexpr sculpt::About about{"org.sculpt.test.rows", "1.0.0", "groups and scores"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::boolean("scores", "true", "offers scores")};
  explicit Rows(const sculpt::Parameters& given) : has_scores_(given.boolean("scores")) {}

  std::int64_t dimension() const { return 3; }
  void features(std::int64_t, sculpt::Labels, sculpt::Sum&) const {}
  void weight_groups(std::span<std::int32_t> group) const { group[1] = 2; }
  sculpt::RowBlocks row_blocks() const { return {1, 2}; }
  bool offers_scores() const { return has_scores_; }
  std::uint32_t score_rule() const { return SCULPT_SCORES_SIGN; }
  std::int64_t score_rows(std::int64_t) const { return 2; }
  void write_scores(std::int64_t, sculpt::Weights w, std::span<double> scores) const {
    for (std::size_t k = 0; k < scores.size(); ++k) scores[k] = w[k];
  }

 private:
  bool has_scores_;
};

// An oracle with relaxed answers.
struct RelaxedOracle {
  static constexpr sculpt::About about{"org.sculpt.test.halves", "1.0.0", "relaxed answers"};
  void argmax(const sculpt::Query&, sculpt::Answer& answer) const { answer.no_output(); }
  void cut(const sculpt::Query&, sculpt::Sum&, sculpt::Cut& out) const { out.no_output(); }
};

bool lists(const sculpt_component& component, const std::string& id) {
  return std::count(component.extensions, component.extensions + component.extension_count, id) ==
         1;
}

// Checks that the id is listed and answered, and that of the draft only answered, with the same
// table. `draft` is nullptr: the draft had another layout.
void check_promoted_id(const LiveComponent& live, const std::string& id, const char* draft) {
  CAPTURE(id);
  CHECK(lists(*live.ref().component(), id));
  const void* const table = live.extension(id.c_str());
  CHECK(table != nullptr);
  if (draft == nullptr) {
    const std::string old = id.substr(0, id.find('/')) + "/draft-1";
    CHECK(live.extension(old.c_str()) == nullptr);
  } else {
    CHECK_FALSE(lists(*live.ref().component(), draft));
    CHECK(live.extension(draft) == table);
  }
}

// A dataset that answers a promoted extension by its own table, and lists the id of the draft.
struct OwnTable : Bags {
  static constexpr sculpt::About about{"org.sculpt.test.own", "1.0.0", "a table of its own"};
  static constexpr const char* extensions[] = {"sculpt.groups/draft-1"};
  const void* extension(const char* id) const {
    return std::string_view(id) == extensions[0] ? &about : nullptr;
  }
};

LiveComponent rows(bool has_scores) {
  sculpt_value value{};
  value.integer = has_scores ? 1 : 0;
  return LiveComponent(sculpt::Features<Rows>::component, &value);
}

TEST_CASE("promoted extensions are offered by their methods, by both of their ids") {
  check_promoted_id(LiveComponent(sculpt::Dataset<Bags>::component), SCULPT_EXT_ITEMS,
                    "sculpt.items/draft-1");
  check_promoted_id(rows(true), SCULPT_EXT_GROUPS, "sculpt.groups/draft-1");
  check_promoted_id(rows(true), SCULPT_EXT_ROW_BLOCKS, "sculpt.row-blocks/draft-1");
  check_promoted_id(rows(true), SCULPT_EXT_SCORES, nullptr);
  check_promoted_id(LiveComponent(sculpt::Oracle<RelaxedOracle>::component), SCULPT_EXT_CUT,
                    "sculpt.cut/draft-1");
}

TEST_CASE("a table of the class itself is answered for both ids, whichever it lists") {
  const LiveComponent own(sculpt::Dataset<OwnTable>::component);
  CHECK(own.extension("sculpt.groups/draft-1") == &OwnTable::about);
  CHECK(own.extension(SCULPT_EXT_GROUPS) == &OwnTable::about);
  CHECK(own.extension(SCULPT_EXT_SCORES) == nullptr);
}

TEST_CASE("an extension of a lent component is found by the id of its draft") {
  const LiveComponent bags(sculpt::Dataset<Bags>::component);
  static const sculpt_ext_items draft_table{};
  sculpt_life life = *bags.raw().component->life;
  life.extension = [](const void*, const char* id) -> const void* {
    return std::string_view(id) == "sculpt.items/draft-1" ? &draft_table : nullptr;
  };
  sculpt_component early = *bags.raw().component;
  early.life = &life;
  const sculpt_ref raw{&early, bags.self()};
  const sculpt::Ref ref(raw);
  CHECK(ref.extension<sculpt_ext_items>() == &draft_table);
  CHECK(sculpt_find_extension(raw, SCULPT_EXT_ITEMS) == &draft_table);
  CHECK(ref.extension<sculpt_ext_metrics>() == nullptr);
}

TEST_CASE("a parameter switches scores off") {
  CHECK(rows(false).extension(SCULPT_EXT_SCORES) == nullptr);
}

}  // namespace
