# SPDX-License-Identifier: GPL-2.0-or-later
#
# make bench: one table, some minutes. ROWS="call where" selects rows; RUNS=7
# is how often each is measured. bench/README.md explains the table.

BENCH := $(O)/bench
BENCH_CFLAGS := -std=gnu11 -D_GNU_SOURCE -I. $(WARN) -O2 -g
BENCH_PROGRAMS := $(addprefix $(BENCH)/,loop threads head opens tracee \
	known callfloor sqlite)
BENCH_MANY := $(foreach n,2000 20000 200000,$(BENCH)/libmany$(n).so)
# Copies of one library; their content does not matter, only their number.
BENCH_MODULES := $(BENCH)/modules/1000.so

$(BENCH)/libcalled.so: bench/called.c bench/called.h
	@mkdir -p $(@D)
	$(CC) $(BENCH_CFLAGS) -fPIC -shared -o $@ $<
$(BENCH)/libcaller.so: bench/caller.c $(BENCH)/libcalled.so
	$(CC) $(BENCH_CFLAGS) -fPIC -shared -fno-plt -o $@ $< -L$(BENCH) -lcalled
$(BENCH)/deny.so: bench/deny.c
	@mkdir -p $(@D)
	$(CC) $(BENCH_CFLAGS) -fPIC -shared -o $@ $<
$(BENCH_PROGRAMS): $(BENCH)/%: bench/%.c bench/subject.h $(BENCH)/libcalled.so
	$(CC) $(BENCH_CFLAGS) -o $@ $< -L$(BENCH) -lcalled -lpthread -ldl \
		-Wl,-rpath,'$$ORIGIN'
$(BENCH)/floor: bench/floor.c bench/subject.h $(O)/libarch.a $(O)/libbase.a
	@mkdir -p $(@D)
	$(CC) $(BENCH_CFLAGS) -o $@ $< $(O)/libarch.a $(O)/libbase.a
$(BENCH)/libmany%.so: bench/generate
	@mkdir -p $(@D)
	bench/generate $* >$(@:.so=.s)
	$(CC) -shared -o $@ $(@:.so=.s)
	@rm $(@:.so=.s)
$(BENCH_MODULES): bench/called.c
	@mkdir -p $(@D)
	$(CC) $(BENCH_CFLAGS) -fPIC -shared -nostdlib -o $(@D)/0.so $<
	@for i in $$(seq 1000); do cp $(@D)/0.so $(@D)/$$i.so; done

.PHONY: bench
bench: all $(BENCH)/libcaller.so $(BENCH)/deny.so $(BENCH_PROGRAMS) \
		$(BENCH)/floor $(BENCH_MANY) $(BENCH_MODULES)
	@bench/run --build $(O) $(if $(RUNS),--runs $(RUNS)) $(ROWS)
