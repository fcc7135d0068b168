package main

import "syscall/js"

var process = js.Global().Get("process")

// cpu returns the processor time of this process in milliseconds.
func cpu() float64 {
	u := process.Call("cpuUsage")
	return (u.Get("user").Float() + u.Get("system").Float()) / 1000
}
