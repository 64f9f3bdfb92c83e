<?php
// SPDX-License-Identifier: GPL-2.0-or-later
// See prefork.py.
echo getmypid(), ' ', crc32('asked ' . $_GET['number']), "\n";
