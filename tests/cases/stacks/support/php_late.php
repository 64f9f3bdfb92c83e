<?php
// SPDX-License-Identifier: GPL-2.0-or-later
// The file that the autoloader of php_subject.php includes.
probe(1);

class Late
{
    const HERE = 1;
}
