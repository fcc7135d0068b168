package ecs

import (
	"unsafe"

	_ "github.com/foretick/foretick/internal/fault"
)

const Size = unsafe.Sizeof(0)

type table map[int]int

func Ranges[M ~map[int]int | ~map[string]int, K map[int]int, S ~[]int](m map[int]int, t table, n M, k K, s S) (sum int) {
	for k := range m { // want `range over a map`
		sum += k
	}
	for range t { // want `range over a map`
		sum++
	}
	for range n { // want `range over a map`
		sum++
	}
	for range k { // want `range over a map`
		sum++
	}
	for range s {
		sum++
	}
	for i := range 3 {
		sum += m[i]
	}
	return sum
}

func Go(c chan int) {
	go func() { c <- 1 }() // want `go: the core has no goroutine`
	select {               // want `select: which case`
	case <-c:
	default:
	}
	println(1) // want `println: a pure package`
	print(2)   // want `print: a pure package`
}

type named struct{}

// Now is nobody's clock.
func (named) Now() {}

func println2() { named{}.Now() }
