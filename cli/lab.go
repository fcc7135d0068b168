//go:build !js

package cli

import "errors"

// lab is the hook for the lab's commands.
func (a *app) lab([]string) error {
	return errors.New("the lab has no commands yet: call lab.Run in a test")
}
