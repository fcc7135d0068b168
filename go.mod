module github.com/foretick/foretick

go 1.26

require pgregory.net/rapid v1.3.0

require (
	github.com/coder/websocket v1.8.15
	github.com/google/go-cmp v0.7.0
)
