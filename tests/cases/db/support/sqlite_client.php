<?php
# SPDX-License-Identifier: GPL-2.0-or-later
# A client of SQLite by SQLite3, loaded when told; see clients/README.md.

function hear($word)
{
	echo "$word\n";
	fgets(STDIN);
}

hear('begin');
dl('sqlite3.so');
$base = new SQLite3(':memory:');
$base->createFunction('pause', function ($span) {
	usleep((int)($span * 1e6));
	return 1;
});
hear('loaded');
foreach (file($argv[1], FILE_IGNORE_NEW_LINES) as $sql) {
	$began = hrtime(true);
	$base->querySingle($sql);
	$took = (hrtime(true) - $began) / 1e9;
	printf("query\t%.6f\t%s\n", $took, $sql);
}
echo "end\n";
$base->close();
