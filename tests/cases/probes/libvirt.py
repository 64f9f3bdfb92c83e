#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The SDT probes of libvirt, with the types of etc/probes: they are listed, and
traced in virsh with libvirt's test driver, which needs no daemon. The packages
are unpacked in a folder, and virsh runs with this folder as its root.

NEEDS: root chroot
SLOW:
TIMEOUT: 600
"""
import collections
import os
import pathlib
import re
import subprocess

import case
import debian

PACKAGES = ['libvirt0', 'libvirt-clients', 'libc-bin']
ETC = case.TESTS.parent / 'etc'
LIBRARY = 'usr/lib/x86_64-linux-gnu/libvirt.so.0'
ENV = {'LC_ALL': 'C', 'PATH': '/usr/bin:/usr/sbin:/bin:/sbin'}
CALL = re.compile(r'(?:\d+ )?libvirt:(object_\w+)\(object=(0x\w+)'
                  r'(?:, class="(\w+)")?\)$')
# What the test driver makes for `virsh list`.
CLASSES = {'virConnect', 'testDriver', 'virDomainObj', 'virDomain',
           'virNetworkObj', 'virStoragePoolObj'}


def listed(root):
    done = subprocess.run(
        [case.XTRACE, '-F', ETC, '--list-probes', root / LIBRARY],
        text=True, capture_output=True)
    case.equal((done.returncode, done.stderr), (0, ''), 'the list')
    lines = done.stdout.splitlines()
    case.equal(len(lines), 40, 'how many probes')
    case.contains(
        sorted(lines),
        '%libvirt:object_new(addr object, string class)  libvirt.so.0, '
        '1 place, semaphore',
        '%libvirt:rpc_client_msg_tx_queue(%any)  libvirt.so.0, 2 places, '
        'semaphore')
    case.true(not [line for line in lines if 'ulong' in line],
              'every probe has a prototype in etc/probes/libvirt.conf')


def objects(lines):
    """Each object is made once and disposed of once, and nobody drops a
    reference that does not exist."""
    count = collections.Counter()
    classes, alive = set(), set()
    for line in lines:
        found = CALL.match(line)
        case.true(found, f'a line of an object: {line}')
        name, at, of = found.groups()
        count[name] += 1
        if name == 'object_new':
            case.true(of, f'a class: {line}')
            classes.add(of)
            alive.add(at)
        else:
            case.true(at in alive or name == 'object_unref',
                      f'an object that was made: {line}')
    case.true(CLASSES <= classes, f'the classes of the driver: {classes}')
    case.equal(count['object_new'] + count['object_ref'],
               count['object_unref'], 'references taken and dropped')


def traced(root):
    command = ['/usr/sbin/chroot', root, '/usr/bin/virsh', '-c',
               'test:///default', 'list']
    wanted = case.untraced(*command, env=ENV)
    case.equal((wanted[0], ' 1    test   running' in wanted[1]), (0, True),
               f'virsh alone: {wanted[1]}{wanted[2]}')
    tracer = case.trace('-F', ETC, '--names', '-x', '%libvirt:object_*',
                        command=command, env=ENV)
    tracer.wait(0)
    case.equal(tracer.child.out, wanted[1], 'the output of virsh')
    case.same(tracer.says(), [
        'xtrace: %libvirt:object_*: not loaded yet; waiting for a library '
        'that has this probe'], 'what xtrace says')
    objects([line for line in tracer.calls() if 'libvirt:' in line])


def test():
    try:
        root = debian.chroot(
            'bookworm', pathlib.Path(os.environ['BUILD_CACHE']).parent /
            'roots' / 'bookworm-libvirt', PACKAGES)
    except debian.Unavailable as why:
        case.skip(str(why))
    listed(root)
    traced(root)


case.main(test)
