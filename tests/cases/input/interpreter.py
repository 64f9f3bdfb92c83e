#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A command whose interpreter is missing: the message names the interpreter.
The command is a script or an ELF program, with its path or found in PATH.

NEEDS: gcc
"""
import shutil
import subprocess

import case


def said(command, *, env=None):
    tracer = case.trace('-x', 'f', command=[command], env=env)
    status = tracer.wait()
    return [status, *tracer.says()]


def script(name, first, mode=0o755):
    path = case.FOLDER / name
    path.write_text(f'{first}\necho out\n')
    path.chmod(mode)
    return path


def test():
    script('gone', '#! \t/no/such/python3 -u')
    why = 'its interpreter /no/such/python3: No such file or directory'
    case.equal(said('./gone'), [126, f'xtrace: ./gone: {why}'], 'a script')
    case.equal(said('gone', env={'PATH': f'{case.FOLDER}:/usr/bin'}),
               [126, f'xtrace: gone: {why}'], 'a script in PATH')
    script('plain', 'no magic')
    script('barred', f'#!{case.FOLDER}/plain', 0o755)
    (case.FOLDER / 'plain').chmod(0o644)
    case.equal(said('./barred'),
               [126, f'xtrace: ./barred: its interpreter {case.FOLDER}/plain: '
                'Permission denied'], 'an interpreter without permission')
    case.equal(said('./plain'), [126, 'xtrace: ./plain: Permission denied'],
               'the script itself')
    script('raw', '#!/no/\33[31m')
    case.equal(said('./raw'),
               [126, r'xtrace: ./raw: its interpreter /no/\033[31m: No such '
                'file or directory'], 'no escape reaches the terminal')
    image = bytearray(open('/bin/true', 'rb').read())
    at = image.index(b'/lib64/ld-linux')
    image[at:at + 6] = b'/lib65'
    (case.FOLDER / 'elf').write_bytes(image)
    shutil.copymode('/bin/true', case.FOLDER / 'elf')
    case.equal(said('./elf'),
               [126, 'xtrace: ./elf: its interpreter /lib65/'
                'ld-linux-x86-64.so.2: No such file or directory'], 'ELF')
    (case.FOLDER / 'narrow.c').write_text('int main(void) { return 0; }\n')
    subprocess.run(['gcc', '-m32', '-Wl,--dynamic-linker=/no/ld-linux.so.2',
                    '-o', case.FOLDER / 'narrow', case.FOLDER / 'narrow.c'],
                   check=True)
    case.equal(said('./narrow'),
               [126, 'xtrace: ./narrow: its interpreter /no/ld-linux.so.2: No '
                'such file or directory'], 'a 32-bit ELF')
    case.equal(said('./nothing'),
               [127, 'xtrace: ./nothing: No such file or directory'],
               'no such file')


case.main(test)
