# SPDX-License-Identifier: GPL-2.0-or-later
"""Prints its stack, function TAB file TAB line TAB ..., and waits there."""
import _thread
import sys
import traceback

done = _thread.allocate_lock()


def wait(_):
    words = []
    for at, line in traceback.walk_stack(sys._getframe()):
        words += [at.f_code.co_name, at.f_code.co_filename, str(line)]
    words[2] = str(int(words[2]) + 3)
    sys.stdout.write('\t'.join(words) + '\n'); sys.stdout.flush(); sys.stdin.readline()


class Place:
    def method(self):
        return max([1], key=lambda n: self.deeper(n))

    def deeper(self, n):
        def gen():
            yield (lambda: wait(n))()
        return list(gen())[0] or 1


def far():
    made = {}



    exec(compile('def gr\xfc\xdfe(p):\n\n    return p.method()',
                 '/tmp/\u043f\u0443\u0442\u044c.py', 'exec'), made)
    made['gr\xfc\xdfe'](
        Place())
    done.release()


done.acquire()
_thread.start_new_thread(far, ())
done.acquire()
