// Heavy is a program that is too large for a page, whatever is done about it.
package main

import (
	"fmt"
	"net/http"
)

func main() {
	r, err := http.Get("/")
	fmt.Println(r, err)
}
