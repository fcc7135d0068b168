package broken

var x int = "not a number"
