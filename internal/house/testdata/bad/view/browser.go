//go:build js

package view

func browser(m map[int]int) {
	for range m { // want `range over a map`
	}
}
