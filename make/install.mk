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
FISHDIR = $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
INSTALL_PROGRAM ?= install -m 755
INSTALL_DATA ?= install -m 644

# ---- shell completion, from the table of options ------------------------------
COMPLETIONS := $(O)/completion/xtrace.bash $(O)/completion/_xtrace \
	$(O)/completion/xtrace.fish
COMPLETE := awk -v candidates=docs/completion/candidates.sh \
	-f docs/completion/options.awk
COMPLETION_PARTS := docs/completion/options.awk docs/completion/candidates.sh

OPTION_FIELDS := letter,word,argument,arg,group,help
EXPORT_FIELDS := word,stacks,constructor,help
# The tables of formats and options as text for awk: first the words for
# --format, then one option per line, with its fields in the table's order. Each
# file is written under another name first, because several cases install at the
# same time.
$(O)/completion/options: output/formats.def tracer/options/options.def
	@mkdir -p $(@D)
	@cat $^ | $(CC) -E -P -x c '-DFORMAT(...)=' \
		'-DEXPORT(name,$(EXPORT_FIELDS))=EXPORT word' \
		'-DOPTION(name,$(OPTION_FIELDS))=$(subst \
		$(comma), ,$(OPTION_FIELDS))' - >$@.$$$$ && mv $@.$$$$ $@
$(O)/completion/xtrace.bash: $(O)/completion/options $(COMPLETION_PARTS) \
		docs/completion/bash.awk docs/completion/xtrace.bash
	$(COMPLETE) -v template=docs/completion/xtrace.bash \
		-f docs/completion/bash.awk $< >$@.$$$$ && mv $@.$$$$ $@
$(O)/completion/_xtrace: $(O)/completion/options $(COMPLETION_PARTS) \
		docs/completion/zsh.awk
	$(COMPLETE) -f docs/completion/zsh.awk $< >$@.$$$$ && mv $@.$$$$ $@
$(O)/completion/xtrace.fish: $(O)/completion/options $(COMPLETION_PARTS) \
		docs/completion/fish.awk
	$(COMPLETE) -f docs/completion/fish.awk $< >$@.$$$$ && mv $@.$$$$ $@

.PHONY: completions
completions: $(COMPLETIONS)

# ---- what goes where ------------------------------------------------------------
MAN1 := $(wildcard docs/*.1)
MAN5 := $(wildcard docs/*.5)
CONFS := $(wildcard etc/*.conf)
CONF_PARTS := $(wildcard etc/parts/*.conf)
SETS := $(wildcard etc/sets/*.conf)
PROBES := $(wildcard etc/probes/*.conf)
CONFS_32 := $(wildcard etc/32/*.conf)
DOCS := docs/JSON.md docs/json-schema.json docs/DRIVERS.md docs/SURVIVAL.md

INSTALLED = $(BINDIR)/xtrace $(SHAREDIR) $(DOCDIR) \
	$(addprefix $(MANDIR)/man1/,$(notdir $(MAN1))) \
	$(addprefix $(MANDIR)/man5/,$(notdir $(MAN5))) \
	$(BASHDIR)/xtrace $(ZSHDIR)/_xtrace $(FISHDIR)/xtrace.fish

.PHONY: install uninstall
install: all completions
	install -d $(BINDIR) $(SHAREDIR)/parts $(SHAREDIR)/sets \
		$(SHAREDIR)/probes $(SHAREDIR)/32 $(DOCDIR) $(MANDIR)/man1 $(MANDIR)/man5 $(BASHDIR) $(ZSHDIR) \
		$(FISHDIR)
	$(INSTALL_PROGRAM) $(PROGRAM) $(BINDIR)/xtrace
	$(if $(MAN1),$(INSTALL_DATA) $(MAN1) $(MANDIR)/man1)
	$(if $(MAN5),$(INSTALL_DATA) $(MAN5) $(MANDIR)/man5)
	$(if $(CONFS),$(INSTALL_DATA) $(CONFS) $(SHAREDIR))
	$(INSTALL_DATA) etc/aliases $(SHAREDIR)
	$(INSTALL_DATA) $(CONF_PARTS) $(SHAREDIR)/parts
	$(INSTALL_DATA) $(SETS) $(SHAREDIR)/sets
	$(INSTALL_DATA) $(PROBES) $(SHAREDIR)/probes
	$(INSTALL_DATA) $(CONFS_32) $(SHAREDIR)/32
	$(INSTALL_DATA) $(DOCS) $(DOCDIR)
	$(INSTALL_DATA) $(O)/completion/xtrace.bash $(BASHDIR)/xtrace
	$(INSTALL_DATA) $(O)/completion/_xtrace $(ZSHDIR)/_xtrace
	$(INSTALL_DATA) $(O)/completion/xtrace.fish $(FISHDIR)/xtrace.fish
uninstall:
	rm -rf $(INSTALLED)
