<?php
// SPDX-License-Identifier: GPL-2.0-or-later
// Exceptions pass through functions of the engine. At the end, a fatal error
// makes php leave all C frames by longjmp. Subject of no-harm/languages.
[, $first, $last] = $argv;
$caught = 0;
for ($i = 1; $i <= $last; $i++) {
    try {
        array_map(function ($x) { throw new Exception("round $x"); }, [$i]);
    } catch (Exception $e) {
        $caught += $e->getMessage() == "round $i";
    }
    if ($i == $first || $i == $last) {
        echo "ready\n";
        fgets(STDIN);
    }
}
register_shutdown_function(function () use ($caught) {
    echo "$caught caught\n";
});
array_map(function () { trigger_error('the end', E_USER_ERROR); }, [1]);
echo "never\n";
