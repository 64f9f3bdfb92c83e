<?php
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Authors and their books, as a page of php-fpm. */
$base = new PDO('sqlite:' . getenv('BASE'));

function one($base, $number)
{
	$ask = $base->prepare('SELECT title FROM book WHERE id = ?');
	$ask->execute([$number]);
	return $ask->fetchColumn();
}

function books($base, $author)
{
	$ask = $base->prepare('SELECT * FROM book WHERE author_id = ?');
	$ask->execute([$author]);
	return $ask->fetchAll();
}

if (preg_match('#^/book/(\d+)#', $_SERVER['REQUEST_URI'], $found)) {
	echo one($base, $found[1]);
	return;
}
foreach ($base->query('SELECT * FROM author')->fetchAll() as $author)
	foreach (books($base, $author['id']) as $book)
		echo $author['name'], ': ', $book['title'], "\n";
