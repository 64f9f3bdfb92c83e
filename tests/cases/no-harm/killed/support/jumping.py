# SPDX-License-Identifier: GPL-2.0-or-later
"""The running program jumps.c, whose threads call f1, f2 and f3 all the time."""
import case


class Subject:
    def __init__(self):
        self.child = case.start(case.build(case.SUPPORT / 'jumps.c'))
        self.child.wait_for('ready')
        self.pid = self.child.pid
        self.number = 0

    def goes_round(self):
        """The program calls the functions, and its threads run on."""
        self.number += 1
        self.child.say(str(self.number))
        self.child.wait_for(f'{self.number} done')

    def jumps(self):
        """How many functions have a jump now."""
        return sum(change.endswith('became e9')
                   for change in case.text_changes(self.pid))

    def restored(self):
        """Waits until the program's text is as in its file."""
        case.until(lambda: not case.text_changes(self.pid),
                   'the text is as before')

    def stop(self):
        self.child.say('stop')
        case.finish(self.child)
