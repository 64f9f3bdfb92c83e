<?php
// SPDX-License-Identifier: GPL-2.0-or-later
// Asks SQLite for old films, as films.py does, but binds the year to the query.
$base = new SQLite3(':memory:');
$base->exec('CREATE TABLE film (title TEXT, year INTEGER)');
$base->exec("INSERT INTO film VALUES ('Metropolis', 1927), ('M', 1931)");
$query = $base->prepare('SELECT title, year FROM film WHERE year < :year');
$query->bindValue(':year', 1930);
$films = $query->execute();
while ($film = $films->fetchArray(SQLITE3_ASSOC))
	echo "{$film['title']} ({$film['year']})\n";
