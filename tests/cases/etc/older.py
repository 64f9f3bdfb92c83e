#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""An older program of Debian 12 may lack the functions that `since` lists, and
no other function. The checker gets the symbols of such a program.

NEEDS: /usr/bin/php8.2
TIMEOUT: 240
"""
import case
from prototypes import LIBRARIES, Model, Proto, elsewhere, exports, \
    model_program, since, unknown

OLD, NEW = ('php8.2', '8.2.32'), ('php8.2', '8.2.36')
BROUGHT = 37


def test():
    protos = Model(model_program(), ['parts/php-engine.conf']).protos
    brought = since()['php8.2']
    case.equal(len(brought), BROUGHT, 'functions that an update brought')
    case.equal(set(brought) - set(protos), set(), 'those without a prototype')
    case.equal(set(brought) & elsewhere(), set(), 'those in elsewhere too')
    exported = exports(LIBRARIES / '/usr/bin/php8.2')
    old = exported - set(brought)
    new = exported | set(brought)

    def faults(symbols, installed, more=None):
        return unknown({**protos, **(more or {})}, symbols, elsewhere(),
                       installed)
    case.equal(faults(old, OLD), [], 'faults of the older program')
    case.equal(faults(new, NEW), [], 'faults of the newer program')
    case.equal(len(faults(old, NEW)), BROUGHT,
               'faults if the newer program lacks them')
    case.equal(faults(old - {'zend_execute'}, OLD),
               [f'{protos["zend_execute"].where}: no library exports it'],
               'what both programs should have')
    nowhere = {'zend_nowhere': Proto('x.conf:1: zend_nowhere', 'i32', [],
                                     False)}
    for symbols, installed in (old, OLD), (new, NEW):
        case.equal(faults(symbols, installed, nowhere),
                   ['x.conf:1: zend_nowhere: no library exports it'],
                   f'a function that no version has: {installed}')


case.main(test)
