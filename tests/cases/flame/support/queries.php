<?php
# SPDX-License-Identifier: GPL-2.0-or-later
# As queries.py.
$base = new SQLite3(':memory:');

function run($sql)
{
	global $base;
	return $base->querySingle($sql);
}

function tree($depth, $sql)
{
	if ($depth > 0)
		return tree($depth - 1, $sql);
	return run($sql);
}

run('create table film (title text)');
for ($number = 0; $number < 12; $number++) {
	run("insert into film values ($number)");
	tree($number % 3, 'select count(*) from film a, film b');
}
