<?php
// SPDX-License-Identifier: GPL-2.0-or-later
// deep.php N [native]: calls posix_isatty() N times, as bench/scripts/deep.py
// does with isatty().
function leaf($n)
{
	for ($i = 0; $i < $n; $i++)
		posix_isatty(77);
}

function nest($depth, $n)
{
	return $depth > 0 ? nest($depth - 1, $n) : leaf($n);
}

function nest_native($depth, $n)
{
	if ($depth == 0)
		return leaf($n);
	return array_map(fn($d) => nest_native($d, $n), [$depth - 1]);
}

if ($argc > 2)
	nest_native(7, (int)$argv[1]);
else
	nest(6, (int)$argv[1]);
