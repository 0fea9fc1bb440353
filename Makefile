# SPDX-License-Identifier: Apache-2.0
.PHONY: fuzz

# Every libFuzzer target for a minute.
fuzz:
	sh Fuzz/run 60
