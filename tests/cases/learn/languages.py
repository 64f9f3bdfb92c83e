#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Programs of rustc and Go. Rust's functions have their prototypes, except one
that takes a struct by value whose place is not specified. Go's functions have
another calling convention, so their arguments and results are unknown.

NEEDS: rustc go
TIMEOUT: 120
"""
import os
import subprocess

import case

RUST = '''
pub struct Point { pub x: i32, pub y: i32 }
#[no_mangle] #[inline(never)]
pub extern "C" fn add(a: i32, b: u64) -> u64 { a as u64 + b }
#[no_mangle] #[inline(never)]
pub fn greet(name: &str, n: usize) -> usize { name.len() + n }
#[no_mangle] #[inline(never)]
pub fn look(p: &Point, q: f64, c: char, b: bool) -> i32
    { p.x + p.y + q as i32 + c as i32 + b as i32 }
#[no_mangle] #[inline(never)]
pub fn vector(v: Vec<u8>, n: i32) -> i32 { v.len() as i32 + n }
fn main() {
    let p = Point { x: 3, y: 4 };
    let n = add(1, 2) as i32 + greet("world", 7) as i32
        + look(&p, 1.5, 'c', true);
    std::process::exit(n + vector(vec![1, 2, 3], 4) - 130);
}
'''
GO = '''
package main

import "os"

//go:noinline
func add(a int, b string) int { return a + len(b) }

func main() { os.Exit(add(1, "two") - 4) }
'''


def build(name, text, *command):
    (case.FOLDER / name).write_text(text)
    done = subprocess.run([*command, name], cwd=case.FOLDER, text=True,
                          capture_output=True,
                          env={**os.environ, 'HOME': str(case.FOLDER)})
    case.equal(done.returncode, 0, done.stderr)
    return case.FOLDER / 'out'


def calls(program, filters):
    status = case.untraced(program)[0]
    # Go sends itself SIGURG while a call is held. Its line would cut the call's.
    tracer = case.trace('--names', '--no-signals', '-x', filters,
                        command=[program])
    tracer.wait(status)
    return tracer.calls()


def test():
    rust = build('r.rs', RUST, 'rustc', '-g', '-o', 'out')
    case.same(calls(rust, 'add+greet+look+vector'),
              ['add(a=1, b=2) = 3', 'greet(name="world", n=7) = 12',
               "look(p={x=3, y=4}, q=1.5, c='c', b=true) = 108",
               'vector(%hex, 4, %any) = 7'], 'Rust')
    go = build('g.go', GO, 'go', 'build', '-o', 'out')
    case.same(calls(go, 'main.add')[:1], ['main.add(?) = ?'], 'Go')


case.main(test)
