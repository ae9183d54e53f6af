// Package topologies holds the labs that ship with the program.
package topologies

import (
	"embed"
	"fmt"
	"strings"
)

//go:embed *.yaml
var files embed.FS

// Find returns the shipped topology with that name, such as "demo".
func Find(name string) ([]byte, bool) {
	data, err := files.ReadFile(name + ".yaml")
	return data, err == nil
}

// Names lists what ships.
func Names() string {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(fmt.Sprintf("the embedded folder: %v", err)) // compiled in
	}
	var names []string
	for _, entry := range entries {
		names = append(names, strings.TrimSuffix(entry.Name(), ".yaml"))
	}
	return strings.Join(names, ", ")
}
