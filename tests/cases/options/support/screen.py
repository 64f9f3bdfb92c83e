# SPDX-License-Identifier: GPL-2.0-or-later
"""A terminal with a program in it: tmux, whose screen is read."""
import case

# Whether a program uses the whole screen and shows the cursor, where the cursor
# is, and the size of the screen.
STATE = ('#{alternate_on} #{cursor_flag} #{cursor_x} #{cursor_y} '
         '#{pane_width} #{pane_height}')


def is_whole(state):
    """Is the page of --live drawn to its end? ncurses draws the rows from top to
    bottom, in several writes, and may stop for a key. Until the end, the lower
    rows are those of the page before. At the end the cursor is in the last cell
    or, if it is shown, in the last row."""
    page, shown, column, row, width, height = map(int, state.split())
    return not page or (row == height - 1 and (shown or column >= width - 1))


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
                   f'env {env} {line}; printf "\\rended %s\\r\\n" $?; '
                   'if [ "$before" = "$(stty -g)" ]; then echo settings same; '
                   'fi; exec cat')

    def _tmux(self, *words):
        run = case.start('tmux', '-S', self.socket, *words)
        case.equal(run.wait(), 0, f'tmux {words}: {run.err}')
        return run.out

    def lines(self, colors=False):
        """The lines, perhaps of a page that is drawn in part."""
        return self._tmux('capture-pane', '-p', *['-e'] * colors).splitlines()

    def page(self):
        """The lines, or None if a page is drawn in part."""
        *lines, state = self._tmux('capture-pane', '-p', ';',
                                   'display-message', '-p',
                                   STATE).splitlines()
        return lines if is_whole(state) else None

    def until(self, condition, what):
        """Waits until the lines of a whole page fit; returns the lines."""
        seen = []

        def fits():
            lines = self.page()
            seen[:] = lines or seen
            return lines is not None and condition(lines)
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

    def killed(self):
        """Waits until the shell tells that SIGKILL has ended xtrace. The page
        stays on the screen, and the shell writes over it. A newline does not
        begin a row then, because the terminal still has the settings of xtrace.
        """
        case.until(lambda: any('ended 137' in line for line in self.lines()),
                   'xtrace was killed')
        self.close()

    def ended(self, status):
        """Waits until xtrace has ended; the screen is as it was before."""
        self.until_line('settings same')
        lines = self.lines()
        case.equal(lines[0], 'began', 'the first line of the screen')
        case.true(f'ended {status}' in lines, f'status {status}: {lines}')
        self.close()
        return lines
