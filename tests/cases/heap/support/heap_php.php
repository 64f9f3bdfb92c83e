<?php
// SPDX-License-Identifier: GPL-2.0-or-later
// Objects of many classes, about as many as the first word says. Writes how many
// objects there are of each class, strings and arrays, and at the end "all" with
// memory_get_usage(). With a second word, makes and drops objects until a line
// comes; with a third one, it sleeps again and again meanwhile.
namespace Shop {
    class Order {
        public $number;
        public $items = 1;
    }
    class Special extends Order {
        public $why;
    }
}

namespace {
    class Plain {
    }

    function make($class, $count)
    {
        $made = [];
        for ($i = 0; $i < $count; $i++) {
            $made[] = new $class();
        }
        return $made;
    }

    $many = (int)$argv[1];
    $counts = ['Plain' => $many, 'Shop\Order' => intdiv($many, 2),
        'Shop\Special' => intdiv($many, 3), 'ArrayObject' => 7, 'Closure' => 0];
    $kept = [];
    foreach ($counts as $class => $count) {
        if ($class != 'Closure') {
            $kept[$class] = make($class, $count);
        }
    }
    foreach ($kept['Shop\Order'] as $number => $order) {
        $order->number = "the order of number $number";
    }
    $one = new class {
    };
    $counts['class@anonymous'] = 1;
    for ($i = 0; $i < 13; $i++) {
        $kept['Closure'][] = function () use ($i) {
            return $i;
        };
    }
    $counts['Closure'] = 13;
    // Removing objects leaves free blocks of memory, and free object numbers.
    $holes = make('Plain', $many);
    for ($i = 0; $i < $many; $i += 3) {
        unset($holes[$i]);
    }
    $counts['Plain'] += count($holes);
    $texts = $tables = [];
    for ($i = 0; $i < $many; $i++) {
        $texts[] = str_repeat('x', $i % 500) . $i;
        $tables[] = [$i, "a" => $i];
    }
    $large = str_repeat('large', 1000000);
    $sum = $cut = 0;
    $input = fopen('php://stdin', 'r');
    fgets($input);
    foreach ($counts as $class => $count) {
        echo "$count $class\n";
    }
    if ($argc > 2) {
        stream_set_blocking($input, false);
        $recent = [];
        echo "all 0\n";
        for ($i = 0; $i % 5000 || !fgets($input); $i++) {
            $recent[$i % 500] = [new Plain(), "number $i"];
            $sum++;
            if ($argc > 3 && $i % 10 == 0) {
                $cut += time_nanosleep(0, 200000) !== true;
            }
        }
    } else {
        $usage = 0;
        for ($i = 0; $i < 2; $i++) {
            $usage = memory_get_usage();
            echo $i ? 'all ' : 'at first ', $usage, "\n";
        }
        fgets($input);
        echo memory_get_usage(), "\n";
    }
    foreach ($kept['Shop\Order'] as $number => $order) {
        $sum += $number == (int)substr($order->number, 20);
    }
    echo $sum > 0 && $cut == 0 ? 'whole' : 'broken', ' ', strlen($large), "\n";
}
