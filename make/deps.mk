# SPDX-License-Identifier: GPL-2.0-or-later
#
# The Debian packages that each job needs, as data. `make deps` installs the missing ones; if there are none, it costs one dpkg-query.

DEPS_BUILD := make gcc libc6-dev libelf-dev libcapstone-dev libiberty-dev \
	liblzma-dev libdw-dev zlib1g-dev libncurses-dev

DEPS_DEMO := python3

# The headers that the prototypes in etc/ are compared with.
DEPS_HEADERS := libmariadb-dev libpq-dev libsqlite3-dev libssl-dev \
	libcurl4-openssl-dev libhiredis-dev libldap-dev libpython3-dev \
	ruby-dev libperl-dev php-dev

# For `make check-unit` without lint: the compilers and linkers with which the
# tests make files to read, and programs that check what xtrace has written.
DEPS_UNIT := build-essential check clang dwz gcc-multilib golang-go libcurl4 \
	lld mold musl-tools python3-jsonschema xz-utils

# Languages and drivers to trace, and database servers.
DEPS_TEST := $(DEPS_UNIT) chromium chromium-driver fonts-dejavu-core \
	golang-github-google-pprof-dev protobuf-compiler valgrind clang-format clang-tidy cppcheck shellcheck groff \
	libseccomp-dev libc6-dbg manpages-dev \
	strace tmux gdb debuginfod jq curl openssl procps debian-archive-keyring sqlite3 mariadb-server postgresql redis-server \
	percona-toolkit zsh fish mandoc python3 python3-mysqldb python3-pymysql \
	python3-psycopg2 python3-psycopg python3-asyncpg python3-pg8000 gunicorn \
	python3-uvloop \
	python3-django python3-sqlalchemy puma starman libdbix-class-perl \
	ruby ruby-mysql2 ruby-sqlite3 ruby-sequel ruby-pg ruby-activerecord \
	php-cli php-fpm php-mysql php-sqlite3 php-pgsql \
	nginx-light python3-redis ruby-redis php-redis memcached python3-pymemcache \
	php-memcached libcache-memcached-perl \
	rustc lua5.4 python3-greenlet \
	uwsgi-core uwsgi-plugin-python3 libapache2-mod-perl2 \
	postgresql-plpython3-15 \
	perl libdbd-mysql-perl libdbd-mariadb-perl libdbd-sqlite3-perl \
	libdbd-pg-perl libmojo-pg-perl $(DEPS_HEADERS)

DEPS_BENCH := ltrace

# Programs that only `make check-full` traces. The servers among them are not
# started when they are installed.
DEPS_FULL := git openssh-client libpython3.11-testsuite redis-server \
	nginx-light prometheus clickhouse-server apache2-utils nodejs debootstrap python3-django \
	python3-sqlalchemy puma starman libdbix-class-perl

# Packages of npm: the SDK of OpenTelemetry for JavaScript. A case compares what
# xtrace encodes with what the SDK encodes. They are installed into build/npm.
DEPS_NPM := @opentelemetry/api@1.9.1 @opentelemetry/otlp-transformer@0.223.1 \
	@opentelemetry/resources@2.12.1 @opentelemetry/sdk-metrics@2.12.1

.PHONY: deps deps-build deps-demo deps-unit deps-full
deps-full:
	@make/packages $(DEPS_BUILD) $(DEPS_DEMO) $(DEPS_TEST) $(DEPS_BENCH) \
		$(DEPS_FULL)
	@make/npm-packages build/npm $(DEPS_NPM)
deps:
	@make/packages $(DEPS_BUILD) $(DEPS_DEMO) $(DEPS_TEST) $(DEPS_BENCH)
deps-build:
	@make/packages $(DEPS_BUILD)
deps-demo:
	@make/packages $(DEPS_BUILD) $(DEPS_DEMO)
deps-unit:
	@make/packages $(DEPS_BUILD) $(DEPS_UNIT)

# ---- plain make ----------------------------------------------------------------
# Plain make installs nothing. Before anything is compiled in a build folder,
# the compiler tries the foreign headers and libraries once. If it does not find
# them, the missing packages are named. Headers and libraries that were
# installed without a package count, too.
FOREIGN_READERS := $(foreach f,$(FOREIGN),$(lastword $(subst :, ,$(f))))
NEEDS_SEEN := $(O)/needs.seen

$(NEEDS_SEEN):
	@mkdir -p $(@D)
	@{ $(CC) $(ALL_CFLAGS) -E $(FOREIGN_READERS) >/dev/null && \
		echo 'int main(void) { return 0; }' | $(CC) $(ALL_CFLAGS) \
		$(ALL_LDFLAGS) -x c - -o $@.program $(LIBS); } 2>$@.said || \
		make/needs $@.said $(DEPS_BUILD)
	@rm -f $@.program $@.said
	@touch $@
