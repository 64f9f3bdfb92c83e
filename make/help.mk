# SPDX-License-Identifier: GPL-2.0-or-later

.PHONY: help
help:
	@printf '%s\n' \
	'make              build xtrace into build/' \
	'make demo         watch the slow queries of a Python script, for five seconds' \
	'make check        packages, build, every test' \
	'make check-unit   what needs no other program, in a minute' \
	'make check-cases  the cases alone; tests/run PATH for some of them' \
	'make check-full   the slow ones too' \
	'make check-agent  cases with --engine=agent; TESTS= for others' \
	'make transparent  ONLY=git: real programs, untraced and traced' \
	'make same-save  keep this xtrace; make same compares a later one' \
	'make torture      SECONDS=600 or N=100000, SEED=1: attach and leave, nothing stays' \
	'make beside-strace  MOST=120: the commonest system calls, each beside strace' \
	'make repeat       TIMES=100 HOGS=4: cases that compare times, on a busy machine' \
	'make kills        COUNT=500 SEED=1: xtrace is killed, the traced go on' \
	'make fuzz         TARGET=filter SECONDS=60: look for new inputs' \
	'make calls        N=1000000: so many calls of programs in many languages' \
	'make flat         N=10000000: so many queries in one run: its memory' \
	'make allocations  each allocation of xtrace fails once' \
	'make whole        every function of interpreters gets a jump' \
	'make lockstep     N=1000000: code that counts calls, in random states' \
	'make toggles      N=100000: jumps made and removed under parked threads' \
	'make mutate       N=1000000 SEED=1: prototype files, broken in many ways' \
	'make mutate-lines as mutate, and how many of the lines it reaches' \
	'make coverage     COVERED=tests/cases/db: lines run, by room' \
	'make lint         form, suspicious code, shell, manual pages' \
	'make comments-sample SEED=1 OF="base conf": fifty comments at random' \
	'make bench        what a traced call costs' \
	'make drivers      try the database drivers, write docs/DRIVERS.md' \
	'make layers       which room uses which' \
	'make map          draw the rooms and their calls: docs/map.svg' \
	'make pictures     draw what the papers show: docs/map.svg, docs/flame.svg' \
	'make install      DESTDIR=, PREFIX=/usr/local' \
	'make deps         install the Debian packages that are missing' \
	'make clean        remove build/' \
	'' \
	'BUILD=asan with any of them: AddressSanitizer and UBSan'
