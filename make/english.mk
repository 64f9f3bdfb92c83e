# SPDX-License-Identifier: GPL-2.0-or-later
#
# make comments-sample SEED=1 OF="base conf" prints fifty comments at random;
# each must be understood without its code (docs/STYLE.md, "Plain English").
# lint-english searches the edited folders, a list that grows, for banned
# turns.

SAMPLE_SEED = $(if $(filter command% environment%,$(origin SEED)),$(SEED),1)
ENGLISH := make/english.mk make/banned-turns arch base conf protocols values \
	etc bench demo output process breakpoints tracer/sigtrap tracer/attach \
	tracer/remote_calls tracer/lives tracer/run docs/xtrace.1 \
	docs/xtrace.conf.5 tracer/report tracer/model tracer/loader tracer/options \
	tracer/plan tracer/queries docs/JSON.md docs/GLOSSARY.md docs/DRIVERS.md \
	docs/completion tests/unit tests/lib tests/kills tests/torture \
	tests/transparent tests/same tests/run tests/layers tests/README.md make \
	GNUmakefile stacks $(addprefix tests/cases/,calls db etc filter flame house input \
	leave loader names no-harm options papers plt process sets stacks threads) \
	tests/fuzz \
	$(filter-out symbols/elf% symbols/image%,$(wildcard symbols/*))

.PHONY: comments-sample lint-english
comments-sample:
	@make/comments sample $(SAMPLE_SEED) $(if $(filter \
		command% environment%,$(origin OF)),$(OF))
lint-english:
	@make/comments turns make/banned-turns $(ENGLISH)
lint-lite: lint-english
