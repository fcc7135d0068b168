package pace

import (
	"iter"
	"maps"
	"math"
	"reflect" // want `reflect belongs to sim`
	"slices"
	"time"
	. "time"
)

const Frame = time.Second / 60

func Clock(d time.Duration) Duration {
	a := time.Now()        // want `time.Now: time comes in`
	d += time.Since(a)     // want `time.Since: time comes in`
	d += Until(a)          // want `time.Until: time comes in`
	time.Sleep(d)          // want `time.Sleep: time comes in`
	<-time.After(d)        // want `time.After: time comes in`
	time.AfterFunc(d, nil) // want `time.AfterFunc: time comes in`
	f := Tick              // want `time.Tick: time comes in`
	f(d)
	time.NewTimer(d)     // want `time.NewTimer: time comes in`
	time.NewTicker(d)    // want `time.NewTicker: time comes in`
	_ = a.In(time.Local) // want `time.Local: time comes in`
	return d.Round(Frame) + time.Duration(math.Exp(1))
}

func Disguised(m map[int]int) int {
	ks := slices.Sorted(maps.Keys(m)) // want `maps.Keys: the order`
	for range maps.Values(m) {        // want `maps.Values: the order`
	}
	for range maps.All(m) { // want `maps.All: the order`
	}
	maps.DeleteFunc(m, nil)                             // want `maps.DeleteFunc: the order`
	maps.EqualFunc[map[int]int, map[int]int](m, m, nil) // want `maps.EqualFunc: the order`
	next, stop := iter.Pull(slices.Values(ks))          // want `iter.Pull: it is a goroutine`
	defer stop()
	next()
	n := maps.Clone(m)
	return len(n) + int(reflect.Int)
}
