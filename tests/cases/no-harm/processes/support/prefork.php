<?php
// SPDX-License-Identifier: GPL-2.0-or-later
// The page of php-fpm for no-harm/processes/prefork.py: names its worker.
echo getmypid(), ' ', crc32('asked ' . $_GET['number']), "\n";
