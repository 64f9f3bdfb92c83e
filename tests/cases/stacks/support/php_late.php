<?php
// SPDX-License-Identifier: GPL-2.0-or-later
// What php_subject.php's autoloader brings in.
probe(1);

class Late
{
    const HERE = 1;
}
