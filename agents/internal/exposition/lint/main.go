// Command lint reads a metrics page from standard input and prints its problems, one per line. The
// control plane's tests run it on pages of processes in Node.
package main

import (
	"fmt"
	"io"
	"os"

	"fairlead.dev/agents/internal/exposition/expositiontest"
)

func main() {
	page, err := io.ReadAll(os.Stdin)
	if err == nil {
		var problems []string
		problems, err = expositiontest.Problems(string(page))
		for _, problem := range problems {
			fmt.Println(problem)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
