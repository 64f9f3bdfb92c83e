# SPDX-License-Identifier: GPL-2.0-or-later
"""A terminal with a program in it: tmux, whose screen is read."""
import case


class Screen:
    """Runs a line of sh on a terminal. When xtrace has ended, `ended STATUS` is
    on the screen, and the line `settings same` if the terminal has the settings
    that it had before."""
    count = 0

    def __init__(self, line, width=80, height=24, env=''):
        Screen.count += 1
        self.socket = f'tmux.{Screen.count}'
        self._tmux('-f', '/dev/null', 'new-session', '-d', '-x', str(width),
                   '-y', str(height),
                   'echo began; before=$(stty -g); '
                   f'env {env} {line}; echo "ended $?"; '
                   'if [ "$before" = "$(stty -g)" ]; then echo settings same; '
                   'fi; exec cat')

    def _tmux(self, *words):
        run = case.start('tmux', '-S', self.socket, *words)
        case.equal(run.wait(), 0, f'tmux {words}: {run.err}')
        return run.out

    def lines(self, colors=False):
        return self._tmux('capture-pane', '-p', *['-e'] * colors).splitlines()

    def until(self, condition, what):
        """Waits until the lines of the screen fit; returns the lines."""
        seen = []

        def fits():
            seen[:] = self.lines()
            return condition(seen)
        try:
            case.until(fits, what)
        except case.Failure as fault:
            case.fail(fault, 'the screen:', *seen)
        return seen

    def until_line(self, text):
        """Waits for a line with this text; returns it."""
        lines = self.until(lambda lines: any(text in line for line in lines),
                           f'a line with {text!r}')
        return next(line for line in lines if text in line)

    def keys(self, *keys):
        self._tmux('send-keys', *keys)

    def resize(self, width, height):
        self._tmux('resize-window', '-x', str(width), '-y', str(height))

    def close(self):
        self._tmux('kill-server')

    def ended(self, status):
        """Waits until xtrace has ended; the screen is as it was before."""
        self.until_line('settings same')
        lines = self.lines()
        case.equal(lines[0], 'began', 'the first line of the screen')
        case.true(f'ended {status}' in lines, f'status {status}: {lines}')
        self.close()
        return lines
