#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Does what a web shop would do for its pages, slowly even on fast machines."""
import sqlite3
import sys
import time
import timeit

COUNT = 'WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c ' \
        'WHERE i < {}) '
PRODUCTS = 'INSERT INTO product ' + COUNT.format(4000) + \
    "SELECT i, 'product ' || (i * 7919 % 4001), i % 90 FROM c"
SALES = 'INSERT INTO sale ' + COUNT.format(500000) + \
    'SELECT i * 31 % 4000, i % 12, i % 90 FROM c'
SEARCH = "SELECT id FROM product WHERE name LIKE '%' || ? || '%'"
NAME = 'SELECT name, price FROM product WHERE id = ?'
SOLD = 'SELECT sum(paid) FROM sale WHERE product = ?'
BEST = 'SELECT product, sum(paid) FROM sale GROUP BY 1'
MONTHS = 'SELECT month, sum(paid) FROM sale GROUP BY 1'


class Shop:
    def __init__(self):
        self.base = sqlite3.connect(':memory:', isolation_level=None)
        self.base.executescript(
            'CREATE TABLE product (id INTEGER PRIMARY KEY, name, price);'
            'CREATE TABLE sale (product, month, paid);' + PRODUCTS)
        while timeit.timeit(self.months, '', time.process_time, 1) < 0.15:
            self.ask(SALES)

    def ask(self, sql, *values):
        return self.base.execute(sql, values).fetchall()

    def product(self, number):
        return self.ask(NAME, number)

    def best_sellers(self):
        sold = sorted(self.ask(BEST), key=lambda row: -row[1])
        return [self.product(number) for number, _ in sold[:5]]

    def months(self):
        return self.ask(MONTHS)

    def search(self, words):
        return [number for number, in self.ask(SEARCH, words)]

    def sold(self, numbers):
        return [self.ask(SOLD, number) for number in numbers]

    def home_page(self):
        return self.best_sellers()

    def search_page(self):
        found = self.search('17')[:4]
        return [self.product(number) for number in found], self.sold(found)

    def owner_page(self):
        return self.months(), self.best_sellers()


def main():
    shop = Shop()
    until = time.monotonic() + float(sys.argv[1])
    while time.monotonic() < until:
        shop.home_page()
        shop.search_page()
        shop.owner_page()


if __name__ == '__main__':
    main()
