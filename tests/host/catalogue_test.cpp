// Catalogues in the process of the caller.

#include <sculpt/sculpt.hpp>

#include <array>
#include <cstring>
#include <nlohmann/json.hpp>

#include "command/host_process.hpp"
#include "host/caller.hpp"

using namespace sculpt::test;

namespace {

// A loss of `Cost` for a wrong label.
template <int Cost>
class Costs {
 public:
  static constexpr sculpt::About about{"org.sculpt.test.costs", "1.0.0", "a cost"};

  double loss(sculpt::Labels truth, sculpt::Labels guess) const {
    return truth[0] == guess[0] ? 0 : Cost;
  }
  std::uint32_t factor_demands() const { return SCULPT_GRAPH_SINGLE; }
  void add_factor_loss(std::int64_t, const sculpt_factor_graph& graph, sculpt::Labels truth,
                       double scale, double* theta, double&) const {
    for (std::int32_t label = 0; label < graph.states[0]; ++label) {
      if (label != truth[0]) theta[label] += scale * Cost;
    }
  }
};

// A catalogue with this loss under an id, as the library of a plugin has it.
template <int Cost = 1>
class LossCatalogue {
 public:
  LossCatalogue(const char* name, const char* id) {
    plugin_ =
        sculpt::detail::Catalogue<sculpt::Loss<Costs<Cost>>>::make(name, "1.0.0", "Apache-2.0");
    component_ = *plugin_.components[0];
    component_.id = id;
    plugin_.components = components_.data();
  }
  LossCatalogue(const LossCatalogue&) = delete;
  LossCatalogue& operator=(const LossCatalogue&) = delete;

  sculpt_plugin& plugin() { return plugin_; }

 private:
  sculpt_component component_ = {};
  std::array<const sculpt_component*, 1> components_ = {&component_};
  sculpt_plugin plugin_ = {};
};

template <int Cost>
Ended add(const SessionHandle& session, LossCatalogue<Cost>& catalogue) {
  return ended([&](sculpt_failure** failure) {
    return sculpt_session_add_catalogue(session.get(), &catalogue.plugin(), failure);
  });
}

// The experiment of points, with a loss of this name.
std::string experiment_with(const std::string& loss) {
  auto experiment = nlohmann::ordered_json::parse(experiment_of_points());
  experiment["loss"] = loss;
  return experiment.dump();
}

std::vector<double> weights_with(const SessionHandle& session, const std::string& loss) {
  const std::string experiment = experiment_with(loss);
  sculpt_training_options options = {};
  options.json = experiment.c_str();
  const ModelHandle model = trained(session.get(), options);
  std::int64_t size = 0;
  const double* const weights = sculpt_model_weights(model.get(), &size);
  return {weights, weights + size};
}

}  // namespace

TEST_CASE("a session finds the components of its catalogue by name, and no other session does") {
  LossCatalogue<> catalogue("mine", "org.sculpt.test.costs");
  const SessionHandle session = open_session();
  REQUIRE(add(session, catalogue).reached());
  const std::vector<double> expected = weights_with(open_session(), "zero_one");
  CHECK(weights_with(session, "costs") == expected);
  CHECK(weights_with(session, "org.sculpt.test.costs") == expected);
  CHECK(weights_with(session, "mine#costs") == expected);

  const std::string experiment = experiment_with("costs");
  auto options = record<sculpt_training_options>();
  options.json = experiment.c_str();
  sculpt_model* none = nullptr;
  const Ended end = ended([&](sculpt_failure** failure) {
    return sculpt_train(open_session().get(), &options, &none, failure);
  });
  CHECK(end.exit == SCULPT_EXIT_CONFIG);
  CHECK(end.text.find("no loss is called \"costs\"") != std::string::npos);
}

TEST_CASE("a model finds the component by its id in the catalogue of the session that reads it") {
  LossCatalogue<> catalogue("mine", "org.sculpt.test.costs");
  const SessionHandle session = open_session();
  REQUIRE(add(session, catalogue).reached());
  const std::string experiment = experiment_with("costs");
  sculpt_training_options options = {};
  options.json = experiment.c_str();
  const ModelHandle model = trained(session.get(), options);
  const ExamplesHandle examples = read_text(session.get(), model, points);
  CHECK(sculpt_examples_count(examples.get()) == 5);

  auto source = record<sculpt_examples_source>();
  source.text = points;
  source.text_size = static_cast<std::int64_t>(std::strlen(points));
  sculpt_examples* none = nullptr;
  const SessionHandle other = open_session();
  const Ended end = ended([&](sculpt_failure** failure) {
    return sculpt_examples_read(other.get(), model.get(), &source, &none, failure);
  });
  CHECK(end.exit == SCULPT_EXIT_PLUGIN);
  CHECK(end.text.find("\"org.sculpt.test.costs\", but no library has it") != std::string::npos);
}

TEST_CASE("sessions at the same time have catalogues of one name, which hide the libraries") {
  LossCatalogue<> one("mine", "org.sculpt.zero_one");
  LossCatalogue<3> three("mine", "org.sculpt.zero_one");
  const SessionHandle first = open_session();
  const SessionHandle second = open_session();
  REQUIRE(add(first, one).reached());
  REQUIRE(add(second, three).reached());
  const std::vector<double> by_library = weights_with(open_session(), "zero_one");
  CHECK(weights_with(first, "zero_one") == by_library);
  CHECK(weights_with(second, "zero_one") != by_library);
  CHECK(weights_with(first, "zero_one") == by_library);
}

TEST_CASE("catalogues that clash, are faulty or of another version are refused") {
  LossCatalogue<> catalogue("mine", "org.sculpt.test.costs");
  LossCatalogue<> same_name("mine", "org.sculpt.test.other");
  LossCatalogue<> same_id("yours", "org.sculpt.test.costs");
  LossCatalogue<> old("old", "org.sculpt.test.old");
  old.plugin().abi = old.plugin().abi_needed = {SCULPT_ABI_MAJOR, SCULPT_ABI_MINOR - 1};
  LossCatalogue<> nameless("", "org.sculpt.test.nameless");
  LossCatalogue<> wrong_id("wrong", "costs");
  const SessionHandle session = open_session();
  REQUIRE(add(session, catalogue).reached());
  const auto refused = [&](LossCatalogue<>& refused_one, const std::string& text) {
    const Ended end = add(session, refused_one);
    INFO(end.text);
    CHECK(end.exit == SCULPT_EXIT_PLUGIN);
    CHECK(end.text.find(text) != std::string::npos);
  };
  refused(same_name, "the session has a catalogue mine already");
  refused(same_id, "the catalogue yours has the loss org.sculpt.test.costs, as the catalogue mine");
  refused(old, "the catalogue old of the caller was built for ABI 0.");
  refused(nameless, "its catalogue has no name");
  refused(wrong_id, "the id \"costs\" is not of the form");
  CHECK(ended([&](sculpt_failure** failure) {
          return sculpt_session_add_catalogue(session.get(), nullptr, failure);
        }).text == "sculpt_session_add_catalogue: catalogue is NULL");
  CHECK(weights_with(session, "costs").size() > 0);  // what was added before stays
}

TEST_CASE("a sweep refuses components that its processes do not have") {
  LossCatalogue<> catalogue("mine", "org.sculpt.test.costs");
  const SessionHandle session = open_session();
  REQUIRE(add(session, catalogue).reached());
  const Scratch scratch;
  scratch.write("points.json", experiment_with("costs"));
  const std::string config = (scratch / "points.json").string();
  const std::string output = (scratch / "sweep").string();
  const std::array<const char*, 6> words = {"sweep",        config.c_str(), "--set",
                                            "solver.C=1,2", "--output",     output.c_str()};
  const Ended end = ended([&](sculpt_failure** failure) {
    return sculpt_run_command(session.get(), words.data(), words.size(), failure);
  });
  CHECK(end.exit == SCULPT_EXIT_PLUGIN);
  CHECK(end.text.find("which do not have org.sculpt.test.costs") != std::string::npos);
}
