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

inline constexpr int exit_data = 65;
inline constexpr int exit_config = 78;

struct Outcome {
  int exit = -1;  // 128 + signal when it was killed
  std::string out;
  std::string err;
};

// A program that runs. Ends it, the hard way, when it goes out of scope unwaited.
class Process {
 public:
  Process(int id, fs::path out, fs::path err);
  Process(Process&& other) noexcept;
  ~Process();

  void signal(int number) const;
  // From now on it may take so many bytes of addresses more than it has.
  void limit_address_space(std::int64_t more) const;
  bool running();
  Outcome wait();

 private:
  int id_;  // -1: waited for
  int status_ = 0;
  bool ended_ = false;
  fs::path out_;
  fs::path err_;
};

// An empty folder that goes away with its owner; the host runs in it.
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

  // `sculpt WORDS...` with the working directory here; `environment` adds to ours.
  Outcome sculpt(const std::vector<std::string>& words,
                 const std::map<std::string, std::string>& environment = {}) const;
  // Any program, likewise.
  Outcome run(const std::vector<std::string>& words,
              const std::map<std::string, std::string>& environment = {}) const;

  // `sculpt WORDS...`, not waited for.
  Process start(const std::vector<std::string>& words) const;

  // Waits until a run has written an event of that name; false when the process ends before, or
  // after a minute.
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

// Whether the text has that part.
bool says(const std::string& text, const std::string& part);

// That a command ended with that exit, said all of this on stderr and nothing on stdout, and that
// no run folder is left behind.
void check_refused(const Scratch& scratch, const Outcome& outcome, int exit,
                   const std::vector<std::string>& texts);

// The weights that a model file holds.
std::vector<double> weights_of(const std::string& model);

// --set KEY=VALUE that makes the host look for plugins of the tests first.
std::vector<std::string> with_test_plugins(std::vector<std::string> words);

// The path of a file below the shared data folder, or nothing; then says "SKIPPED: why", which
// ctest takes as a skipped test.
std::optional<std::string> shared_data(const std::string& name);

// Six letter images as words over the alphabet {a, b}, and an experiment on them that is solved in
// no time: a small complete run to vary.
void write_small_experiment(const Scratch& scratch);

// "run": small.json, with more words, which ends with 0 or 3.
Outcome train_small(const Scratch& scratch, std::vector<std::string> words);
// The same with these values of --set and the plugins of the tests, whatever it ends with; writes
// small.json itself.
Outcome train_with_test_plugins(const Scratch& scratch, const std::vector<std::string>& sets,
                                const std::vector<std::string>& more = {});

}  // namespace sculpt::test
