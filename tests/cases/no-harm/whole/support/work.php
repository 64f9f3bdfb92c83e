<?php
// SPDX-License-Identifier: GPL-2.0-or-later
// Work that is done once for each line that is not 'stop'.
interface Sized { function size(): int; }
trait Named { public string $name = 'n'; function named(): string { return static::class . $this->name; } }
class Box implements Sized, ArrayAccess, IteratorAggregate, JsonSerializable {
	use Named;
	private array $of = [];
	function size(): int { return count($this->of); }
	function offsetExists(mixed $k): bool { return isset($this->of[$k]); }
	function offsetGet(mixed $k): mixed { return $this->of[$k]; }
	function offsetSet(mixed $k, mixed $v): void { if ($k === null) $this->of[] = $v; else $this->of[$k] = $v; }
	function offsetUnset(mixed $k): void { unset($this->of[$k]); }
	function getIterator(): Iterator { return new ArrayIterator($this->of); }
	function jsonSerialize(): mixed { return $this->of; }
	function __get($name) { return "no $name"; }
	static function __callStatic($name, $words) { return $name . count($words); }
}

function numbers($n) { for ($i = 0; $i < $n; $i++) { $x = yield $i => $i * $i; if ($x) echo "sent $x\n"; } return 'over'; }
function deep(int $n): int {
	if (!$n)
		throw new LogicException('bottom');
	try { return deep($n - 1) + 1; } finally { global $unwound; $unwound++; }
}

function once(int $n): array {
	$box = new Box;
	for ($i = 0; $i < 40; $i++) $box[] = md5((string)($i * $n));
	foreach ($box as $k => $v) if ($k % 3 == 0) unset($box[$k]);
	$out = [$box->size(), json_encode($box), $box->named(), $box->nothing, Box::what(1, 2), isset($box[1])];
	$g = numbers(20);
	foreach ($g as $k => $v) $out[] = $k ^ $v;
	$out[] = $g->getReturn();
	$f = new Fiber(function (int $x) { while (true) $x = Fiber::suspend($x * 2); });
	$out[] = $f->start($n);
	for ($i = 0; $i < 5; $i++) $out[] = $f->resume($i);
	try { deep(20); } catch (LogicException $e) { $out[] = $e->getMessage() . count($e->getTrace()); }
	$words = array_map(fn($i) => str_pad(dechex($i * 7919), 6, '-', STR_PAD_BOTH), range(1, 50));
	usort($words, fn($a, $b) => strrev($a) <=> strrev($b));
	$out[] = implode(',', array_slice(array_unique($words), 0, 9)) . crc32(serialize($words));
	$out[] = preg_replace_callback('/(\w)(\d)/', fn($m) => $m[2] . $m[1], "a1 b2 c$n");
	$out[] = sprintf('%.5f %05d %s', sqrt($n), $n, var_export([1.5, null, true], true));
	$out[] = unserialize(serialize([$n, [2.5, 'x' => null]]));
	$out[] = (new DateTimeImmutable('2024-02-29 12:00', new DateTimeZone('UTC')))->modify("+$n month")->format(DATE_ATOM);
	$out[] = hash('sha256', strtoupper(ucwords(wordwrap(str_repeat('abc de ', 9), 11, "\n", true))));
	$out[] = (new ReflectionClass($box))->getMethods()[0]->getName() . count(get_object_vars(new Box));
	$out[] = eval("return $n + 1;");
	$out[] = match (true) { $n > 2 => 'more', default => 'less' };
	['a' => $a, 'b' => [$b]] = ['a' => 1, 'b' => [2]];
	$out[] = $a + $b . var_export(array_filter(compact('a', 'b')), true);
	$s = new SplPriorityQueue; foreach ([3, 1, 2] as $p) $s->insert("p$p", $p);
	$out[] = $s->extract();
	$h = fopen('php://memory', 'w+'); fputcsv($h, ['a b', $n]); rewind($h); $out[] = fgetcsv($h);
	return $out;
}

fwrite(STDOUT, "ready\n");
while (($line = fgets(STDIN)) !== false && $line !== "stop\n") {
	for ($n = 1; $n < 5; $n++) {
		for ($i = 0, $seen = []; $i < 10; $i++) $seen[md5(serialize(once($n)))] = 1;
		echo count($seen), ' ', json_encode(once($n)), "\n";
	}
	gc_collect_cycles();
	echo rtrim($line), " done\n";
}
echo "unwound ", $unwound > 100, "\n";
exit(5);
