# SPDX-License-Identifier: GPL-2.0-or-later
"""A real browser for cases: Debian's chromium, by the WebDriver protocol
(https://www.w3.org/TR/webdriver2/) of its chromium-driver.

    with browser.open(case.FOLDER / 'out.svg') as page:
        page.run('return document.title')
        page.click('#frames .f')
        page.keys(browser.DOWN, browser.ENTER)

A command returns when it was executed; page.until() waits for other effects.
All files of the browser are in the folder of the case.
"""
import contextlib
import http.client
import json
import os
import pathlib
import re
import signal

import case
import child

# WebDriver's code points for keys (17.4.2, "Keyboard actions").
ENTER, ESCAPE, TAB = '\ue007', '\ue00c', '\ue004'
LEFT, UP, RIGHT, DOWN, HOME = '\ue012', '\ue013', '\ue014', '\ue015', '\ue011'
SHIFT = '\ue008'

ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'  # WebDriver 12.2, "Elements"
LIMIT = 100  # seconds for an answer: the machine may be very busy
ARGUMENTS = [
    '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic',
    '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync', '--disable-breakpad',
    '--disable-dev-shm-usage', '--disable-extensions', '--hide-scrollbars',
    '--force-device-scale-factor=1', '--window-size=1200,800']


class Page:
    def __init__(self, port):
        self.port = port
        self.session = None

    def ask(self, method, path, body=None):
        link = http.client.HTTPConnection('127.0.0.1', self.port,
                                          timeout=LIMIT)
        try:
            link.request(method, path, json.dumps(body or {}),
                         {'Content-Type': 'application/json'})
            answer = json.loads(link.getresponse().read())['value']
        except OSError as fault:
            raise child.Failure(f'chromedriver, {method} {path}: {fault}')
        finally:
            link.close()
        if isinstance(answer, dict) and 'error' in answer:
            raise child.Failure(f'{path}: {answer["error"]}: '
                                f'{answer["message"][:500]}')
        return answer

    def command(self, method, path, body=None):
        return self.ask(method, f'/session/{self.session}{path}', body)

    def begin(self, folder):
        options = {'args': [*ARGUMENTS, f'--user-data-dir={folder}'],
                   'binary': '/usr/bin/chromium'}
        self.session = self.ask('POST', '/session', {'capabilities': {
            'alwaysMatch': {'goog:chromeOptions': options,
                            'goog:loggingPrefs': {'browser': 'ALL'},
                            'timeouts': {'script': LIMIT * 1000,
                                         'pageLoad': LIMIT * 1000}}}}
        )['sessionId']

    def load(self, path):
        self.command('POST', '/url',
                     {'url': pathlib.Path(path).resolve().as_uri()})

    def run(self, script, *arguments):
        """Runs the body of a function; returns its result."""
        return self.command('POST', '/execute/sync',
                            {'script': script, 'args': list(arguments)})

    def until(self, script, what, *arguments):
        return child.until(lambda: self.run(script, *arguments), what,
                           case.LIMIT)

    def find(self, script, *arguments):
        """The element that the script returns."""
        found = self.run(script, *arguments)
        case.true(found and ELEMENT in found, f'an element: {script}')
        return found

    def click(self, element):
        """Clicks in the middle of the element, like a mouse."""
        self.command('POST', f'/element/{element[ELEMENT]}/click')

    def hover(self, element):
        self.command('POST', '/actions', {'actions': [
            {'type': 'pointer', 'id': 'mouse',
             'parameters': {'pointerType': 'mouse'},
             'actions': [{'type': 'pointerMove', 'duration': 0,
                          'origin': element, 'x': 0, 'y': 0}]}]})

    def keys(self, *keys):
        """Types the keys one after the other, to the element with the focus.
        """
        steps = [{'type': kind, 'value': letter} for key in keys
                 for letter in key for kind in ('keyDown', 'keyUp')]
        self.command('POST', '/actions', {'actions': [
            {'type': 'key', 'id': 'keyboard', 'actions': steps}]})

    def scheme(self, name):
        """Sets prefers-color-scheme, to 'dark' or 'light'."""
        self.command('POST', '/goog/cdp/execute', {
            'cmd': 'Emulation.setEmulatedMedia', 'params': {'features': [
                {'name': 'prefers-color-scheme', 'value': name}]}})

    def complaints(self):
        """The messages in the browser's console so far."""
        return [row['message'] for row in
                self.command('POST', '/se/log', {'type': 'browser'})]

    def end(self):
        if self.session:
            self.ask('DELETE', f'/session/{self.session}')


@contextlib.contextmanager
def open(path=None):
    folder = case.FOLDER / 'browser'
    folder.mkdir(exist_ok=True)
    others = {pid for pid, _ in child.strays(case.FOLDER)}
    driver = case.start('chromedriver', '--port=0', f'--log-path={folder}/log',
                        env={'HOME': str(folder), 'XDG_CONFIG_HOME':
                             str(folder), 'XDG_CACHE_HOME': str(folder)})
    line = driver.wait_for('started successfully on port')
    page = Page(int(re.search(r'port (\d+)', line).group(1)))
    try:
        page.begin(folder / 'profile')
        if path:
            page.load(path)
        yield page
        page.end()
    finally:
        driver.signal(signal.SIGTERM)
        driver.wait()
        end_helpers(others)


def end_helpers(others):
    """Waits until the browser's processes have ended. `others` are the
    processes that the case had before."""
    def left():
        return [pid for pid, _ in child.strays(case.FOLDER)
                if pid not in others]

    with contextlib.suppress(child.Failure):
        child.until(lambda: not left(), 'its end', 20)
    for pid in left():
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    child.until(lambda: not left(), 'the browser is gone', case.LIMIT)
