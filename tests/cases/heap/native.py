#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--heap=native: the blocks in use, the free memory by its lists, and the blocks
with their own mapping are what the program itself gets from mallinfo2() and
malloc_info(), to the byte, with several arenas. A program that allocates at
full speed is never counted wrong, and does not notice it, even if xtrace is
killed.

TIMEOUT: 120
"""
import ctypes
import json
import pathlib
import re
import signal
import time

import case
import heapcase

CLASS = re.compile(r'malloc\((\d+)\.\.(\d+)\)$')
ODD = 'malloc(985..1000)'
TRIES = 40


def start(*words):
    subject = case.start(case.build('heap_native.c', case.FOLDER / 'built'),
                         *words)
    subject.wait_for('all')
    return subject


def end(subject):
    subject.say('end')
    case.finish(subject)
    case.equal(subject.out.splitlines()[-1], 'end', 'what it says')
    case.equal(subject.err, '', 'what it says')


def parts(text):
    """The rows of the table of blocks, and those of free memory: name ->
    (count, bytes). And of mapped files: name -> (in memory, mapped)."""
    blocks, free, mapped = re.split(r'\n\n.*  (?:free memory|mapped file)\n',
                                    text)
    rows = heapcase.rows_of(blocks)

    def read(lines):
        found = [heapcase.ROW.match(line) for line in lines.splitlines()]
        return {one[4]: (heapcase.number(one[1]), heapcase.number(one[2]))
                for one in found}
    return rows, heapcase.last_row(blocks), read(free), read(mapped)


def total(rows, prefix):
    """The sum of the rows whose name begins like that."""
    found = [row for name, row in rows.items() if name.startswith(prefix)]
    return sum(row[0] for row in found), sum(row[1] for row in found)


def check_names(rows):
    """The size of each block is in its class."""
    for name, (count, size) in rows.items():
        sizes = CLASS.search(name)
        if sizes:
            least, most = int(sizes[1]), int(sizes[2])
            case.true(count * (least + 8) <= size <= count * (most + 8),
                      f'{name}: {count}, {size}')


def check_info(xml, free):
    """By malloc_info(): sums of the arenas, and the small bins by size. It adds
    the flag of each chunk in a bin, which is 1, to the chunk's size."""
    arenas = xml[:xml.rindex('</heap>')]
    unsorted = re.findall(r'<unsorted .* total="(\d+)" count="(\d+)"', arenas)
    case.equal(total(free, 'unsorted: '),
               (sum(int(count) for _, count in unsorted),
                sum(int(size) - int(count) for size, count in unsorted)),
               'unsorted')
    rest = [int(word) for word in re.findall(
        r'<total type="rest" count="(\d+)" size="(\d+)"', xml)[-1]]
    own = [total(free, name) for name in ('unsorted: ', 'small bin: ',
                                          'large bin: ', 'top of an arena')]
    count = sum(one[0] for one in own)
    case.equal([count, sum(one[1] for one in own) + count - own[-1][0]], rest,
               'the rest')
    sizes = {}
    for least, most, count in re.findall(
            r'<size from="(\d+)" to="(\d+)" total="\d+" count="(\d+)"', arenas):
        kind = 'small bin: ' if least == most else 'fast bin: '
        size = int(most) & ~1
        if size < 1024:
            name = f'{kind}malloc({0 if size == 32 else size - 23}..{size - 8})'
            sizes[name] = sizes.get(name, 0) + int(count)
    case.equal({name: row[0] for name, row in free.items() if
                name.startswith(('small bin', 'fast bin'))}, sizes, 'bins')


def check_mapped(pid, mapped):
    """The mapped bytes by file are those of /proc/PID/maps."""
    wanted = {}
    for line in pathlib.Path(f'/proc/{pid}/maps').read_text().splitlines():
        first, last = line.split()[0].split('-')
        name = line[73:] or '(no file)'
        wanted[name] = wanted.get(name, 0) + int(last, 16) - int(first, 16)
    case.equal({name: row[1] for name, row in mapped.items()}, wanted, 'mapped')
    for name, row in mapped.items():
        case.true(row[0] <= row[1], f'{name}: {row}')


def test_exact():
    subject = start()
    case.wait_for_input(subject.pid)
    xml, last = subject.out.rsplit('</malloc>\n', 1)
    words = last.split()
    info = dict(zip(words[0:18:2], map(int, words[1:18:2])))
    text, said = heapcase.census(subject.pid, option='--heap=native')
    case.equal(said, '', 'what xtrace says')
    rows, (count, size, mapped), free, files = parts(text)
    case.equal(sum(row[0] for row in rows.values()), count, 'blocks')
    check_names(rows)
    check_names(free)
    caches = total(free, 'thread cache: ')
    case.equal(rows['malloc by mmap()'], (info['hblks'], info['hblkhd']),
               'by mmap()')
    case.equal(mapped, info['arena'] + info['hblkhd'], 'mapped')
    case.equal(size - info['hblkhd'] + caches[1], info['uordblks'], 'in use')
    case.equal(total(free, 'fast bin: '), (info['smblks'], info['fsmblks']),
               'fast bins')
    case.equal(total(free, '')[1] - caches[1], info['fordblks'], 'free')
    case.equal(total(free, '')[1] + size, mapped, 'all')
    case.true(total(free, '')[0] - caches[0] - info['smblks'] ==
              info['ordblks'], 'pieces')
    check_info(xml, free)
    # 17 blocks were made, and 5 of them freed.
    case.equal(rows[ODD], (12, 12 * 1008), 'blocks of 1000 bytes')
    case.equal(free['thread cache: ' + ODD], (5, 5 * 1008), 'freed ones')
    case.true(free['top of an arena'][0] == 4, 'arenas')
    check_mapped(subject.pid, files)
    case.true(heapcase.STILL in text, text)
    events = heapcase.census(subject.pid, '--json', option='--heap=native')[0]
    events = [json.loads(line) for line in events.splitlines()]
    case.equal({event['language'] for event in events}, {'glibc 2.36'}, 'JSON')
    for kind, wanted in (('class', rows), ('free', free)):
        case.equal({event['name']: (event['count'], event['bytes'])
                    for event in events if event['event'] == kind}, wanted,
                   kind)
    case.equal({event['name'] or '(no file)': event['mapped']
                for event in events if event['event'] == 'mapping'},
               {name: row[1] for name, row in files.items()}, 'mappings')
    end(subject)


def test_running():
    """What the threads do not touch is counted right each time."""
    subject = start('churn')
    counted = 0
    for _ in range(15):
        run = case.start(case.XTRACE, '--heap=native', '--top', '9999', '-p',
                         str(subject.pid))
        status = run.wait()
        if status:
            case.equal(status, 1, run.err)
            case.true('the heap of glibc makes no sense: ' in run.err, run.err)
            continue
        counted += 1
        rows, (_, size, mapped), free, _ = parts(run.out)
        case.equal(rows[ODD], (12, 12 * 1008), 'blocks of 1000 bytes')
        case.equal(free['thread cache: ' + ODD], (5, 5 * 1008), 'freed ones')
        case.equal(rows['malloc by mmap()'][0], 4, 'by mmap()')
        case.equal(total(free, '')[1] + size, mapped, 'all')
    case.true(counted > 0, 'a census of a running program')
    end(subject)


def test_killed():
    """xtrace is killed while it holds a thread."""
    subject = start('churn')

    def held():
        return any(case.child.status_field(
            f'/proc/{subject.pid}/task/{tid}/status', 'TracerPid') != '0'
            for tid in case.child.threads(subject.pid))
    seen = 0
    for _ in range(TRIES):
        run = case.start(case.XTRACE, '--heap=native', '-p', str(subject.pid))
        while run.alive() and not held():
            time.sleep(0)
        if run.alive():
            seen += 1
            run.signal(signal.SIGKILL)
        run.wait()
        case.until(lambda: not held(), 'xtrace left')
        if seen == 3:
            break
    case.true(seen > 0, f'xtrace was killed in none of {TRIES} runs')
    end(subject)


def test_compare():
    subject = start()
    run = case.start(case.XTRACE, '--heap=native', '--json', '-p',
                     str(subject.pid))
    case.equal(run.wait(), 0, run.err)
    (case.FOLDER / 'one.json').write_text(run.out)
    run = case.start(case.XTRACE, '--compare', 'one.json', 'one.json')
    case.equal((run.wait(), run.out.splitlines()[0].split()[-2:]),
               (0, ['glibc', '2.36']), run.err)
    end(subject)


def test_end():
    """A command is counted when it ends."""
    program = case.build('heap_native.c', case.FOLDER / 'built')
    wanted = case.untraced(program, feed=['end'])
    tracer = case.trace('--heap=native', '--top', '9999', command=[program])
    tracer.child.say('end')
    tracer.wait(wanted[0])
    # The arenas of threads may be other ones in each run.
    case.equal((tracer.child.out.splitlines()[-2:], tracer.err()),
               (['all', 'end'], ''), 'what it says')
    rows, _, free, _ = parts('\n'.join(tracer.lines()) + '\n')
    case.equal(rows[ODD], (12, 12 * 1008), 'blocks of 1000 bytes')
    case.equal(rows['malloc by mmap()'][0], 3, 'by mmap()')
    case.true(free['thread cache: ' + ODD][0] == 5, 'freed ones')


def test_first_thread_ends():
    """A command whose first thread ends before the others is counted when the
    last one ends."""
    program = case.build('heap_leader.c', case.FOLDER / 'leader')
    for words in ([], ['alone']):
        wanted = case.untraced(program, *words)
        tracer = case.trace('--heap=native', '--top', '9999',
                            command=[program, *words])
        tracer.wait(wanted[0])
        case.equal((tracer.says(), tracer.err()), ([], ''), 'what is said')
        rows, _, _, mapped = parts('\n'.join(tracer.lines()) + '\n')
        case.equal(rows[ODD], (42, 42 * 1008), 'blocks of 1000 bytes')
        case.true(str(program) in mapped, mapped)


def test_refused():
    subject = case.start(case.build('heap_static.c', case.FOLDER / 'static'))
    subject.wait_for('all')
    case.equal(heapcase.census(subject.pid, option='--heap=native', status=1),
               ('', f'xtrace: process {subject.pid} has no heap that xtrace '
                'knows: it runs no glibc 2.36\n'), 'a static program')
    subject.close_input()
    case.finish(subject)


def test():
    version = ctypes.CDLL(None).gnu_get_libc_version
    version.restype = ctypes.c_char_p
    if version() != b'2.36':
        case.skip(f'glibc {version().decode()}')
    test_exact()
    test_running()
    test_killed()
    test_compare()
    test_end()
    test_first_thread_ends()
    test_refused()


case.main(test)
