# Witnesses that prove another bound than that of the answer, or nothing. The first mutants of each
# kind are correct.
set(chain_proof ${PROJECT_SOURCE_DIR}/tests/abi/stubs/chain_proof.cpp)
set(prove_size [[const auto size = static_cast<std::int64_t>(messages.size());]])
sculpt_add_mutant(proof_correct ${chain_proof} [["dynamic programming on chains, with its proof"]]
  [["nothing is changed"]])
sculpt_add_mutant(proof_of_less ${chain_proof} [[message[before.size() + x] = best;]]
  [[message[before.size() + x] = best / 2;]])
sculpt_add_mutant(proof_cut ${chain_proof} "${prove_size}"
  [[if (!messages.empty()) messages.pop_back();
    const auto size = static_cast<std::int64_t>(messages.size());]])
sculpt_add_mutant(proof_of_other_answer ${chain_proof} "${prove_size}"
  "raw->value += 1;
    ${prove_size}")
sculpt_add_mutant(proof_without_output ${chain_proof}
  [[out->kind = is_proof ? SCULPT_WITNESS_MESSAGES : SCULPT_WITNESS_NONE;]]
  [[out->kind = SCULPT_WITNESS_MESSAGES;]])
foreach(proof correct other_answer without_kind negative_dual not_finite)
  sculpt_add_mutant(tagger_proof_${proof} ${tagger} "${last_line}"
    "#include \"wrong_witness.hpp\"
using Mutant = ProvingTagger<Proof::${proof}>;
SCULPT_PLUGIN(\"tagger\", \"1.0.0\", \"Apache-2.0\", sculpt::Task<Mutant>)")
endforeach()
