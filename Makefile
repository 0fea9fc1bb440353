# SPDX-License-Identifier: Apache-2.0
.POSIX:

SWIFT = swift
# Without the run path: a program in a bin directory must not look for libraries beside itself.
RELEASE = -c release --static-swift-stdlib --disable-local-rpath
BENCHMARKS = --package-path Benchmarks --scratch-path .build/benchmarks
SKELETON = --package-path Benchmarks/Skeleton --scratch-path .build/skeleton
# What is measured, e.g. ARGS="--also PATH small"; see Benchmarks/README.md.
ARGS =
# A commit to compare with.
BASE =
# Where `install` puts things; DESTDIR is put ahead of all of it.
PREFIX = /usr/local
DESTDIR =
BINDIR = $(PREFIX)/bin
MANDIR = $(PREFIX)/share/man
BASHDIR = $(PREFIX)/share/bash-completion/completions
ZSHDIR = $(PREFIX)/share/zsh/site-functions
FISHDIR = $(PREFIX)/share/fish/vendor_completions.d
# STRIP=: keeps the symbols.
STRIP = strip
PROGRAM = .build/guided/release/wamptap
# How often what runs, for the compiler; `make clean` forgets it.
PROFILE = .build/wamptap.profdata
GUIDED = -Xswiftc -Xfrontend -Xswiftc "-ir-profile-use=$$PWD/$(PROFILE)"
# The linker optimizes all modules together (ThinLTO), in 2 GB of memory. What debuggers want is left
# out, as `install` strips it. Xcode's linker has not been tried.
LTO = --experimental-lto-mode=thin -Xswiftc -use-ld=lld -Xswiftc -gnone -Xlinker --no-export-dynamic
CORPUS = .build/bench-corpus
WORKTREE = .build/base

help:
	@echo 'build   the release binary, laid out by a profile: .build/guided/release/wamptap'
	@echo 'install what was built, the manual and completions, under PREFIX=/usr/local;'
	@echo '        uninstall takes them away'
	@echo 'deb     a Debian package, .build/deb/wamptap_VERSION_ARCHITECTURE.deb'
	@echo 'test    all tests'
	@echo 'bench   measure, beside other tools; BASE=<commit> compares, ARGS=... chooses'
	@echo 'floors  measure each layer by itself; fails when one allocates more than it may'
	@echo 'live    capture 100,000 messages a second on loopback for a minute; needs the right to'
	@echo 'fuzz    feed each layer what nobody would send, for a minute each'
	@echo 'manual  write the list of man/wamptap-findings.7 anew'
	@echo 'lint    check the formatting and the manual'
	@echo 'clean   remove what was built'

# Takes 23 to 29 % less time than a plain release build. In a place of its own, as the compiler does
# not notice that a profile has changed.
build: $(PROFILE)
	lto=; test "$$(uname)" != Linux || lto='$(LTO)'; \
	$(SWIFT) build $(RELEASE) --scratch-path .build/guided $(GUIDED) $$lto --product wamptap

$(PROFILE):
	sh .ci/profile $(PROFILE)
	rm -rf .build/guided

# What was built is installed as it is, so that root need not build.
install: $(PROGRAM)
	@if ldd $(PROGRAM) 2>/dev/null | grep -q libswift; then \
	  echo 'install: $(PROGRAM) needs a Swift runtime beside it; run make build' >&2; exit 1; fi
	mkdir -p '$(DESTDIR)$(BINDIR)' '$(DESTDIR)$(BASHDIR)' '$(DESTDIR)$(ZSHDIR)' \
	  '$(DESTDIR)$(FISHDIR)'
	install -m 755 $(PROGRAM) '$(DESTDIR)$(BINDIR)/wamptap'
	$(STRIP) '$(DESTDIR)$(BINDIR)/wamptap'
	for page in man/*.[1-9]; do \
	  section='$(DESTDIR)$(MANDIR)/man'$${page##*.}; \
	  mkdir -p "$$section" && install -m 644 "$$page" "$$section" || exit 1; done
	sh .ci/package/completion $(PROGRAM) bash >'$(DESTDIR)$(BASHDIR)/wamptap'
	sh .ci/package/completion $(PROGRAM) zsh >'$(DESTDIR)$(ZSHDIR)/_wamptap'
	sh .ci/package/completion $(PROGRAM) fish >'$(DESTDIR)$(FISHDIR)/wamptap.fish'
	chmod 644 '$(DESTDIR)$(BASHDIR)/wamptap' '$(DESTDIR)$(ZSHDIR)/_wamptap' \
	  '$(DESTDIR)$(FISHDIR)/wamptap.fish'

uninstall:
	rm -f '$(DESTDIR)$(BINDIR)/wamptap' '$(DESTDIR)$(BASHDIR)/wamptap' \
	  '$(DESTDIR)$(ZSHDIR)/_wamptap' '$(DESTDIR)$(FISHDIR)/wamptap.fish'
	for page in man/*.[1-9]; do \
	  rm -f '$(DESTDIR)$(MANDIR)/man'"$${page##*.}/$${page#man/}"; done

$(PROGRAM):
	$(MAKE) build

deb: build
	sh .ci/package/deb $(PROGRAM)

test:
	$(SWIFT) test

bench: build base
	$(SWIFT) build $(BENCHMARKS) $(RELEASE) --product bench
	$(SWIFT) build $(BENCHMARKS) $(RELEASE) --product preload
	$(SWIFT) build $(SKELETON) $(RELEASE)
	also=; test -z '$(BASE)' || also='--also $(WORKTREE)/.build/release/wamptap'; \
	.build/benchmarks/release/bench --wamptap $(PROGRAM) --directory $(CORPUS) $$also $(ARGS)

# The other commit, in a tree of its own that is used again.
base:
	@test -z '$(BASE)' || { \
	  git worktree prune && \
	  { test -d $(WORKTREE) || git worktree add --detach $(WORKTREE) '$(BASE)'; } && \
	  git -C $(WORKTREE) checkout --quiet --detach "$$(git rev-parse '$(BASE)')" && \
	  $(SWIFT) build --package-path $(WORKTREE) $(RELEASE) $(GUIDED) --product wamptap; }

floors:
	$(SWIFT) build $(BENCHMARKS) $(RELEASE)
	.build/benchmarks/release/bench generate --directory $(CORPUS) small
	.build/benchmarks/release/floors --gate Benchmarks/thresholds.json \
	  $(CORPUS)/small-1000000-1.pcap

live: build
	$(SWIFT) build $(BENCHMARKS) $(RELEASE) --product live
	.build/benchmarks/release/live --program $(PROGRAM) $(ARGS)

fuzz:
	sh Fuzz/run 60

manual:
	UPDATE_MAN=1 $(SWIFT) test --filter FindingsManualTests

lint:
	mandoc -Tlint -Wwarning man/*
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests \
	  Benchmarks/Package.swift Benchmarks/Sources Benchmarks/Skeleton

clean:
	$(SWIFT) package clean
	rm -rf .build/benchmarks .build/skeleton .build/deb .build/guided .build/profiling $(PROFILE) \
	  $(CORPUS) $(WORKTREE)
	git worktree prune

.PHONY: help build install uninstall deb test bench base floors live fuzz manual lint clean
