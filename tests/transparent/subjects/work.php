<?php
// SPDX-License-Identifier: GPL-2.0-or-later
// Exceptions, generators, fibers, streams, processes and signals of PHP.
fgets(fopen('gate', 'r'));

function deep(int $n): int {
	if ($n == 0)
		throw new LogicException('bottom');
	try {
		return deep($n - 1) + 1;
	} finally {
		global $unwound;
		$unwound++;
	}
}
for ($i = 0; $i < 20; $i++) {
	try {
		deep(50);
	} catch (LogicException $e) {
		echo $e->getMessage(), ' ', count($e->getTrace()), "\n";
	}
}
echo "unwound $unwound\n";

function numbers($n) { for ($i = 0; $i < $n; $i++) { $x = yield $i => $i * $i; if ($x) echo "sent $x\n"; } return 'over'; }
$g = numbers(500);
$sum = 0;
foreach ($g as $k => $v) $sum += $k ^ $v;
echo $sum, ' ', $g->getReturn(), "\n";
$fibers = [];
for ($i = 0; $i < 100; $i++) {
	$fibers[$i] = new Fiber(function (int $x) { while (true) $x = Fiber::suspend($x * 2); });
	$fibers[$i]->start($i);
}
$sum = 0;
for ($round = 0; $round < 10; $round++) foreach ($fibers as $i => $f) $sum += $f->resume($i + $round);
echo "fibers $sum\n";
try {
	(new Fiber(function () { Fiber::suspend(); throw new Exception('in a fiber'); }))->start();
	$f = new Fiber(function () { throw new Exception('in a fiber'); });
	$f->start();
} catch (Exception $e) { echo $e->getMessage(), "\n"; }

$words = [];
for ($i = 0; $i < 3000; $i++) $words[] = md5((string)($i * 7919 % 1000));
sort($words);
echo count(array_unique($words)), ' ', crc32(implode(',', $words)), "\n";
echo preg_replace_callback('/(\w)(\d)/', fn($m) => $m[2] . $m[1], 'a1 b2 c3'), "\n";
printf("%.6f %s\n", array_sum(array_map('sqrt', range(1, 500))), json_encode(['a' => [1, 2.5, null, "\u{e9}"]]));
echo strlen(serialize($words)), ' ', unserialize(serialize([1, [2, 3]]))[1][1], "\n";
for ($i = 0; $i < 300; $i++) { file_put_contents('small', $i); $sum += filesize('small') + (int)file_get_contents('small'); clearstatcache(); }
echo "files $sum\n";
file_put_contents('written', implode("\n", array_slice($words, 0, 100)));
$d = new DateTimeImmutable('2024-02-29 12:00', new DateTimeZone('UTC'));
echo $d->modify('+1 year')->format(DATE_ATOM), "\n";

// Starts shells with pipes, writes to them and reads their output.
for ($i = 0; $i < 5; $i++) {
	$p = proc_open(['/bin/sh', '-c', 'read x; echo "got $x"; echo err >&2; exit ' . $i],
		[['pipe', 'r'], ['pipe', 'w'], ['pipe', 'w']], $pipes);
	fwrite($pipes[0], "line $i\n");
	fclose($pipes[0]);
	echo stream_get_contents($pipes[1]), stream_get_contents($pipes[2]), proc_close($p), "\n";
}
echo shell_exec('seq 1 3 | tac'), exec('exit 3', $out, $status), $status, "\n";
$server = stream_socket_server('tcp://127.0.0.1:0');
$name = stream_socket_get_name($server, false);
for ($i = 0; $i < 10; $i++) {
	$c = stream_socket_client("tcp://$name");
	$s = stream_socket_accept($server);
	fwrite($c, str_repeat('x', 1000 * $i) . "\n");
	echo strlen(fgets($s)), ' ';
}
echo "\n";
function forever($n) { return $n > 20000 ? 0 : forever($n + 1); }
echo forever(0), "\n";
register_shutdown_function(function () { echo "shutdown\n"; });
ini_set('memory_limit', '8M');
ini_set('html_errors', '0');
$big = str_repeat('too much', 100000000);
