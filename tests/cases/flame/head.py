#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A picture in a browser: the title says what was traced, when, how long and
what is counted; a legend explains the colours; labels fit before the first
zoom; a search hides the tooltip; the picture can be turned upside down.

TIMEOUT: 300
"""
import html
import re
import time

import browser
import case
import flamecase

MAIN = 'python3 47;thread 47;<module> (app.py:60)'
FOLDED = ''.join(
    f'{MAIN};post (/srv/app/views/login_{number}.py:17);'
    f'find@libmodels.so.1;mysql_real_query {4000 - 90 * number}\n'
    for number in range(30))
# [[text of a label, its width, the width of its frame], ...]
LABELS = """
return Array.from(document.querySelectorAll('#frames .f')).map(function (f) {
    var text = f.querySelector('text');
    return [text.textContent, text.getComputedTextLength(),
            f.querySelector('rect').getBoundingClientRect().width];
});
"""
TIP = "return document.querySelector('.tip').style.display !== 'none'"


def title(name):
    text = (case.FOLDER / name).read_text()
    return (html.unescape(re.search('<title>(.*)</title>', text).group(1)),
            html.unescape(re.search('class="note"[^>]*>([^<]*)', text).group(1)))


def legend(name):
    text = (case.FOLDER / name).read_text()
    part = re.search('<g class="legend">(.*?)</g>\n</svg>', text, re.S).group(1)
    return re.findall(r'<text [^>]*>([^<]*)', part)


def test_title():
    """The title for a command, for a process, and for a file that does not
    have these facts."""
    (case.FOLDER / 'script.py').write_text(
        'import sqlite3, sys, time\n'
        'base = sqlite3.connect(":memory:")\n'
        'print("ready", flush=True)\n'
        'base.execute("select 1 -- <&>").fetchall()\n'
        'sys.stdin.readline()\n'
        'base.execute("select 2").fetchall()\n')
    command = [case.PYTHON, 'script.py', '<&>']
    before = time.time()
    tracer = case.trace('--sql', '--flame=out.svg', '--weight=calls',
                        command=command)
    tracer.child.wait_for('ready')
    tracer.child.say()
    tracer.wait(0)
    lasted = time.time() - before
    name, note = title('out.svg')
    found = re.fullmatch(f'{re.escape(" ".join(command))} · calls · '
                         r'(\d+-\d+-\d+ \d+:\d+:\d+) · ran for ([\d.]+)(ms|s)',
                         name)
    case.true(found, f'title: {name}')
    began = time.mktime(time.strptime(found.group(1), '%Y-%m-%d %H:%M:%S'))
    case.true(before - 1 <= began <= before + lasted, f'the date: {name}')
    shown = float(found.group(2)) * {'ms': 0.001, 's': 1}[found.group(3)]
    case.true(0 < shown <= lasted, f'the duration: {name}')
    case.true(note.startswith('2 calls ') and
              note.endswith(name.partition(' · calls')[2]), f'note: {note}')
    client = case.start(*command)
    client.wait_for('ready')
    tracer = case.attach(client, '--sql', '--flame=out.html')
    client.say()
    case.finish(client)
    tracer.wait(0)
    case.true(title('out.html')[0].startswith(
        f'{" ".join(command)} · time · '), title('out.html')[0])
    flamecase.draw(FOLDED, 'out.svg', '--weight', 'bytes')
    case.equal(title('out.svg')[0], 'python3 47 · bytes asked for',
               'a file of folded stacks')


def test_legend():
    flamecase.draw(FOLDED, 'out.svg')
    case.equal(legend('out.svg'),
               ['process, thread', 'script', 'native code', 'traced call'],
               'all kinds')
    flamecase.draw('python3 47;thread 47;find (a.py:1);query 5\n', 'out.svg')
    case.equal(legend('out.svg'), ['process, thread', 'script', 'traced call'],
               'only the kinds of the picture')


def fit(page, what):
    rows = page.run(LABELS)
    case.true(any(label.endswith('…') for label, _, _ in rows), 'narrow ones')
    for label, wide, room in rows:
        case.true(not label or 5 + wide <= room + 1,
                  f'{what}: {label} of {wide} in {room}')
    return [label for label, _, _ in rows]


def test_labels(page):
    """The labels fit in the first drawing as they do after a later one."""
    before = fit(page, 'first')
    page.run("window.dispatchEvent(new Event('resize'))")
    case.equal(before, fit(page, 'second'), 'the same labels')


def test_tooltip(page):
    page.hover(flamecase.frame(page, 'all'))
    case.true(page.run(TIP), 'a tooltip')
    page.keys('/')
    case.true(not page.run(TIP), 'none when a search begins')
    page.keys('mysql')
    case.true(not page.run(TIP), 'none during the search')
    page.hover(flamecase.frame(page, 'mysql_real_query'))
    case.true(page.run(TIP), 'the tooltip is back when the pointer moves')
    page.keys('x')
    case.true(not page.run(TIP), 'the next letter hides the tooltip')
    page.keys(browser.ESCAPE)


def test_form(page, upward):
    """Checks whether inner frames are above or below the outer ones. The key i
    turns the picture upside down."""
    frames = flamecase.frames(page)
    for frame in frames:
        if frame.outer:
            case.equal(frame.top < frame.outer.top, upward, f'{frame.path}')
    page.click(flamecase.frame(page, 'all'))
    page.keys(browser.UP if upward else browser.DOWN)
    case.equal(page.run('return document.activeElement.dataset.name'),
               'python3 47', 'the key towards the inner frames')
    page.keys('i')
    for frame in flamecase.frames(page):
        if frame.outer:
            case.equal(frame.top > frame.outer.top, upward, 'turned')
    page.keys('i')


def test():
    test_title()
    test_legend()
    picture = flamecase.draw(FOLDED, 'icicle.svg', '--weight', 'time')
    flames = flamecase.draw(FOLDED, 'flames.svg', '--flame-form', 'flames')
    with browser.open(picture) as page:
        flamecase.ready(page)
        test_labels(page)
        test_tooltip(page)
        test_form(page, False)
        page.load(flames)
        flamecase.ready(page)
        test_form(page, True)
        case.equal(page.complaints(), [], 'what the browser says')


case.main(test)
