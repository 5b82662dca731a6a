// host_process.hpp - runs the sculpt binary as a user would, in a scratch folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace sculpt::test {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

inline constexpr int exit_usage = 64;
inline constexpr int exit_data = 65;
inline constexpr int exit_config = 78;

struct Outcome {
  int exit = -1;  // 128 + signal if it was killed
  std::string out;
  std::string err;
};

// A running program. The destructor kills it if wait() was not called.
class Process {
 public:
  Process(int id, fs::path out, fs::path err);
  Process(Process&& other) noexcept;
  ~Process();

  void signal(int number) const;
  // Limits its address space to the present size and `more` bytes.
  void limit_address_space(std::int64_t more) const;
  bool running();
  Outcome wait();

 private:
  int id_;  // -1 after wait()
  int status_ = 0;
  bool ended_ = false;
  fs::path out_;
  fs::path err_;
};

// A new folder in which the host runs. The destructor removes it.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  fs::path operator/(const std::string& name) const { return folder_ / name; }
  const fs::path& folder() const { return folder_; }

  void write(const std::string& name, const std::string& text) const;
  std::string read(const std::string& name) const;

  // Runs `sculpt WORDS...` in this folder. `environment` is added to that of the tests.
  Outcome sculpt(const std::vector<std::string>& words,
                 const std::map<std::string, std::string>& environment = {}) const;
  // The same, but kills it after a minute, for tests of what it must not wait for. The exit code is
  // then 137.
  Outcome sculpt_in_time(const std::vector<std::string>& words,
                         const std::map<std::string, std::string>& environment = {}) const;
  // Runs any program in the same way.
  Outcome run(const std::vector<std::string>& words,
              const std::map<std::string, std::string>& environment = {}) const;

  // Starts `sculpt WORDS...` and does not wait for it.
  Process start(const std::vector<std::string>& words) const;

  // Waits until a run has written an event of that name. Returns false if the process ends before,
  // or after a minute.
  bool wait_for_event(Process& process, const std::string& run_folder,
                      const std::string& event) const;

  // The first line of the events of a run: the started event.
  Json started(const std::string& run_folder) const;
  // The last line: the finished event.
  Json finished(const std::string& run_folder) const;

 private:
  Process launch(const std::vector<std::string>& words,
                 const std::map<std::string, std::string>& environment) const;

  fs::path folder_;
};

// True if the text contains that part.
bool contains(const std::string& text, const std::string& part);

// Checks that a command ended with that exit code, printed all texts on stderr and nothing on
// stdout, and made no folder "runs".
void check_refused(const Scratch& scratch, const Outcome& outcome, int exit,
                   const std::vector<std::string>& texts);

// The weights in the bytes of a model file.
std::vector<double> weights_of(const std::string& model);

// Adds a --set that makes the host search the plugins of the tests first.
std::vector<std::string> with_test_plugins(std::vector<std::string> words);

// The path of a file below the shared data folder. If it is missing, returns nothing and prints
// "SKIPPED: " with the reason, so that ctest counts the test as skipped.
std::optional<std::string> shared_data(const std::string& name);

// Writes words.txt, four short words over the alphabet {a, b}, and small.json, an experiment on
// them that trains in almost no time.
void write_small_experiment(const Scratch& scratch);

// Trains small.json into the folder "run", with more words. Requires exit code 0 or 3.
Outcome train_small(const Scratch& scratch, std::vector<std::string> words);
// Writes small.json and trains it into "run", with these values of --set and the plugins of the
// tests. Any exit code is allowed.
Outcome train_with_test_plugins(const Scratch& scratch, const std::vector<std::string>& sets,
                                const std::vector<std::string>& more = {});

}  // namespace sculpt::test
