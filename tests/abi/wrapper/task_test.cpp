// Task<T>: several components share one object, and refuse components of other tasks.

#include <doctest/doctest.h>

#include <sculpt/cpp/lent_sessions.hpp>

#include "live.hpp"

namespace {

// A task without data of its own: its features own the object.
struct Sign {
  static constexpr sculpt::About about{"org.sculpt.test.sign", "1.0.0", "the sign of a number"};
  static constexpr const char* extensions[] = {"test.private/1"};
  std::int64_t dimension() const { return 1; }
  void features(std::int64_t, sculpt::Labels y, sculpt::Sum& sum) const { sum.add(0, y[0]); }
  double loss(sculpt::Labels a, sculpt::Labels b) const { return a == b ? 0 : 1; }
  void argmax(const sculpt::Query&, sculpt::Answer& answer) const { answer.no_output(); }
  const void* extension(const char* id) const {
    return std::string_view(id) == "test.private/1" ? this : nullptr;
  }
};
struct Other : Sign {
  static constexpr sculpt::About about{"org.sculpt.test.other", "1.0.0", "as Sign"};
};
// A task with data: its dataset owns the object.
struct Reader : Sign {
  static constexpr sculpt::About about{"org.sculpt.test.reader", "1.0.0", "Sign with data"};
  void load(std::string_view, const sculpt::Source&) {}
  std::int64_t count() const { return 0; }
  sculpt::Range split(std::string_view) const { return {}; }
  sculpt::Labels truth(std::int64_t) const { return {}; }
};

// Takes other losses and features, except for losses of Sign.
struct Open : Reader {
  static constexpr sculpt::About about{"org.sculpt.test.open", "1.0.0", "takes others"};
  static constexpr bool takes_other_losses = true;
  static constexpr bool takes_other_features = true;
  void check_bindings(const sculpt::Bindings& to) const {
    if (to.loss.present() && to.loss.id() == Sign::about.id) {
      throw sculpt::unsupported_error("cannot use sign");
    }
  }
  struct Session {
    Session(const Open&, const sculpt::Bindings& to) : bindings(to) {}
    void argmax(const sculpt::Query&, sculpt::Answer& answer) const { answer.no_output(); }
    sculpt::Bindings bindings;
  };
};

// Its Session holds the counts of the loss, which the parts before the loss do not have.
struct Counting : Reader {
  static constexpr sculpt::About about{"org.sculpt.test.counting", "1.0.0", "counts errors"};
  static constexpr sculpt_count counts[] = {sculpt::counted("errors")};
  double loss_of_counts(std::int64_t, sculpt::Labels, std::span<const std::int64_t> counts) const {
    return static_cast<double>(counts[0]);
  }
  struct Session {
    Session(const Counting&, const sculpt::Bindings& to) : counts(to.loss) {}
    void argmax(const sculpt::Query&, sculpt::Answer& answer) const { answer.no_output(); }
    sculpt::CountLossSession counts;
  };
};

// An oracle alone, which learns from bind() what it refuses.
struct Picky {
  static constexpr sculpt::About about{"org.sculpt.test.picky", "1.0.0", "refuses its own loss"};
  void bind(const sculpt::Bindings& to) { is_bound_ = to.loss.present(); }
  void check_bindings(const sculpt::Bindings& to) const {
    if (is_bound_ && to.loss.id() == Sign::about.id) {
      throw sculpt::unsupported_error("cannot use sign");
    }
  }
  void argmax(const sculpt::Query&, sculpt::Answer& answer) const { answer.no_output(); }
  bool is_bound_ = false;
};

constexpr sculpt_ref unbound{nullptr, nullptr};

TEST_CASE("the components of a task share the object of their features") {
  LiveComponent features(sculpt::Task<Sign>::FeaturesPart::component);
  LiveComponent oracle(sculpt::Task<Sign>::OraclePart::component);
  CHECK(features.bind(unbound, unbound).status == SCULPT_OK);
  CHECK(oracle.bind(unbound, features.raw()).status == SCULPT_OK);
  CHECK(oracle.extension("test.private/1") == features.extension("test.private/1"));
}

TEST_CASE("a component of a task refuses features of another task") {
  LiveComponent features(sculpt::Task<Other>::FeaturesPart::component);
  LiveComponent loss(sculpt::Task<Sign>::LossPart::component);
  const Outcome outcome = loss.bind(unbound, features.raw());
  CHECK(outcome.status == SCULPT_E_UNSUPPORTED);
  CHECK(outcome.text ==
        "works only with its own features; set features to org.sculpt.test.sign, or to "
        "LIBRARY.so#org.sculpt.test.sign if its library is not on plugin_path");
  CHECK(loss.bind(unbound, unbound).status == SCULPT_E_UNSUPPORTED);
}

TEST_CASE("a task that reads data refuses other datasets") {
  LiveComponent dataset(sculpt::Task<Reader>::DatasetPart::component);
  LiveComponent features(sculpt::Task<Reader>::FeaturesPart::component);
  CHECK(features.bind(dataset.raw(), unbound).status == SCULPT_OK);
  const Outcome outcome = features.bind(unbound, unbound);
  CHECK(outcome.status == SCULPT_E_UNSUPPORTED);
  CHECK(outcome.text ==
        "works only with its own dataset; set dataset.use to org.sculpt.test.reader, or to "
        "LIBRARY.so#org.sculpt.test.reader if its library is not on plugin_path");
}

TEST_CASE("the oracle of a task refuses other losses and other features") {
  LiveComponent dataset(sculpt::Task<Reader>::DatasetPart::component);
  LiveComponent features(sculpt::Task<Reader>::FeaturesPart::component);
  LiveComponent loss(sculpt::Task<Reader>::LossPart::component);
  LiveComponent oracle(sculpt::Task<Reader>::OraclePart::component);
  const LiveComponent other_loss(sculpt::Loss<Other>::component);
  const LiveComponent other_features(sculpt::Features<Other>::component);
  REQUIRE(features.bind(dataset.raw(), unbound).status == SCULPT_OK);
  REQUIRE(loss.bind(dataset.raw(), features.raw()).status == SCULPT_OK);
  CHECK(oracle.bind(dataset.raw(), features.raw(), loss.raw()).status == SCULPT_OK);
  CHECK(oracle.bind(dataset.raw(), features.raw()).status == SCULPT_OK);  // prediction

  Outcome outcome = oracle.bind(dataset.raw(), features.raw(), other_loss.raw());
  CHECK(outcome.status == SCULPT_E_UNSUPPORTED);
  CHECK(outcome.text ==
        "works only with its own loss; set loss to org.sculpt.test.reader, or to "
        "LIBRARY.so#org.sculpt.test.reader if its library is not on plugin_path");
  outcome = oracle.bind(dataset.raw(), other_features.raw(), loss.raw());
  CHECK(outcome.status == SCULPT_E_UNSUPPORTED);
  CHECK(outcome.text ==
        "works only with its own features; set features to org.sculpt.test.reader, or to "
        "LIBRARY.so#org.sculpt.test.reader if its library is not on plugin_path");
}

TEST_CASE("the loss of a task with data works with any features of its dataset") {
  LiveComponent dataset(sculpt::Task<Reader>::DatasetPart::component);
  LiveComponent loss(sculpt::Task<Reader>::LossPart::component);
  const LiveComponent other_features(sculpt::Features<Other>::component);
  CHECK(loss.bind(dataset.raw(), other_features.raw()).status == SCULPT_OK);
}

TEST_CASE("the oracle of a task that takes others binds to them, and gives them to its sessions") {
  LiveComponent dataset(sculpt::Task<Open>::DatasetPart::component);
  LiveComponent oracle(sculpt::Task<Open>::OraclePart::component);
  const LiveComponent other_loss(sculpt::Loss<Other>::component);
  const LiveComponent other_features(sculpt::Features<Other>::component);
  const LiveComponent refused_loss(sculpt::Loss<Sign>::component);
  REQUIRE(oracle.bind(dataset.raw(), other_features.raw(), other_loss.raw()).status == SCULPT_OK);
  const sculpt_life& life = *sculpt::Task<Open>::OraclePart::component.life;
  void* session = nullptr;
  REQUIRE(life.open_session(oracle.self(), &session, nullptr) == SCULPT_OK);
  const sculpt::Bindings& bindings = sculpt::session_of<Open>(session).bindings;
  CHECK(bindings.dataset.self() == dataset.self());
  CHECK(bindings.features.self() == other_features.self());
  CHECK(bindings.loss.self() == other_loss.self());
  life.close_session(session);

  const Outcome outcome = oracle.bind(dataset.raw(), other_features.raw(), refused_loss.raw());
  CHECK(outcome.status == SCULPT_E_UNSUPPORTED);
  CHECK(outcome.text == "cannot use sign");
}

TEST_CASE("a Session with the extension of a loss opens for every part of a task") {
  using Parts = sculpt::Task<Counting>;
  LiveComponent dataset(Parts::DatasetPart::component);
  LiveComponent features(Parts::FeaturesPart::component);
  LiveComponent loss(Parts::LossPart::component);
  LiveComponent oracle(Parts::OraclePart::component);
  REQUIRE(dataset.bind(unbound, unbound).status == SCULPT_OK);
  REQUIRE(features.bind(dataset.raw(), unbound).status == SCULPT_OK);
  REQUIRE(loss.bind(dataset.raw(), features.raw()).status == SCULPT_OK);
  const sculpt_life& life = *Parts::OraclePart::component.life;
  const auto has_counts = [&](const LiveComponent& part) {
    void* session = nullptr;
    REQUIRE(life.open_session(part.self(), &session, nullptr) == SCULPT_OK);
    const bool result = sculpt::session_of<Counting>(session).counts.of().present();
    life.close_session(session);
    return result;
  };
  REQUIRE(oracle.bind(dataset.raw(), features.raw()).status == SCULPT_OK);  // prediction
  for (const LiveComponent* part : {&dataset, &features, &loss, &oracle}) {
    CHECK_FALSE(has_counts(*part));
  }
  REQUIRE(oracle.bind(dataset.raw(), features.raw(), loss.raw()).status == SCULPT_OK);
  CHECK(has_counts(oracle));
}

TEST_CASE("bind of an oracle alone ends with check_bindings") {
  LiveComponent oracle(sculpt::Oracle<Picky>::component);
  const LiveComponent refused_loss(sculpt::Loss<Sign>::component);
  const LiveComponent other_loss(sculpt::Loss<Other>::component);
  CHECK(oracle.bind(unbound, unbound).status == SCULPT_OK);
  CHECK(oracle.bind(unbound, unbound, other_loss.raw()).status == SCULPT_OK);
  const Outcome outcome = oracle.bind(unbound, unbound, refused_loss.raw());
  CHECK(outcome.status == SCULPT_E_UNSUPPORTED);
  CHECK(outcome.text == "cannot use sign");
}

TEST_CASE("a component of a task offers no extension of its class before bind") {
  const LiveComponent oracle(sculpt::Task<Sign>::OraclePart::component);
  CHECK(oracle.extension("test.private/1") == nullptr);
  CHECK(oracle.extension(SCULPT_EXT_STATE) == nullptr);
}

TEST_CASE("the catalogue of a task lists its components under one id") {
  using NoDataCatalogue = sculpt::detail::Catalogue<sculpt::Task<Sign>>;
  using DataCatalogue = sculpt::detail::Catalogue<sculpt::Task<Reader>, sculpt::Loss<Other>>;
  CHECK(NoDataCatalogue::components.size() == 3);
  REQUIRE(DataCatalogue::components.size() == 5);
  CHECK(DataCatalogue::components[0]->kind == SCULPT_KIND_DATASET);
  CHECK(std::string(DataCatalogue::components[3]->id) == "org.sculpt.test.reader");
  CHECK(std::string(DataCatalogue::components[4]->id) == "org.sculpt.test.other");
}

}  // namespace
