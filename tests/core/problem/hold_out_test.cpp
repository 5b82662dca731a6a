// Hold-outs: folds, fractions and files of groups.

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <vector>

#include "core/refusal.hpp"
#include "problem/hold_out.hpp"

using namespace sculpt::core;

namespace {

// A temporary file. The destructor removes it.
class GroupFile {
 public:
  explicit GroupFile(const std::string& text)
      : path_(std::filesystem::temp_directory_path() /
              ("sculpt-groups-" + std::to_string(::getpid()))) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~GroupFile() { std::filesystem::remove(path_); }
  GroupFile(const GroupFile&) = delete;
  GroupFile& operator=(const GroupFile&) = delete;
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

HoldOut fold_of(std::int64_t folds, std::int64_t fold, std::int64_t seed = 0,
                const std::string& groups = "") {
  HoldOut hold_out;
  hold_out.folds = folds;
  hold_out.fold = fold;
  hold_out.seed = seed;
  hold_out.groups = groups;
  hold_out.position = "x.json:1:2";
  return hold_out;
}

HoldOut fraction_of(double fraction) {
  HoldOut hold_out;
  hold_out.fraction = fraction;
  hold_out.position = "x.json:1:2";
  return hold_out;
}

std::set<std::int64_t> numbers(const ExampleList& list) {
  std::set<std::int64_t> set;
  for (std::int64_t k = 0; k < list.size(); ++k) set.insert(list[k]);
  CHECK(static_cast<std::int64_t>(set.size()) == list.size());
  return set;
}

template <class Call>
void check_refusal(Exit exit, Call&& call, const std::vector<std::string>& parts) {
  const Refusal refusal = refusal_of(call);
  CAPTURE(refusal.text);
  CHECK(refusal.exit == exit);
  for (const std::string& part : parts) CHECK(refusal.says(part));
}

}  // namespace

TEST_CASE("folds are a partition of the examples, with sizes that differ by at most one") {
  const Range examples{3, 20};
  std::set<std::int64_t> all;
  for (std::int64_t fold = 0; fold < 5; ++fold) {
    const HoldOutSplit split = split_examples(fold_of(5, fold), examples);
    const std::set<std::int64_t> held = numbers(split.held_out);
    const std::set<std::int64_t> training = numbers(split.training);
    CHECK(held.size() + training.size() == 17);
    CHECK((held.size() == 3 || held.size() == 4));
    for (const std::int64_t number : held) {
      CHECK(number >= 3);
      CHECK(number < 20);
      CHECK(training.count(number) == 0);
      CHECK(all.insert(number).second);
    }
    for (std::int64_t k = 1; k < split.training.size(); ++k) {
      CHECK(split.training[k - 1] < split.training[k]);
    }
  }
  CHECK(all.size() == 17);
}

TEST_CASE("held-out examples are random, and only the seed decides them") {
  const Range examples{0, 40};
  const auto held = [&](std::int64_t seed) {
    return numbers(split_examples(fold_of(4, 1, seed), examples).held_out);
  };
  CHECK(held(1) == held(1));
  CHECK(held(1) != held(2));
  CHECK(held(1) != std::set<std::int64_t>{10, 11, 12, 13, 14, 15, 16, 17, 18, 19});
}

TEST_CASE("a group is held out as a whole or not at all") {
  std::string text;
  for (int k = 0; k < 30; ++k)
    text += "writer" + std::to_string(k % 7) + (k % 2 == 0 ? "\n" : "\r\n");
  const GroupFile file(text);
  std::set<std::int64_t> all;
  for (std::int64_t fold = 0; fold < 3; ++fold) {
    const HoldOutSplit split = split_examples(fold_of(3, fold, 5, file.path()), {0, 30});
    std::set<std::int64_t> groups;
    for (const std::int64_t number : numbers(split.held_out)) {
      groups.insert(number % 7);
      all.insert(number);
    }
    for (const std::int64_t number : numbers(split.training)) CHECK(groups.count(number % 7) == 0);
    CHECK(!groups.empty());
  }
  CHECK(all.size() == 30);
}

TEST_CASE("a large group gets a fold of its own if the other groups fill the rest") {
  std::string text;
  for (int k = 0; k < 30; ++k) text += k < 10 ? "large\n" : "small" + std::to_string(k) + "\n";
  const GroupFile file(text);
  for (std::int64_t seed = 0; seed < 10; ++seed) {
    for (std::int64_t fold = 0; fold < 3; ++fold) {
      CHECK(split_examples(fold_of(3, fold, seed, file.path()), {0, 30}).held_out.size() == 10);
    }
  }
}

TEST_CASE("a file of groups may begin with a byte order mark") {
  const GroupFile file(
      "\xEF\xBB\xBF"
      "a\nb\na\nb\n");
  CHECK(numbers(split_examples(fold_of(2, 0, 0, file.path()), {0, 4}).held_out).size() == 2);
}

TEST_CASE("a fraction is rounded up to whole examples") {
  CHECK(split_examples(fraction_of(0.2), {0, 10}).held_out.size() == 2);
  CHECK(split_examples(fraction_of(0.21), {0, 10}).held_out.size() == 3);
  CHECK(split_examples(fraction_of(1e-9), {0, 10}).held_out.size() == 1);
}

TEST_CASE("bad files of groups are refused with the line, and empty folds are refused") {
  const auto refused = [](const std::string& text, const std::string& where,
                          const std::string& what) {
    CAPTURE(text);
    const GroupFile file(text);
    check_refusal(Exit::data,
                  [&] {
                    split_examples(fold_of(2, 0, 0, file.path()), {0, 3});
                  },
                  {file.path() + where, what});
  };
  refused("a\n\nb\n", ":2: ", "empty");
  refused("a\nb c\nd\n", ":2: ", "more than one word");
  refused("a\nb\n", ":2: ", "ends here");
  refused("", ":0: ", "ends here");
  refused("a\nb\nc\nd\n", ":4: ", "has 3");
  check_refusal(Exit::missing,
                [] {
                  split_examples(fold_of(2, 0, 0, "/nowhere"), {0, 3});
                },
                {"/nowhere"});
  check_refusal(Exit::config,
                [] {
                  split_examples(fold_of(4, 0), {0, 3});
                },
                {"x.json:1:2: there are 3 examples; that is too few for 4 folds"});
  const GroupFile one("a\na\na\n");
  check_refusal(Exit::config,
                [&] {
                  split_examples(fold_of(2, 0, 0, one.path()), {0, 3});
                },
                {"there is 1 group; that is too few for 2 folds"});
  check_refusal(Exit::config,
                [] {
                  split_examples(fraction_of(0.5), {0, 1});
                },
                {"there is 1 example; that is too few to hold some of them out; split the file "
                 "into several examples (svmlight_set: `sets`)"});
  check_refusal(Exit::config,
                [] {
                  split_examples(fraction_of(1), {0, 3});
                },
                {"all 3 examples are held out"});
}
