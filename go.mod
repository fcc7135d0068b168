module github.com/foretick/foretick

go 1.26

require (
	github.com/coder/websocket v1.8.15 // indirect
	pgregory.net/rapid v1.3.0
)
