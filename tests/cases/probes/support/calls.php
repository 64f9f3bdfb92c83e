<?php
// SPDX-License-Identifier: GPL-2.0-or-later
// Calls methods, throws exceptions, switches fibers, ends by a fatal error.
class Shop
{
    public static function boom($depth)
    {
        if ($depth) {
            self::boom($depth - 1);
        }
        throw new LogicException("$depth");
    }
}

function turn($name)
{
    Fiber::suspend($name);
    return $name;
}

function ends()
{
    return leaf();
}

function leaf()
{
    return missing();
}

register_shutdown_function(function () {
    echo "ended\n";
});
try {
    Shop::boom(1);
} catch (LogicException $e) {
    echo $e->getMessage(), "\n";
}
$fibers = [];
foreach (['a', 'b'] as $name) {
    $fibers[] = new Fiber(fn() => turn($name));
}
foreach ($fibers as $fiber) {
    echo $fiber->start(), "\n";
}
foreach ($fibers as $fiber) {
    $fiber->resume();
}
ini_set('display_errors', '0');
ends();
