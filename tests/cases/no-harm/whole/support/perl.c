/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interpreter of libperl, as a program; perlembed(1).
 *
 * CFLAGS: -isystem /usr/lib/x86_64-linux-gnu/perl/5.36/CORE
 * CFLAGS: -D_REENTRANT -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -fwrapv
 * LDFLAGS: -l:libperl.so.5.36
 */
#include <EXTERN.h>
#include <perl.h>
#include <XSUB.h>

EXTERN_C void
boot_DynaLoader(pTHX_ CV *code);

static void
begin_modules(pTHX)
{
	newXS("DynaLoader::boot_DynaLoader", boot_DynaLoader, __FILE__);
}

int
main(int argc, char **argv, char **env)
{
	PerlInterpreter *perl;
	int status;

	PERL_SYS_INIT3(&argc, &argv, &env);
	perl = perl_alloc();
	perl_construct(perl);
	PL_exit_flags |= PERL_EXIT_DESTRUCT_END;
	status = perl_parse(perl, begin_modules, argc, argv, env);
	if (status == 0)
		perl_run(perl);
	status = perl_destruct(perl);
	perl_free(perl);
	PERL_SYS_TERM();
	return status;
}
