// kernel.cpp - a library of kernels: of rows of numbers, of sequences of symbols, and from a
// matrix. Called by the host.
#include "matrix_kernel.hpp"
#include "row_kernels.hpp"
#include "spectrum_kernel.hpp"
#include "subsequence_kernel.hpp"

SCULPT_PLUGIN("kernel", "1.0.0", "Apache-2.0", sculpt::Kernel<kernel::Linear>,
              sculpt::Kernel<kernel::Polynomial>, sculpt::Kernel<kernel::Rbf>,
              sculpt::Kernel<kernel::Sigmoid>, sculpt::Kernel<kernel::MinMax>,
              sculpt::Kernel<kernel::Tanimoto>, sculpt::Kernel<kernel::SubsequenceKernel>,
              sculpt::Kernel<kernel::SpectrumKernel>, sculpt::Kernel<kernel::MatrixKernel>)
