/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tells a script of Perl how many values its interpreter has. */
#define PERL_NO_GET_CONTEXT
#include <EXTERN.h>
#include <perl.h>
#include <XSUB.h>

XS(xs_value_count)
{
	dXSARGS;
	IV count = PL_sv_count;

	PERL_UNUSED_VAR(items);
	EXTEND(SP, 1);
	ST(0) = sv_2mortal(newSViv(count));
	XSRETURN(1);
}
