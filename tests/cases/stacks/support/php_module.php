<?php
// SPDX-License-Identifier: GPL-2.0-or-later
// A file that php_subject.php includes again and again.

namespace Kept {
    if (!function_exists('Kept\apply')) {
        function apply(callable $function, $number)
        {
            return $function($number);
        }

        trait Probing
        {
            public function probe($number)
            {
                return \probe($number);
            }

            public static function all($number)
            {
                return \probe(
                    $number
                );
            }
        }
    }
    \probe(1);
    return apply('probe', 2);
}
