# SPDX-License-Identifier: GPL-2.0-or-later
"""Two greenlets that take turns, each in a function that is open meanwhile; one
is ended by an exception that is thrown into it. greenlet copies their stacks
away and back."""
import greenlet


def leaf(name):
    return name


def turn(name):
    leaf(name)
    greenlet.getcurrent().parent.switch()
    leaf(name)
    return name


def outer(name):
    return turn(name)


def thrown():
    try:
        greenlet.getcurrent().parent.switch()
    except KeyError:
        leaf('thrown')


one, two, three = (greenlet.greenlet(f) for f in (outer, outer, thrown))
one.switch('one')
two.switch('two')
three.switch()
print(one.switch())
three.throw(KeyError)
print(two.switch())
