// SPDX-License-Identifier: Apache-2.0
// From LLVM's FuzzerInterface.h: the driver of libFuzzer, for programs that have a main.
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(int *count, char ***arguments,
                        int (*callback)(const uint8_t *bytes, size_t count));
