module github.com/foretick/foretick

go 1.26
