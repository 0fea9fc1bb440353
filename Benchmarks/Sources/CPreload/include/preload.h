// SPDX-License-Identifier: Apache-2.0
#pragma once

// Nothing to call: the library is loaded before a program (LD_PRELOAD), counts what it allocates,
// and at its end writes the number to the descriptor that BENCH_ALLOCATIONS names: who drops
// privileges may open no file any more. With glibc only.
