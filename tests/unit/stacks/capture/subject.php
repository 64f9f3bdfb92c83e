<?php
// SPDX-License-Identifier: GPL-2.0-or-later
// Writes its stack, function TAB file TAB line TAB ..., and waits there.

function say($line, $trace)
{
    $words = ['fgets', __FILE__, $line];
    $place = [__FILE__, $line];
    foreach ($trace as $i => $entry) {
        array_push($words, ($entry['class'] ?? '') . ($entry['type'] ?? '') .
            $entry['function'], ...$place);
        for ($k = $i; $k < count($trace) && !isset($trace[$k]['file']); $k++);
        $place = [$trace[$k]['file'], $trace[$k]['line']];
    }
    array_push($words, '{main}', ...$place);
    echo implode("\t", $words), "\n";
}

class Place
{
    public static function inner()
    {
        yield say(__LINE__, debug_backtrace(2)) . fgets(STDIN);
    }

    public function middle()
    {
        yield from self::inner();
    }

    public function outer($n)
    {
        $all = (function () {
            yield from $this->middle();
        })();
        foreach ($all as $one) {
        }
    }
}

function grüße($n)
{
    array_map([new Place(), 'outer'], [$n]);
}

eval("\n\ngrüße(
    1);");
