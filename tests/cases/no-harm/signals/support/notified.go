// SPDX-License-Identifier: GPL-2.0-or-later

// A Go program that asks for SIGTRAP and runs commands; used by notified.py.
// It makes the same calls in each run, and writes the signals that it received.
package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"sync"
	"syscall"
)

//go:noinline
func work(x int) int { return x + 1 }

func sum(add *sync.WaitGroup, to *int) {
	defer add.Done()
	for i := 0; i < 50; i++ {
		*to += work(i)
	}
}

func all(got chan os.Signal) {
	var threads sync.WaitGroup
	var sums [4]int

	for i := range sums {
		threads.Add(1)
		go sum(&threads, &sums[i])
	}
	for i := 0; i < 20; i++ {
		syscall.Kill(os.Getpid(), syscall.SIGTRAP)
		fmt.Println(<-got)
	}
	threads.Wait()
	out, err := exec.Command("/bin/echo", "child").Output()
	fmt.Println(sums, string(out), err)
}

func main() {
	got := make(chan os.Signal, 64)

	signal.Notify(got, syscall.SIGTRAP)
	fmt.Println("ready")
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		if in.Text() != "go" {
			break
		}
		all(got)
		fmt.Println("done")
	}
	// After Reset, Go's runtime handles SIGTRAP as it does by default.
	signal.Reset(syscall.SIGTRAP)
	work(1)
	os.Exit(3)
}
