# SPDX-License-Identifier: GPL-2.0-or-later
#
# Checks form, suspicious code, shell scripts and manual pages. `make
# lint-lite` is a part of every check; `make lint` adds the slow checkers.
# Their settings are in .clang-format and .clang-tidy.

LINT_C = $(wildcard $(addsuffix /*.[ch],$(ROOMS)) $(addsuffix \
	/*/*.[ch],$(ROOMS)) $(addsuffix /*/inside/*.[ch],$(ROOMS)) \
	tests/unit/*/*.[ch] tests/fuzz/*.c bench/*.[ch])
LINT_SHELL = $(wildcard docs/completion/*.sh make/packages make/needs demo/*.sh .ci/run \
	tests/lib/*.sh \
	tests/cases/*/*.sh)
LINT_MAN = $(wildcard docs/*.1 docs/*.5)

# Exceptions from the budgets (make/budgets): libdwfl defines the parameters of
# find_debuginfo(), and option_take() is one switch with a case for each
# option.
BUDGETS_EXCEPT := stacks/native_modules.c:find_debuginfo \
	tracer/options/option_take.c:option_take

# The code of a CPU must be in the CPU's folder, with two exceptions. values/
# has a file for each calling convention, with the registers that pass
# arguments. bench/floor.c is a tracer of its own for x86-64, with which bench/
# compares xtrace.
CPU_EXCEPT := values/abi_* bench/floor.c

.PHONY: lint lint-lite lint-format lint-shell lint-man lint-budgets lint-tags \
	lint-cpu lint-tree lint-tidy lint-cppcheck format
lint-lite: lint-format lint-shell lint-man lint-budgets lint-tags lint-cpu $(if \
	$(filter true,$(CI)),lint-tree)
lint: lint-lite lint-cppcheck lint-tidy lint-tree

lint-format:
	@clang-format --dry-run -Werror $(LINT_C)
	@! grep -nP '^\t* \*\w' $(LINT_C) || { \
		echo 'lint-format: clang-format has cut these lines of tables'; \
		false; }
format:
	clang-format -i $(LINT_C)
lint-shell:
	@shellcheck $(LINT_SHELL)
lint-man:
	@for page in $(LINT_MAN); do \
		LC_ALL=C.UTF-8 groff -t -man -ww -z "$$page" 2>&1; done | \
		{ ! grep .; }
lint-budgets:
	@make/budgets --except "$(BUDGETS_EXCEPT)" $(LINT_C)
# A test may have structs of its own by any name.
lint-tags:
	@make/tags $(filter-out tests/%,$(LINT_C))
lint-cpu:
	@make/cpu-names --except "$(CPU_EXCEPT)" $(filter-out \
		tests/%,$(LINT_C))
# A build must not change the tree. Changes that are not committed are an
# error, too, unless `make check` of a build service has seen them before the
# build.
TREE_STATUS = if [ -e .git ] && command -v git >/dev/null; then git -c \
	safe.directory=$(CURDIR) status --porcelain; fi
TREE_BEFORE = $(or $(if $(filter \
	true,$(CI)),$(wildcard $(O)/tree.before)),/dev/null)
lint-tree: all
	@$(TREE_STATUS) | { ! grep -vxFf "$(TREE_BEFORE)"; } || { \
		echo 'lint-tree: git status has these after a build'; false; }
lint-cppcheck:
	@cppcheck --quiet --error-exitcode=1 --std=c11 -j2 -I. \
		--enable=warning,portability --inline-suppr \
		--suppress=missingIncludeSystem --suppress=unknownMacro \
		--suppress=normalCheckLevelMaxBranches -DDEBUG_TOPIC=LOG_BASE \
		-D__x86_64__ $(filter %.c,$(LINT_C))
lint-tidy:
	@printf '%s\n' $(filter-out tests/unit/%,$(filter %.c,$(LINT_C))) | \
		xargs -P2 -n4 sh -c 'clang-tidy --quiet "$$@" -- \
		-std=gnu11 -D_GNU_SOURCE -I. -DXTRACE_VERSION=\"\" \
		-DXTRACE_SHARE=\"\" -DDEBUG_TOPIC=LOG_BASE 2>/dev/null' sh
