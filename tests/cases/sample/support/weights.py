# SPDX-License-Identifier: GPL-2.0-or-later
"""The weights of samples, and what chance makes of a share that they tell."""
import json
import math


def of_threads(path):
    """tid -> the weights of its samples, of a file that --json has written."""
    found = {}
    for line in path.read_text().splitlines():
        event = json.loads(line)
        if event['event'] == 'sample':
            found.setdefault(event['tid'], []).append(event['weight'])
    return found


def deviation(share, weights):
    """The standard deviation of a share of the time, if each sample stands for
    its weight. A sample that xtrace takes late, because it waits for a CPU,
    weighs more than others, and the share is then less exact."""
    squares = sum(weight * weight for weight in weights)
    return math.sqrt(share * (1 - share) * squares) / sum(weights)
