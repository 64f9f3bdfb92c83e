<?php
// SPDX-License-Identifier: GPL-2.0-or-later
// Calls posix_isatty(NUMBER) from all kinds of places, and writes the stack of
// each call as PHP sees it: NUMBER TAB function TAB file TAB line TAB ...

$number = 999;
$said = fopen($argv[1], 'w');

function name_of($entry)
{
    // The name of an anonymous class is followed by a NUL and a path.
    $class = isset($entry['class'])
        ? explode("\0", $entry['class'])[0] . $entry['type'] : '';
    return $class . $entry['function'];
}

function note($number, $line, $trace)
{
    global $said;
    $words = [$number, 'posix_isatty', __FILE__, $line];
    $place = [__FILE__, $line];
    foreach ($trace as $i => $entry) {
        array_push($words, name_of($entry), ...$place);
        // An entry that PHP itself has called has no place. The first outer
        // entry that has a place shows where the calling function runs.
        for ($k = $i; $k < count($trace) && !isset($trace[$k]['file']); $k++);
        $place = [$trace[$k]['file'] ?? '', $trace[$k]['line'] ?? 0];
    }
    // When the script is over, {main} is no longer on the stack.
    if ($place[0]) {
        array_push($words, '{main}', ...$place);
    }
    fwrite($said, implode("\t", $words) . "\n");
}

function probe($_)
{
    global $number;
    $number++;
    posix_isatty($number); note($number, __LINE__, debug_backtrace(2));
    return $number;
}

// ---- places ------------------------------------------------------------------

function plain($number)
{
    return probe($number);
}

require_once __DIR__ . '/php_module.php';

class Base implements ArrayAccess, Countable, IteratorAggregate
{
    use Kept\Probing;

    public $kept = 1;

    public function method($number)
    {
        return $this->probe($number);
    }

    public static function of_class($number)
    {
        return (new static())->method($number);
    }

    public function __call($name, $arguments)
    {
        return probe(
            ...$arguments
        );
    }

    public static function __callStatic($name, $arguments)
    {
        return probe($arguments[0]);
    }

    public function __get($name)
    {
        return probe(1);
    }

    public function __toString()
    {
        return (string) probe(2);
    }

    public function __invoke($number)
    {
        return probe($number);
    }

    #[ReturnTypeWillChange]
    public function offsetExists($at)
    {
        return probe($at) > 0;
    }

    #[ReturnTypeWillChange]
    public function offsetGet($at)
    {
        return probe($at);
    }

    #[ReturnTypeWillChange]
    public function offsetSet($at, $value)
    {
        probe($at);
    }

    #[ReturnTypeWillChange]
    public function offsetUnset($at)
    {
        probe($at);
    }

    #[ReturnTypeWillChange]
    public function count()
    {
        return probe(3);
    }

    #[ReturnTypeWillChange]
    public function getIterator()
    {
        yield probe(4);
        yield probe(5);
    }

    public function __destruct()
    {
        probe(6);
    }
}

class Derived extends Base
{
    public function method($number)
    {
        if ($number % 2) {
            return parent::method($number);
        }
        return parent::
            method($number);
    }
}

function closures($number)
{
    $add = function ($n) {
        return probe($n);
    };
    $arrow = fn($n) => $add(
        $n
    );
    $fixed = static function ($n) use ($arrow) {
        return $arrow($n);
    };
    return $fixed($number);
}

function recursion($number)
{
    return $number % 20 ? recursion($number - 1) : probe($number);
}

function inner_generator($number)
{
    yield probe($number);
    yield probe(
        $number
    );
    return probe($number);
}

function middle_generator($number)
{
    $got = yield from inner_generator($number);
    yield probe($got);
}

function generators($number)
{
    $outer = (function () use ($number) {
        yield probe($number);
        yield from middle_generator($number);
        yield from new ArrayIterator([1]);
    })();
    foreach ($outer as $value) {
        probe($value);
    }
    return array_sum(iterator_to_array((function () {
        yield probe(1);
    })()));
}

function callbacks($number)
{
    array_map('plain', [$number]);
    array_map(fn($n) => plain($n), [1, 2]);
    $list = [3, 1, 2];
    usort($list, function ($a, $b) {
        probe($a);
        return $a <=> $b;
    });
    call_user_func(['Base', 'of_class'], $number);
    call_user_func_array([new Derived(), 'method'], [$number]);
    preg_replace_callback('/b/', function ($match) {
        return probe(1);
    }, 'abc');
    array_walk($list, function ($value) {
        probe($value);
    });
    array_filter([1], [new Base(), 'method']);
}

function magic($number)
{
    $base = new Base();
    unset($base->kept);
    $base->missing($number);
    Base::missing($number);
    $base->kept;
    $text = "$base and $base";
    $base($number);
    isset($base[1]);
    $base[1];
    $base[1] = 2;
    unset($base[1]);
    count($base);
    foreach ($base as $value) {
        probe($value);
    }
    Derived::all($number);
    strlen($base);
    $base = null;
}

function anonymous($number)
{
    $object = new class {
        public function run($number)
        {
            return probe($number);
        }
    };
    return $object->run($number);
}

function exceptions($number)
{
    try {
        throw new Exception('x');
    } catch (Exception $e) {
        probe($number);
    } finally {
        probe($number);
    }
}

function inclusion($number)
{
    include __DIR__ . '/php_module.php';
    return require __DIR__ . '/php_module.php';
}

function evaluation($number)
{
    eval("\n\nprobe($number);");
    return eval('return (function ($n) { return plain($n); })(' . $number .
        ');');
}

function loading($number)
{
    static $loaded = false;
    if (!$loaded) {
        $loaded = true;
        spl_autoload_register(function ($class) {
            include_once __DIR__ . '/php_' . strtolower($class) . '.php';
        });
        probe(Late::HERE);
    }
    return class_exists('Missing' . $number, false) ? 1 : probe($number);
}

function fibers($number)
{
    if (!class_exists('Fiber', false)) {
        return probe($number);
    }
    $fiber = new Fiber(function ($n) {
        plain($n);
        Fiber::suspend();
        array_map(function ($n) {
            probe($n);
            Fiber::suspend();
        }, [$n]);
        probe($n);
    });
    $fiber->start($number);
    $fiber->resume();
    return $fiber->resume();
}

function defaults($number, $other = null)
{
    $other = $other
        ?? probe($number);
    return [
        probe($number),
        probe($other),
    ];
}

function grüße($number)
{
    return Kept\apply('probe', $number);
}

$places = [
    'plain', ['Base', 'of_class'], ['Derived', 'of_class'],
    [new Derived(), 'method'], 'closures', 'recursion', 'generators',
    'callbacks', 'magic', 'anonymous', 'exceptions', 'inclusion',
    'evaluation', 'loading', 'fibers', 'defaults', 'grüße',
];

function wander($depth)
{
    global $places;
    if ($depth && mt_rand(0, 9) < 4) {
        return Kept\apply(function () use ($depth) {
            return wander($depth - 1);
        }, null);
    }
    return $places[mt_rand(0, count($places) - 1)](mt_rand(1, 99));
}

mt_srand(1);
foreach ($places as $place) {
    $place(7);
}
for ($i = 0; $i < $argv[2]; $i++) {
    wander(6);
}
register_shutdown_function('plain', 1);
