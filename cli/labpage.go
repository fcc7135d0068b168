//go:build !js

package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// labPage opens the file of a report, before a match is played for it; nil if
// none is asked for.
func (a *app) labPage(name string) (*os.File, error) {
	if name == "" {
		return nil, nil
	}
	f, err := os.Create(name)
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	if err != nil {
		return nil, fmt.Errorf("-html %s cannot be written: %w", name, err)
	}
	return f, nil
}

// without leaves a flag that takes a value out of a command's arguments.
func without(args []string, name string) (out []string) {
	for i := 0; i < len(args); i++ {
		flag := strings.TrimPrefix(strings.TrimPrefix(args[i], "-"), "-")
		switch {
		case flag == args[i]:
			out = append(out, args[i]) // a value
		case flag == name:
			i++
		case strings.HasPrefix(flag, name+"="):
		default:
			out = append(out, args[i])
		}
	}
	return out
}

// commandLine is what to type into a shell.
func commandLine(command string, args []string) string {
	for _, arg := range args {
		plain := arg != "" && strings.Trim(arg, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=./,:%+@") == ""
		if !plain {
			arg = "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
		}
		command += " " + arg
	}
	return command
}
