# SPDX-License-Identifier: GPL-2.0-or-later
"""What programs of this folder share: fast queries, and threads."""
import threading


def fast(cursor, count=60):
    for i in range(count):
        cursor.execute(f'SELECT {i} + 1')
        cursor.fetchall()


def in_threads(work):
    """Runs work(number) in three threads at once."""
    threads = [threading.Thread(target=work, args=(i,)) for i in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
