package physics

const (
	sleepTicks = 30 // still ticks until a body may sleep; with Asleep it fits into 5 bits
)
