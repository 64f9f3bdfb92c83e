# SPDX-License-Identifier: GPL-2.0-or-later
#
# make install DESTDIR=... PREFIX=/usr/local, and make uninstall. The program
# finds its prototype files relative to itself, so no path is compiled in.

BINDIR = $(DESTDIR)$(PREFIX)/bin
MANDIR = $(DESTDIR)$(PREFIX)/share/man
SHAREDIR = $(DESTDIR)$(PREFIX)/share/xtrace
DOCDIR = $(DESTDIR)$(PREFIX)/share/doc/xtrace
BASHDIR = $(DESTDIR)$(PREFIX)/share/bash-completion/completions
ZSHDIR = $(DESTDIR)$(PREFIX)/share/zsh/site-functions
INSTALL_PROGRAM ?= install -m 755
INSTALL_DATA ?= install -m 644

# ---- shell completion, from the table of options ------------------------------
COMPLETIONS := $(O)/completion/xtrace.bash $(O)/completion/_xtrace
COMPLETION_AWK := docs/completion/options.awk

OPTION_FIELDS := letter,word,argument,arg,group,help
EXPORT_FIELDS := word,stacks,constructor,help
# One option per line, with its fields in the table's order; before them the
# words for --format. Each file is written under another name first, because
# several cases install at the same time.
$(O)/completion/options: output/formats.def tracer/options/options.def
	@mkdir -p $(@D)
	@cat $^ | $(CC) -E -P -x c '-DFORMAT(...)=' \
		'-DEXPORT(name,$(EXPORT_FIELDS))=EXPORT word' \
		'-DOPTION(name,$(OPTION_FIELDS))=$(subst \
		$(comma), ,$(OPTION_FIELDS))' - >$@.$$$$ && mv $@.$$$$ $@
$(O)/completion/xtrace.bash: $(O)/completion/options $(COMPLETION_AWK) \
		docs/completion/bash.awk docs/completion/xtrace.bash
	awk -v template=docs/completion/xtrace.bash -f $(COMPLETION_AWK) \
		-f docs/completion/bash.awk $< >$@.$$$$ && mv $@.$$$$ $@
$(O)/completion/_xtrace: $(O)/completion/options $(COMPLETION_AWK) \
		docs/completion/zsh.awk
	awk -f $(COMPLETION_AWK) -f docs/completion/zsh.awk $< >$@.$$$$ && \
		mv $@.$$$$ $@

.PHONY: completions
completions: $(COMPLETIONS)

# ---- what goes where ------------------------------------------------------------
MAN1 := $(wildcard docs/*.1)
MAN5 := $(wildcard docs/*.5)
CONFS := $(wildcard etc/*.conf)
CONF_PARTS := $(wildcard etc/parts/*.conf)
SETS := $(wildcard etc/sets/*.conf)
DOCS := docs/JSON.md docs/json-schema.json docs/DRIVERS.md docs/SURVIVAL.md

INSTALLED = $(BINDIR)/xtrace $(SHAREDIR) $(DOCDIR) \
	$(addprefix $(MANDIR)/man1/,$(notdir $(MAN1))) \
	$(addprefix $(MANDIR)/man5/,$(notdir $(MAN5))) \
	$(BASHDIR)/xtrace $(ZSHDIR)/_xtrace

.PHONY: install uninstall
install: all completions
	install -d $(BINDIR) $(SHAREDIR)/parts $(SHAREDIR)/sets $(DOCDIR) \
		$(MANDIR)/man1 $(MANDIR)/man5 $(BASHDIR) $(ZSHDIR)
	$(INSTALL_PROGRAM) $(PROGRAM) $(BINDIR)/xtrace
	$(if $(MAN1),$(INSTALL_DATA) $(MAN1) $(MANDIR)/man1)
	$(if $(MAN5),$(INSTALL_DATA) $(MAN5) $(MANDIR)/man5)
	$(if $(CONFS),$(INSTALL_DATA) $(CONFS) $(SHAREDIR))
	$(INSTALL_DATA) etc/aliases $(SHAREDIR)
	$(INSTALL_DATA) $(CONF_PARTS) $(SHAREDIR)/parts
	$(INSTALL_DATA) $(SETS) $(SHAREDIR)/sets
	$(INSTALL_DATA) $(DOCS) $(DOCDIR)
	$(INSTALL_DATA) $(O)/completion/xtrace.bash $(BASHDIR)/xtrace
	$(INSTALL_DATA) $(O)/completion/_xtrace $(ZSHDIR)/_xtrace
uninstall:
	rm -rf $(INSTALLED)
