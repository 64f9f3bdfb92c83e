#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A picture in a browser: what it shows at first, after clicks, searches and
keys, with recursion folded, and in dark mode.

TIMEOUT: 300
"""
import collections

import browser
import case
import flamecase

LOGIN = 'post (/srv/app/views/login.py:17)'
LIST = 'get (/srv/app/views/list.py:31)'
TREE = 'tree (/srv/app/models/film.py:20)'
LEAF = 'tree (/srv/app/models/film.py:22)'
MAIN = 'python3 47;thread 47;<module> (app.py:60)'
FOLDED = f"""\
{MAIN};{LOGIN};find (/srv/app/models/user.py:42);mysql_real_query 400000
{MAIN};{LOGIN};find (/srv/app/models/user.py:42);mysql_real_query;send 50000
{MAIN};{LOGIN};find (/srv/app/models/user.py:43);mysql_store_result 150000
{MAIN};{LIST};{TREE};{TREE};{TREE};{LEAF};mysql_real_query 90000
{MAIN};{LIST};{TREE};{TREE};mysql_real_query 60000
{MAIN};{LIST};{TREE};mysql_real_query 30000
{MAIN};{LIST} 20000
python3 47;thread 51;run (jobs.py:7);work@libwork.so.1;sqlite3_step 150000
python3 47;thread 51;run (jobs.py:7);sqlite3_step 50000
"""
WHOLE = 1000000
STATE = """
var at = document.activeElement;
return { name: at && at.getAttribute('data-name'),
         label: at && at.getAttribute('aria-label'),
         tag: at && at.localName,
         matched: document.querySelector('output').textContent,
         weight: document.querySelector('output').dataset.weight,
         hits: Array.from(document.querySelectorAll('.searching .hit'))
             .filter(function (f) { return f.style.display !== 'none'; })
             .map(function (f) { return f.getAttribute('data-name'); }),
         tip: document.querySelector('.tip').style.display === 'none' ? '' :
             document.querySelector('.tip').textContent };
"""


def state(page):
    return collections.namedtuple('State', 'name label tag matched weight '
                                  'hits tip')(**page.run(STATE))


def shown(page):
    return [frame for frame in flamecase.frames(page) if frame.shown]


def zoomed(page, name):
    """Checks that the frame of this name is as wide as the picture, and that
    all shown frames are around it or within it."""
    frames = shown(page)
    focus = [frame for frame in frames if frame.name == name][0]
    case.true(abs(focus.width - 1) < 0.001, f'{name} has the whole width')
    for frame in frames:
        around = focus.path[:len(frame.path)] == frame.path
        within = frame.path[:len(focus.path)] == focus.path
        case.true(around or within,
                  f'{frame.path} is around {name} or within it')
        share = 1 if around else frame.weight / focus.weight
        case.true(abs(frame.width - share) < 0.001,
                  f'{frame.path}: {frame.width}, not {share}')
    return frames


def test_click(page):
    page.click(flamecase.frame(page, LOGIN))
    names = [frame.name for frame in zoomed(page, LOGIN)]
    case.equal(names, ['all', 'python3 47', 'thread 47',
                       '<module> (app.py:60)', LOGIN,
                       'find (/srv/app/models/user.py:42)', 'mysql_real_query',
                       'send', 'find (/srv/app/models/user.py:43)',
                       'mysql_store_result'], 'the frames that are shown')
    page.click(flamecase.frame(page, 'all'))
    flamecase.compare(shown(page), flamecase.tree_of(FOLDED))
    page.click(flamecase.frame(page, 'sqlite3_step'))
    zoomed(page, 'sqlite3_step')
    page.click(page.find("return document.querySelectorAll('.bar button')[0]"))
    flamecase.compare(shown(page), flamecase.tree_of(FOLDED))


def test_tooltip(page):
    page.hover(flamecase.frame(page, LOGIN))
    tip = state(page).tip
    case.true(LOGIN in tip and '600.0ms' in tip and '60.0' in tip,
              f'what a tooltip says: {tip}')
    page.hover(flamecase.frame(page, 'mysql_real_query'))
    tip = state(page).tip
    case.true('450.0ms' in tip and 'own' in tip and '400.0ms' in tip,
              f'total and own: {tip}')


def test_search(page):
    """If frames that match a search are nested, only the outermost one counts.
    """
    weights = flamecase.tree_of(FOLDED)
    page.keys('/')
    case.equal(state(page).tag, 'input', 'where the keys go')
    page.keys('TREE')
    got = state(page)
    case.equal(got.hits, [TREE] * 3 + [LEAF], 'hits, whatever their case')
    wanted = weights[('all', *MAIN.split(';'), LIST, TREE)]
    case.equal(got.weight, str(wanted), 'the weight of what matches')
    case.true('4 frames' in got.matched and '180.0ms' in got.matched and
              '18.0' in got.matched, f'the share that is shown: {got.matched}')
    page.keys(browser.ENTER)
    case.equal(state(page).name, TREE, 'Enter goes to the first hit')
    page.keys('n', 'n', 'n')
    case.equal(state(page).name, LEAF, 'n goes to the next hit')
    page.keys('n')
    case.equal(state(page).name, TREE,
               'after the last hit n goes to the first')
    page.keys(browser.ESCAPE)
    case.equal(state(page).hits, [], 'Escape ends the search')
    page.keys('/', '/^s.*[dp]$/')
    got = state(page)
    case.equal(sorted(got.hits), ['send', 'sqlite3_step', 'sqlite3_step'],
               'a regular expression')
    case.equal(got.weight, '250000', 'its weight')
    page.keys(browser.ESCAPE, '/', '/(/')
    case.true(page.run("return document.querySelector('input.bad') !== null"),
              'a damaged regular expression')
    page.keys(browser.ESCAPE)
    case.equal(state(page).matched, '', 'nothing is searched for')


def test_keys(page):
    page.keys(browser.HOME)
    case.equal(state(page).name, 'all', 'Home')
    page.keys(*[browser.DOWN] * 4)
    got = state(page)
    case.equal(got.name, LOGIN, 'four down')
    case.true('600.0ms' in got.label and '60.0' in got.label,
              f'what a screen reader gets: {got.label}')
    case.true(LOGIN in got.tip, f'the tooltip: {got.tip}')
    page.keys(browser.RIGHT)
    case.equal(state(page).name, LIST, 'to the right')
    page.keys(browser.ENTER)
    zoomed(page, LIST)
    case.equal(state(page).name, LIST, 'the frame keeps the keyboard')
    page.keys(browser.DOWN, browser.DOWN, browser.UP)
    case.equal(state(page).name, TREE, 'two down, one up')
    page.keys(browser.RIGHT)
    case.equal(state(page).name, TREE, 'no frame is beside it')
    page.keys(browser.ESCAPE)
    flamecase.compare(shown(page), flamecase.tree_of(FOLDED))
    page.keys(browser.UP, browser.LEFT)
    case.equal(state(page).name, LOGIN, 'up, and to the left')
    page.keys(' ')
    zoomed(page, LOGIN)
    page.keys(' ')
    zoomed(page, '<module> (app.py:60)')
    page.keys(browser.ESCAPE)


def test_tab(page):
    """The Tab key stops once in the picture."""
    page.run("document.querySelector('.bar input').focus()")
    seen = []
    for _ in range(3):
        page.keys(browser.TAB)
        got = state(page)
        seen.append(got.name or got.tag)
    case.true('button' in seen, f'the button is reached: {seen}')
    page.run("document.querySelector('.bar input').focus()")
    page.run("""document.querySelector('#frames .f[tabindex="0"]').focus()""")
    case.equal(page.run("""return document.querySelectorAll(
        '#frames .f[tabindex="0"]').length"""), 1, 'frames with a tab stop')


def fold(folded):
    """The folded lines, with calls of a function by itself joined into one
    frame."""
    lines = []
    for line in folded.splitlines():
        stack, _, number = line.rpartition(' ')
        out = []
        for name in stack.split(';'):
            if not out or out[-1].split(' (')[0] != name.split(' (')[0]:
                out.append(name)
        lines.append(f'{";".join(out)} {number}')
    return flamecase.tree_of('\n'.join(lines))


def test_recursion(page):
    """With recursion folded, the picture has the weights of the lines that
    fold() makes."""
    page.keys('r')
    wanted = fold(FOLDED)
    got = {(frame.depth, frame.name): frame for frame in shown(page)}
    case.equal(len(got), len({(len(path), path[-1]) for path in wanted}),
               'frames with recursion folded')
    # The attribute data-w of a joined frame has the weight of only one of its
    # frames, so the widths are compared.
    sums = collections.Counter()
    for frame in shown(page):
        sums[frame.depth, frame.name] += frame.width
    for key, weight in collections.Counter(
            {(len(path) - 1, path[-1]): 0 for path in wanted}).items():
        weight = sum(wanted[path] for path in wanted
                     if (len(path) - 1, path[-1]) == key)
        case.true(abs(sums[key] - weight / WHOLE) < 0.001,
                  f'{key}: {sums[key]}, not {weight / WHOLE}')
    text = page.run("return arguments[0].querySelector('text').textContent",
                    flamecase.frame(page, TREE))
    case.true(text.endswith('4'), f'the depth is shown: {text}')
    page.keys('r')
    flamecase.compare(shown(page), flamecase.tree_of(FOLDED))


# The contrast of each kind and shade of frame, as painted: the colour over the
# background.
CONTRAST = """
function rgb(text) { return text.match(/[\\d.]+/g).map(Number); }
function light(colour) {
    var c = colour.slice(0, 3).map(function (part) {
        part /= 255;
        return part <= 0.03928 ? part / 12.92 :
            Math.pow((part + 0.055) / 1.055, 2.4);
    });
    return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
}
function contrast(one, two) {
    var a = light(one), b = light(two);
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}
var ground = rgb(getComputedStyle(document.querySelector('.ground')).fill);
var frame = document.querySelector('#frames .f'), out = {};
var was = frame.getAttribute('class');
['p'].concat(['c', 's', 'n'].flatMap(function (kind) {
    return [0, 1, 2, 3, 4, 5].map(function (n) { return kind + n; });
})).forEach(function (kind) {
    [kind, kind + ' r'].forEach(function (name) {
        frame.setAttribute('class', 'f ' + name);
        var rect = getComputedStyle(frame.querySelector('rect'));
        var part = +rect.fillOpacity;
        var fill = rgb(rect.fill).map(function (value, i) {
            return part * value + (1 - part) * ground[i];
        });
        out[name] = contrast(fill,
            rgb(getComputedStyle(frame.querySelector('text')).fill));
    });
});
frame.setAttribute('class', was);
['title', 'note'].forEach(function (name) {
    out[name] = contrast(ground, rgb(getComputedStyle(
        document.querySelector('.' + name)).fill));
});
return { ground: light(ground), contrasts: out };
"""


def test_schemes(page):
    """All text has the contrast that WCAG 1.4.3 demands, in light and dark
    mode."""
    grounds = {}
    for scheme in ('light', 'dark'):
        page.scheme(scheme)
        got = page.run(CONTRAST)
        grounds[scheme] = got['ground']
        for name, contrast in got['contrasts'].items():
            case.true(contrast >= 4.5, f'{scheme}: {name} has {contrast:.2f}')
    case.true(grounds['light'] > 0.8 and grounds['dark'] < 0.05,
              f'light and dark grounds: {grounds}')


def test_alone(page):
    """The page loads nothing, and the browser's console has no message."""
    case.equal(page.run("return performance.getEntriesByType('resource')"
                        ".map(function (entry) { return entry.name; })"), [],
               'what it loaded')
    case.equal(page.complaints(), [], "the browser's console")


def test():
    pictures = [flamecase.draw(FOLDED, name, '--weight', 'time')
                for name in ('out.svg', 'out.html')]
    with browser.open() as page:
        for picture in pictures:
            page.load(picture)
            flamecase.ready(page)
            flamecase.compare(shown(page), flamecase.tree_of(FOLDED))
            test_click(page)
            test_tooltip(page)
            test_search(page)
            test_keys(page)
            test_tab(page)
            test_recursion(page)
            test_schemes(page)
            test_alone(page)


case.main(test)
