# SPDX-License-Identifier: GPL-2.0-or-later
"""A module of python_subject.py, in its own file."""


def apply(function, number):
    return function(number)


class Keeper:
    def __init__(self, function):
        self.function = function

    def __getitem__(self, number):
        return apply(self.function,
                     number)

    def __call__(self, number):
        return self[number]
