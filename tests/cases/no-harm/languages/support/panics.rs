// SPDX-License-Identifier: GPL-2.0-or-later
//! Panics unwind traced frames and drop a value. Subject of no-harm/languages.
use std::io::Write;
use std::panic;

static mut DROPPED: u64 = 0;

struct Witness;

impl Drop for Witness {
    fn drop(&mut self) {
        unsafe { DROPPED += 1 }
    }
}

#[no_mangle]
#[inline(never)]
pub fn inner(x: u32) -> u32 {
    if x > 0 {
        panic!("round {}", x);
    }
    x
}

#[no_mangle]
#[inline(never)]
pub fn outer(x: u32) -> u32 {
    let _here = Witness;
    inner(x) + 1
}

fn mark() {
    println!("ready");
    std::io::stdout().flush().unwrap();
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).unwrap();
}

fn main() {
    let words: Vec<u32> = std::env::args().skip(1).map(|w| w.parse().unwrap()).collect();
    let mut caught = 0u64;
    panic::set_hook(Box::new(|_| {}));
    for i in 1..=words[1] {
        if panic::catch_unwind(|| outer(i)).is_err() {
            caught += 1;
        }
        if i == words[0] || i == words[1] {
            mark();
        }
    }
    println!("{} dropped, {} caught", unsafe { DROPPED }, caught);
    std::process::exit(3);
}
