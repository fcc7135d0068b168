//go:build fault

package view

func tagged(m map[int]int) {
	for range m { // want `range over a map`
	}
}
