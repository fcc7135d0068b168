package record

import (
	"fmt"
	"io"
)

func Print(w io.Writer, r io.Reader, n *int) error {
	fmt.Print(1)           // want `fmt.Print: a pure package`
	fmt.Printf("")         // want `fmt.Printf: a pure package`
	fmt.Println()          // want `fmt.Println: a pure package`
	fmt.Fprint(w, 1)       // want `fmt.Fprint: a pure package`
	fmt.Fprintf(w, "")     // want `fmt.Fprintf: a pure package`
	fmt.Fprintln(w)        // want `fmt.Fprintln: a pure package`
	fmt.Scan(n)            // want `fmt.Scan: a pure package`
	fmt.Fscanf(r, "%d", n) // want `fmt.Fscanf: a pure package`
	fmt.Sscan("1", n)      // want `fmt.Sscan: a pure package`
	return fmt.Errorf("%s %w", fmt.Sprint(1), io.EOF)
}
