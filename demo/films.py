#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Asks SQLite for old films. The README traces it, in four languages."""
import sqlite3

base = sqlite3.connect(':memory:', isolation_level=None)
base.execute('CREATE TABLE film (title TEXT, year INTEGER)')
base.execute("INSERT INTO film VALUES ('Metropolis', 1927), ('M', 1931)")
for title, in base.execute('SELECT title FROM film WHERE year < ?', (1930,)):
    print(title)
