<?php
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A worker whose jobs are calls of work(), as in frames_worker.py. */
const JOBS = 5;
const ROWS = 6;
$base = new SQLite3(':memory:');

function work($job)
{
	global $base;
	$base->querySingle("SELECT 'first'");
	for ($sum = 0, $row = 0; $row < ROWS; $row++)
		$sum += $base->querySingle("SELECT $row + 1");
	$base->querySingle("SELECT 'last'");
	return $sum + $job;
}

for ($job = 0; $job < JOBS; $job++)
	echo work($job), "\n";
