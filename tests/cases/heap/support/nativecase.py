# SPDX-License-Identifier: GPL-2.0-or-later
"""For cases about --heap=native: the subject heap_native.c, and its heap as it
knows it by mallinfo2() and malloc_info()."""
import json
import pathlib
import re

import case
import heapcase

CLASS = re.compile(r'malloc\((\d+)\.\.(\d+)\)$')
ODD = 'malloc(985..1000)'


def start(*words, glibc=None):
    subject = case.start(case.build('heap_native.c', case.FOLDER / 'built',
                                    glibc=glibc), *words)
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


def check_exact(subject, language):
    """Each number is the subject's own."""
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
    case.equal({event['language'] for event in events}, {language}, 'JSON')
    for kind, wanted in (('class', rows), ('free', free)):
        case.equal({event['name']: (event['count'], event['bytes'])
                    for event in events if event['event'] == kind}, wanted,
                   kind)
    case.equal({event['name'] or '(no file)': event['mapped']
                for event in events if event['event'] == 'mapping'},
               {name: row[1] for name, row in files.items()}, 'mappings')
