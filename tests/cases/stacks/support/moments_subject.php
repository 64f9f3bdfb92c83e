<?php
// SPDX-License-Identifier: GPL-2.0-or-later
// Allocates, raises, collects and calls functions, as moments_subject.py does.
function alpha($depth)
{
	$text = implode('', array_map(fn($n) => (string)$n, range(0, 20)));
	if ($depth > 0)
		return beta($depth - 1);
	return strlen($text);
}

function beta($depth)
{
	$found = array_map(function ($n) { return gamma($n); }, [$depth]);
	if ($depth > 1)
		alpha($depth - 1);
	foreach (zeta($depth) as $number)
		$found[] = eta($depth, $number);
	return $found;
}

function gamma($depth)
{
	try {
		delta($depth);
	} catch (RuntimeException $error) {
		return $error->getMessage();
	} finally {
		gc_collect_cycles();
	}
}

function delta($depth)
{
	$kept = new stdClass;
	$kept->self = $kept;
	$kept->list = array_fill(0, 9, [$depth]);
	throw new RuntimeException("$depth");
}

function zeta($depth)
{
	if ($depth > 0)
		yield from zeta($depth - 1);
	yield $depth;
}

function eta($n, $number)
{
	return str_repeat((string)$n, $number);
}

function main()
{
	echo "ready\n";
	stream_set_blocking(STDIN, false);
	while (fgets(STDIN) === false)
		for ($i = 0; $i < 200; $i++)
			alpha(4);
}

main();
