// interrupted_run.hpp - runs through the binary that are killed and resumed.
//
// For the fast and the slow tests of checkpoints.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "command/host_process.hpp"

namespace sculpt::test {

// Noisy words and noisy.json, which takes some dozen passes and a tenth of a second. By default a
// checkpoint is written after every pass; on some disks they take longer than the run itself.
void write_noisy_experiment(const Scratch& scratch, const std::string& checkpoint_seconds = "0");

// The ways to solve it that differ in what a checkpoint holds: values of --set.
struct Variant {
  std::string name;
  std::vector<std::string> sets;
};
std::vector<Variant> variants();

// `sculpt train noisy.json` with the sets of a variant, and more words.
std::vector<std::string> train_words(const Variant& variant, const std::string& output,
                                     const std::vector<std::string>& more = {});

// `sculpt train` of the embedded words at a C whose optimum takes minutes, and more words: passes
// of some milliseconds, until somebody ends it.
std::vector<std::string> endless_words(const std::string& output,
                                       const std::vector<std::string>& more = {});

// A run of noisy.json with an exit code of 0 or 3, which is returned.
int train(const Scratch& scratch, const Variant& variant, const std::string& output,
          const std::vector<std::string>& more = {});

// A run of noisy.json with these values of --set, and more words, whatever it ends with.
Outcome train_noisy(const Scratch& scratch, const std::string& output,
                    const std::vector<std::string>& sets,
                    const std::vector<std::string>& more = {});

// "run": noisy.json, ended by a limit behind three passes, with a checkpoint.
void train_three_passes(const Scratch& scratch);

// `sculpt sweep noisy.json` into a folder, and more words.
std::vector<std::string> sweep_words(const std::string& output,
                                     const std::vector<std::string>& more);

// A run that is killed (-9) at `kills` random moments, with a random number of threads each time,
// and resumed; then it is left to end. Returns how many kills hit it while it ran.
int train_killed(const Scratch& scratch, const Variant& variant, const std::string& output,
                 int kills, double seconds, std::mt19937_64& random);

// Whether the models of two runs have the same bytes.
bool same_model(const Scratch& scratch, const std::string& one, const std::string& other);

void flip_last_byte(const Scratch& scratch, const std::string& name);

}  // namespace sculpt::test
