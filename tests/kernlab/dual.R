#!/usr/bin/env Rscript
# Trains kernlab's spoc-svc, the SVM of Crammer & Singer 2001, and prints a line of JSON.
#
#   dual.R TRAIN KERNEL C TOLERANCE [TEST]
#
# TRAIN and TEST: files of svmlight. KERNEL: rbf:GAMMA, or polynomial:GAMMA:COEF0:DEGREE, or linear.
# kernlab sums the slacks, so C in sculpt is n times C here. With A[i][y] <= C [y = y_i] and
# sum_y A[i][y] = 0, the dual is
#
#   sum_i A[i][y_i]  -  1/2 sum_ij k(x_i, x_j) <A[i], A[j]>
#
# It is computed here, in double precision, because kernlab does not report it. CPU and wall seconds
# are those of ksvm() alone, without reading.
suppressMessages(library(kernlab))

read_svmlight <- function(path, width = 0) {
  fields <- strsplit(readLines(path), "[ \t]+")
  labels <- vapply(fields, `[`, "", 1)
  entries <- lapply(fields, function(row) strsplit(row[-1], ":", fixed = TRUE))
  index <- lapply(entries, function(row) as.integer(vapply(row, `[`, "", 1)))
  value <- lapply(entries, function(row) as.numeric(vapply(row, `[`, "", 2)))
  x <- matrix(0, length(labels), max(width, unlist(index)))
  for (i in seq_along(labels)) x[i, index[[i]]] <- value[[i]]
  list(x = x, y = as.integer(labels))
}

read_kernel <- function(text) {
  parts <- strsplit(text, ":", fixed = TRUE)[[1]]
  numbers <- as.numeric(parts[-1])
  switch(parts[1],
         linear = vanilladot(),
         rbf = rbfdot(sigma = numbers[1]),
         polynomial = polydot(scale = numbers[1], offset = numbers[2], degree = numbers[3]),
         stop("there is no kernel ", parts[1]))
}

# The rows of the kernel are made block by block, because 16000 x 16000 values are 2 GB.
dual_of <- function(kernel, x, truth, A) {
  quadratic <- 0
  for (begin in seq(1, nrow(x), by = 500)) {
    block <- begin:min(begin + 499, nrow(x))
    k <- kernelMatrix(kernel, x[block, , drop = FALSE], x)
    quadratic <- quadratic + sum(A[block, ] * (k %*% A))
  }
  sum(A[cbind(seq_along(truth), truth)]) - quadratic / 2
}

arguments <- commandArgs(trailingOnly = TRUE)
train <- read_svmlight(arguments[1])
kernel <- read_kernel(arguments[2])
C <- as.numeric(arguments[3])
truth <- factor(train$y)
seconds <- system.time(
  model <- ksvm(train$x, truth, type = "spoc-svc", kernel = kernel, C = C, scaled = FALSE,
                tol = as.numeric(arguments[4]), cache = 1000, fit = FALSE))
A <- alpha(model)
# kernlab 0.9-32 frees its result before R copies it, which overwrites the first value. That is A of
# some example and the first class. The sum over the classes tells it.
wrong <- which(abs(rowSums(A)) > 1e-6 * C)
stopifnot(length(wrong) <= 1)
A[wrong, 1] <- -sum(A[wrong, -1])
stopifnot(all(A[cbind(seq_along(truth), truth)] <= C * (1 + 1e-9)))
error <- "null"
if (length(arguments) > 4) {
  test <- read_svmlight(arguments[5], ncol(train$x))
  guess <- predict(model, test$x[, seq_len(ncol(train$x)), drop = FALSE])
  error <- sprintf("%.6g", mean(as.character(guess) != as.character(test$y)))
}
cat(sprintf('{"dual": %.10g, "examples": %d, "cpu": %.3f, "wall": %.3f, "test_error": %s}\n',
            dual_of(kernel, train$x, as.integer(truth), A), nrow(A),
            seconds[["user.self"]] + seconds[["sys.self"]], seconds[["elapsed"]], error))
