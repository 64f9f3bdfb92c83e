# SPDX-License-Identifier: GPL-2.0-or-later
"""Draws folded files, and checks the pictures in a browser."""
import collections

import case


def tree_of(folded):
    """{path: weight with all inner frames} of the lines of a folded file."""
    weights = collections.Counter()
    for line in folded.splitlines():
        stack, _, number = line.rpartition(' ')
        path = ('all', *stack.split(';'))
        for length in range(1, len(path) + 1):
            weights[path[:length]] += int(number)
    return weights


def draw(folded, picture, *options, env=None):
    """Runs xtrace --draw-flame with bytes or text as its input. It must print
    nothing."""
    path = case.FOLDER / 'in.folded'
    data = folded if isinstance(folded, bytes) else folded.encode()
    path.write_bytes(data)
    run = case.start('sh', '-c', 'exec "$0" "$@" <in.folded', case.XTRACE,
                     f'--draw-flame={picture}', *options, env=env)
    case.equal((run.wait(), run.out, run.err), (0, '', ''), 'drawing')
    return case.FOLDER / picture


# [[depth, name, weight, left, width, shown, top], ...] as the browser has
# them.
FRAMES = """
var area = document.getElementById('frames').getBoundingClientRect();
return Array.from(document.querySelectorAll('#frames .f')).map(function (f) {
    var rect = f.querySelector('rect').getBoundingClientRect();
    return [+f.dataset.d, f.getAttribute('data-name'), +f.dataset.w,
            (rect.left - area.left) / area.width, rect.width / area.width,
            f.style.display !== 'none', Math.round(rect.top - area.top)];
});
"""


class Frame:
    def __init__(self, row, outer):
        (self.depth, self.name, self.weight, self.left, self.width,
         self.shown, self.top) = row
        self.path = ((*outer.path, self.name) if outer else (self.name,))
        self.outer = outer


def frames(page):
    """The frames in the order of the file, outer ones first."""
    open_, found = {}, []
    for row in page.run(FRAMES):
        frame = Frame(row, open_.get(row[0] - 1))
        open_[frame.depth] = frame
        found.append(frame)
    return found


def compare(found, wanted):
    """Checks the weights and the widths of the shown frames."""
    case.equal({frame.path: frame.weight for frame in found}, dict(wanted),
               'frames and their weights')
    case.equal(len(found), len(wanted), 'each frame once')
    whole = wanted[('all',)]
    for frame in found:
        case.true(abs(frame.width - frame.weight / whole) < 0.001,
                  f'{frame.path} is {frame.width} wide, not '
                  f'{frame.weight / whole}')
        if frame.outer:
            case.true(frame.left >= frame.outer.left - 0.001 and
                      frame.left + frame.width <=
                      frame.outer.left + frame.outer.width + 0.001,
                      f'{frame.path} is within its outer one')
            case.true(frame.top > frame.outer.top, f'{frame.path} is below')


def frame(page, name, which=0):
    return page.find("""
        var name = arguments[0];
        return Array.from(document.querySelectorAll('#frames .f'))
            .filter(function (f) {
                return f.style.display !== 'none' &&
                    f.getAttribute('data-name') === name;
            })[arguments[1]];""", name, which)


READY = "return !!document.querySelector('svg.flame.ready')"


def ready(page):
    page.until(READY, 'the script has begun')
