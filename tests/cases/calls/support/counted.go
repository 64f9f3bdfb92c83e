// SPDX-License-Identifier: GPL-2.0-or-later

// Goroutines whose stacks grow, and are moved, within calls of work(). They are
// preempted by signals, and continue on other threads. Prints how many calls
// were made.
package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
)

var calls int64

//go:noinline
func work(depth int) int {
	atomic.AddInt64(&calls, 1)
	if depth%7 == 3 {
		runtime.Gosched()
	}
	if depth > 0 {
		return work(depth-1) + 1
	}
	return 1
}

func main() {
	count, _ := strconv.Atoi(os.Args[1])
	var all sync.WaitGroup

	for i := 0; i < 8; i++ {
		all.Add(1)
		go func() {
			defer all.Done()
			for n := 0; n < count; n++ {
				work(n % 60)
			}
		}()
	}
	all.Wait()
	fmt.Println(calls)
}
