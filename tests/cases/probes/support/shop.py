# SPDX-License-Identifier: GPL-2.0-or-later
"""A function that calls another one."""


def price(number):
    return number * 2


def fill(number):
    return price(number) + 1


print(fill(3))
