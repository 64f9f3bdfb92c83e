# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares the shipped prototypes with libraries and headers of Debian 12.

A Set consists of one or a few files of etc/, the libraries whose functions the
files describe, and a C source that includes the headers. Each prototype must
meet these conditions:

- Its function is exported by a library; or it is listed in `elsewhere` with
  the version that has it; or it is listed in `since` with the release of the
  library's Debian package that first had it, if an older one is installed.
- It has as many parameters as in the header. The parameters and the result
  have the same class (integer, pointer, real, complex, struct) and size.
  Several parameters with conditions may describe one parameter of the header,
  or a variable argument.

A struct with a name of the header has the same size there, and a field with
the same name has the same offset. A constant with a name of the header has the
same value. Integers may have another sign than in the header: a size_t that
can be -1 is best shown as -1.
"""
import collections
import pathlib
import re
import subprocess

import case
import headers

TOP = case.TESTS.parent
ETC = TOP / 'etc'
BUILD = TOP / 'build' / ('asan' if case.SANITIZED else '')
LIBRARIES = pathlib.Path('/usr/lib/x86_64-linux-gnu')
FIGURES = BUILD / 'prototypes'  # a file of figures for each script

# installed: the program's name in the list `since`, and its installed version
# word: the size of an address in the programs; folder: of the libraries
# first: files whose prototypes are used in place of those of `files`
# left_out: a pattern of constants, structs and fields that are not compared
Set = collections.namedtuple('Set', 'name files libraries source flags '
                             'installed word folder first left_out',
                             defaults=[('', '0'), 8, LIBRARIES, [], ''])
Proto = collections.namedtuple('Proto', 'where result params more')


def run(*command, feed=None):
    done = subprocess.run(command, input=feed, text=True, errors='replace',
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.stdout, done.stderr


def model_program():
    """Compiles model.c with the libraries of this build of xtrace."""
    archives = [BUILD / f'lib{room}.a' for room in ('conf', 'base')]
    if not all(archive.exists() for archive in archives):
        case.skip('not built here, only the program')
    program = case.FOLDER / 'model'
    flags = ['-fsanitize=address,undefined'] if case.SANITIZED else []
    out, err = run('gcc', '-g', '-D_GNU_SOURCE', f'-I{TOP}', *flags, '-o',
                   program, case.SUPPORT / 'model.c', *archives)
    if not program.exists():
        case.fail(out, err)
    return program


class Model:
    """What model.c prints for some prototype files."""

    def __init__(self, program, files, word=8):
        self.complaints, self.protos, self.structs = [], {}, {}
        self.fields = {}
        self.first = {}  # protos of `files`, without those they import
        named = {str(ETC / file) for file in files}
        self.constants = collections.defaultdict(set)
        out, err = run(program, str(word), *[ETC / file for file in files])
        if err:
            case.fail(f'model: {" ".join(files)}', err)
        for line in out.splitlines():
            word, *rest = line.split(' ')
            if word == 'complaint':
                self.complaints.append(' '.join(rest))
            elif word == 'proto':
                self.add_proto(*rest)
                if rest[0] in named:
                    self.first[rest[2]] = self.protos[rest[2]]
            elif word == 'struct':
                self.structs[' '.join(rest[1:])] = int(rest[0])
            elif word == 'field':
                self.fields[' '.join(rest[2:]), rest[1]] = int(rest[0])
            elif word == 'constant':
                self.constants[rest[0]].add(int(rest[1]))

    def replace(self, other):
        """Replaces prototypes by those in the files of another model."""
        self.protos.update(other.first)
        self.complaints += [complaint for complaint in other.complaints
                            if ': also ' not in complaint]

    def add_proto(self, file, line, name, result, *params):
        where = f'{pathlib.Path(file).name}:{line}: {name}'
        if name in self.protos:
            self.complaints.append(f'{where}: also {self.protos[name].where}')
        self.protos[name] = Proto(where, result,
                                  [p for p in params if p != '...'],
                                  '...' in params)


def exports(path):
    """The functions that a library or program exports, of all versions."""
    names = set()
    for row in run('readelf', '-W', '--dyn-syms', path)[0].splitlines():
        word = row.split()
        if len(word) == 8 and word[3] in ('FUNC', 'IFUNC') and \
                word[6] != 'UND':
            names.add(word[7].split('@')[0])
    return names


def elsewhere():
    """The functions that other versions of the libraries export, from the file
    `elsewhere`."""
    rows = (case.SUPPORT / 'elsewhere').read_text().splitlines()
    return {row.split()[0] for row in rows if row and row[0] != '#'}


def since():
    """Returns {program: {function: the first version that has it}}."""
    brought = collections.defaultdict(dict)
    for row in (case.SUPPORT / 'since').read_text().splitlines():
        if row and row[0] != '#':
            name, program, version = row.split()
            brought[program][name] = version
    return brought


def numbers(version):
    return [int(number) for number in re.findall(r'\d+', version)]


def still_missing(program, version):
    """The functions that only later versions of the program export."""
    return {name for name, brought in since()[program].items()
            if numbers(version) < numbers(brought)}


def unknown(protos, exported, known_elsewhere, installed):
    """The prototypes whose function no version exports, and those whose
    function the installed version should export."""
    known = exported | known_elsewhere | still_missing(*installed)
    return [f'{proto.where}: no library exports it'
            for name, proto in protos.items() if name not in known]


def unsigned(kind):
    return kind.replace('u', 'i')


def matches(params, declared, more):
    """True if params, of the prototype, can be the parameters in the header.
    Adjacent parameters with conditions are alternatives: together they stand
    for one or more of the header's, and also for none if it has "..." (more).
    """
    if not params:
        return not declared
    if not params[0].endswith('?'):
        return bool(declared) and params[0] == declared[0] and \
            matches(params[1:], declared[1:], more)
    end = next((i for i, p in enumerate(params) if not p.endswith('?')),
               len(params))
    kinds = {p[:-1] for p in params[:end]}
    for places in range(0 if more else 1, end + 1):
        if places <= len(declared) and set(declared[:places]) <= kinds and \
                matches(params[end:], declared[places:], more):
            return True
    return False


def compare(proto, declared):
    """A message about the first difference between a prototype and the
    header's declaration, or None."""
    params = [unsigned(p) for p in proto.params]
    wanted = [unsigned(p) for p in declared.params]
    if not matches(params, wanted, declared.more):
        return f'takes {params}, by the header {wanted}'
    if unsigned(proto.result) != unsigned(declared.result):
        return f'returns {proto.result}, by the header {declared.result}'
    open_end = proto.more or (declared.more and proto.params and
                              proto.params[-1].endswith('?'))
    if bool(open_end) != declared.more:
        return 'has ... where the header has not' if open_end else \
            'lacks the ... of the header'
    return None


def refuted(source, flags, claims):
    """The names of the claims in C that the compiler finds false. Claims about
    what the compiler does not know are not counted.
    """
    text = source + ''.join(
        f'\n_Static_assert({claim}, "refuted {name}");'
        for name, claim in claims.items())
    done = subprocess.run(
        ['gcc', '-w', '-x', 'c', '-fsyntax-only', '-fmax-errors=0', *flags,
         '-'], input=text, text=True, errors='replace',
        env={'PATH': '/usr/bin:/bin', 'LC_ALL': 'C'},
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    return re.findall(r'"refuted (.*?)"$', done.stderr, re.M)


def check(program, each, known_elsewhere):
    """Returns the faults of a set, and its figures."""
    model = Model(program, each.files, each.word)
    if each.first:
        model.replace(Model(program, each.first, each.word))
    declared = headers.declarations(each.source, each.flags)
    exported = set()
    for library in each.libraries:
        exported |= exports(each.folder / library)
    faults = model.complaints + unknown(model.protos, exported,
                                        known_elsewhere, each.installed)
    compared = 0
    for name, proto in model.protos.items():
        if name in declared:
            compared += 1
            fault = compare(proto, declared[name])
            faults += [f'{proto.where}: {fault}'] if fault else []
    claims = {name: ' || '.join(f'(long long)({name}) == {value}LL'
                                for value in values)
              for name, values in model.constants.items()
              if name not in known_elsewhere and
              name != 'NULL'}  # the sets mean NULL of SQL
    claims |= {name: f'sizeof({name}) == {size}'
               for name, size in model.structs.items()}
    claims |= {f'{struct}, {field}':
               f'__builtin_offsetof({struct}, {field}) == {offset}'
               for (struct, field), offset in model.fields.items()}
    claims = {name: claim for name, claim in claims.items()
              if not re.fullmatch(each.left_out, name)}
    faults += [f'{each.name}: {name}: not so by the header'
               for name in refuted(each.source, each.flags, claims)]
    public = {name for name in declared if name in exported}
    covered = sum(name in model.protos for name in public)
    figure = f'{each.name}: {len(model.protos)} prototypes, {compared} ' \
        f'compared; {covered} of {len(public)} exported functions of the ' \
        f'headers ({100 * covered // max(len(public), 1)} %)'
    return faults, figure, model, exported


def finish(name, faults, figures):
    """Writes the figures to the file from which `make prototypes` prints them.
    """
    print(*figures, sep='\n')
    FIGURES.mkdir(exist_ok=True)
    (FIGURES / name).write_text('\n'.join(figures) + '\n')
    if faults:
        case.fail(*faults[:200], f'{len(faults)} faults')


def check_all(name, sets):
    program, known = model_program(), elsewhere()
    faults, figures = [], []
    for each in sets:
        more, figure, *_ = check(program, each, known)
        faults += more
        figures.append(figure)
    finish(name, faults, figures)
