# SPDX-License-Identifier: GPL-2.0-or-later
#
# make comments-sample SEED=1 OF="base conf" prints fifty comments at random;
# each must be understood without its code (docs/STYLE.md, "Plain English").
# lint-english searches the tree for banned turns.

SAMPLE_SEED = $(if $(filter command% environment%,$(origin SEED)),$(SEED),1)
# docs/STYLE.md is left out, because it quotes the turns.
ENGLISH = $(wildcard $(sort $(foreach r,$(ROOMS),$(firstword $(subst /, ,$(r)))))) \
	etc make bench demo debian tests GNUmakefile .ci README.md \
	CONTRIBUTING.md SECURITY.md NEWS $(filter-out docs/STYLE.md,$(wildcard docs/*))

.PHONY: comments-sample lint-english
comments-sample:
	@make/comments sample $(SAMPLE_SEED) $(if $(filter \
		command% environment%,$(origin OF)),$(OF))
lint-english:
	@make/comments turns make/banned-turns $(ENGLISH)
lint-lite: lint-english
