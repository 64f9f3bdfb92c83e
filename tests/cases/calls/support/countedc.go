// SPDX-License-Identifier: GPL-2.0-or-later

// Goroutines that call a function in C by cgo. Prints how many calls were made.
package main

/*
__attribute__((noinline)) static int
work_in_c(int x)
{
	__asm__ volatile("");
	return x + 1;
}
*/
import "C"

import (
	"fmt"
	"os"
	"strconv"
	"sync"
)

func main() {
	count, _ := strconv.Atoi(os.Args[1])
	calls := make([]C.int, 8)
	var all sync.WaitGroup

	for i := range calls {
		all.Add(1)
		go func(number *C.int) {
			defer all.Done()
			for n := 0; n < count; n++ {
				*number = C.work_in_c(*number)
			}
		}(&calls[i])
	}
	all.Wait()
	sum := 0
	for _, number := range calls {
		sum += int(number)
	}
	fmt.Println(sum)
}
