// SPDX-License-Identifier: Apache-2.0
#pragma once

// Nothing to call: the library is preloaded into a program (LD_PRELOAD), counts its allocations,
// and at the end writes the number to the descriptor that BENCH_ALLOCATIONS names, as a program
// that has dropped its privileges may not be able to open a file. Works only with glibc.
