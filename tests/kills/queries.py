# SPDX-License-Identifier: GPL-2.0-or-later
"""Sends queries to MariaDB forever, and loads and unloads a library in
between.

    queries.py COUNTERS FOLDER

counts queries in COUNTERS, and checks each result. A line of input ends it.
"""
import _ctypes
import ctypes
import os
import select
import struct
import sys

import MySQLdb

ROWS = 12  # of each query; mysql_fetch_row() is called for each row
QUERY = 'SELECT %s + seq, CONCAT(%s, seq) FROM seq_1_to_12'


def wrong_rows(cursor, number):
    cursor.execute(QUERY, (number, 'text'))
    rows = cursor.fetchall()
    wanted = [(number + i, f'text{i}') for i in range(1, ROWS + 1)]
    return [(int(a), b) for a, b in rows] != wanted


def wrong_library(path, number):
    handle = _ctypes.dlopen(path, 0)
    call = ctypes.CFUNCTYPE(ctypes.c_long, ctypes.c_long)(
        _ctypes.dlsym(handle, 'p22'))
    result = call(number)
    _ctypes.dlclose(handle)
    return result != number * 22 + 1


def main():
    counters = os.open(sys.argv[1], os.O_RDWR)
    path = sys.argv[2] + '/libplug6.so'
    connection = MySQLdb.connect(
        unix_socket=os.environ['MARIADB_SOCKET'], user='root', db='xtrace')
    cursor = connection.cursor()
    number = wrong = 0
    print('ready', flush=True)
    while not select.select([0], [], [], 0)[0]:
        number += 1
        wrong += wrong_rows(cursor, number)
        if number % 4 == 0:
            wrong += wrong_library(path, number)
        os.pwrite(counters, struct.pack('<3q', number, wrong, number // 4), 0)
    connection.close()
    print('wrong' if wrong else 'right')
    sys.exit(1 if wrong else 7)


main()
