# SPDX-License-Identifier: GPL-2.0-or-later
#
# --sql with Python's sqlite3: one line for each query, with the text of the
# statement that runs, no matter how often it was prepared.
#
# RUN: xtrace --sql %t
# EXPECT:
#   %time sqlite3_step "CREATE TABLE film(name, year UNIQUE)" = SQLITE_DONE <%dur>
#   %time sqlite3_step "BEGIN" = SQLITE_DONE <%dur>
#   %time sqlite3_step "INSERT INTO film VALUES(?, ?)" = SQLITE_DONE <%dur> |x5
#   %time sqlite3_step "COMMIT" = SQLITE_DONE <%dur>
#   %time sqlite3_step "SELECT name FROM film WHERE year > ? AND ? IS NULL" = SQLITE_DONE%any<%dur>
#   %time sqlite3_prepare_v2 "SELECT name FROM films" = SQLITE_ERROR <%dur>
#   %time sqlite3_step "INSERT INTO film VALUES(?, ?)" = SQLITE_CONSTRAINT <%dur>
#   %time sqlite3_step "DELETE FROM film;" = SQLITE_DONE <%dur>
#   %time sqlite3_step " DROP TABLE film;" = SQLITE_DONE <%dur>
#   %time +++ exited (status 0) +++
#
# RUN: xtrace --set sql -ttt -s 6 --if 'query ~ /FROM/' %t
# EXPECT:
#   %epoch sqlite3_step "SELECT"... = SQLITE_DONE%any<%dur>
#   %epoch sqlite3_prepare_v2 "SELECT"... = SQLITE_ERROR <%dur>
#   %epoch sqlite3_step "DELETE"... = SQLITE_DONE <%dur>
#   %epoch +++ exited (status 0) +++
#
# RUN: xtrace --sql -x sqlite3_libversion_number --if 'retval == 19' %t
# SAYS:
#   xtrace: sqlite3_libversion_number: not loaded yet; waiting for a library that defines it
# EXPECT:
#   %time sqlite3_step "INSERT INTO film VALUES(?, ?)" = SQLITE_CONSTRAINT <%dur>
#   %time +++ exited (status 0) +++
#
# RUN: xtrace --sql --bind --if 'query ~ /?/' %t
# EXPECT:
#   %time sqlite3_step "INSERT INTO film VALUES(?, ?)" ["Metropolis", 1925] = SQLITE_DONE <%dur>
#   %time sqlite3_step "INSERT INTO film VALUES(?, ?)" ["Metropolis", 1926] = SQLITE_DONE <%dur>
#   %time sqlite3_step "INSERT INTO film VALUES(?, ?)" ["Metropolis", 1927] = SQLITE_DONE <%dur>
#   %time sqlite3_step "INSERT INTO film VALUES(?, ?)" ["Metropolis", 1928] = SQLITE_DONE <%dur>
#   %time sqlite3_step "INSERT INTO film VALUES(?, ?)" ["Metropolis", 1929] = SQLITE_DONE <%dur>
#   %time sqlite3_step "SELECT name FROM film WHERE year > ? AND ? IS NULL" [1927, NULL] = SQLITE_DONE%any<%dur>
#   %time sqlite3_step "INSERT INTO film VALUES(?, ?)" ["Nosferatu", 1925] = SQLITE_CONSTRAINT <%dur>
#   %time +++ exited (status 0) +++
import sqlite3

base = sqlite3.connect(':memory:', isolation_level=None)
base.execute('CREATE TABLE film(name, year UNIQUE)')
base.execute('BEGIN')
for year in range(1925, 1930):
    base.execute('INSERT INTO film VALUES(?, ?)', ('Metropolis', year))
base.commit()
for row in base.execute(
        'SELECT name FROM film WHERE year > ? AND ? IS NULL', (1927, None)):
    print(row)
for wrong in (('SELECT name FROM films', ()),
              ('INSERT INTO film VALUES(?, ?)', ('Nosferatu', 1925))):
    try:
        base.execute(*wrong)
    except sqlite3.Error as fault:
        print(fault)
base.executescript('DELETE FROM film; DROP TABLE film;')
