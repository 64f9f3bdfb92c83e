<?php
// SPDX-License-Identifier: GPL-2.0-or-later
// Calls a method that throws an exception, which is caught.
class Shop
{
    public function fill($number)
    {
        throw new LogicException("$number");
    }
}

try {
    (new Shop())->fill(3);
} catch (LogicException $e) {
    echo $e->getMessage(), "\n";
}
