// arrays.cpp - a library with the dataset arrays. Called by the host.
#include "arrays_dataset.hpp"

SCULPT_PLUGIN("arrays", "1.0.0", "Apache-2.0", sculpt::Dataset<ArraysDataset>)
