# SPDX-License-Identifier: Apache-2.0
.POSIX:

SWIFT = swift
RELEASE = -c release --static-swift-stdlib
BENCHMARKS = --package-path Benchmarks --scratch-path .build/benchmarks
# What is measured, e.g. ARGS="--also PATH small"; see Benchmarks/README.md.
ARGS =
# A commit to compare with.
BASE =
CORPUS = .build/bench-corpus
WORKTREE = .build/base

help:
	@echo 'build   the release binary, .build/release/wamptap'
	@echo 'test    all tests'
	@echo 'bench   measure, beside other tools; BASE=<commit> compares, ARGS=... chooses'
	@echo 'floors  measure each layer by itself; fails when one allocates more than it may'
	@echo 'fuzz    feed each layer what nobody would send, for a minute each'
	@echo 'manual  write the list of man/wamptap-findings.7 anew'
	@echo 'lint    check the formatting and the manual'
	@echo 'clean   remove what was built'

build:
	$(SWIFT) build $(RELEASE) --product wamptap

test:
	$(SWIFT) test

bench: build base
	$(SWIFT) build $(BENCHMARKS) $(RELEASE) --product bench
	also=; test -z '$(BASE)' || also='--also $(WORKTREE)/.build/release/wamptap'; \
	.build/benchmarks/release/bench --directory $(CORPUS) $$also $(ARGS)

# The other commit, in a tree of its own that is used again.
base:
	@test -z '$(BASE)' || { \
	  git worktree prune && \
	  { test -d $(WORKTREE) || git worktree add --detach $(WORKTREE) '$(BASE)'; } && \
	  git -C $(WORKTREE) checkout --quiet --detach "$$(git rev-parse '$(BASE)')" && \
	  $(SWIFT) build --package-path $(WORKTREE) $(RELEASE) --product wamptap; }

floors:
	$(SWIFT) build $(BENCHMARKS) $(RELEASE)
	.build/benchmarks/release/bench generate --directory $(CORPUS) small
	.build/benchmarks/release/floors --gate Benchmarks/thresholds.json \
	  $(CORPUS)/small-1000000-1.pcap

fuzz:
	sh Fuzz/run 60

manual:
	UPDATE_MAN=1 $(SWIFT) test --filter FindingsManualTests

lint:
	mandoc -Tlint -Wwarning man/*
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests \
	  Benchmarks/Package.swift Benchmarks/Sources

clean:
	$(SWIFT) package clean
	rm -rf .build/benchmarks $(CORPUS) $(WORKTREE)
	git worktree prune

.PHONY: help build test bench base floors fuzz manual lint clean
