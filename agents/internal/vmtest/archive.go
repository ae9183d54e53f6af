package vmtest

import (
	"fmt"
	"io"
	"os"
	"path"
)

// archive writes a cpio archive in the format that a kernel unpacks ("newc").
type archive struct {
	to    io.Writer
	made  map[string]bool
	count int
	err   error // the first
}

const (
	typeFolder = 0o040755
	typeFile   = 0o100755
)

func (a *archive) folder(name string) {
	if a.made == nil {
		a.made = map[string]bool{}
	}
	if !a.made[name] {
		a.made[name] = true
		a.write(name, typeFolder, nil)
	}
}

// parents adds the folders above a file.
func (a *archive) parents(name string) {
	if parent := path.Dir(name); parent != "." {
		a.parents(parent)
		a.folder(parent)
	}
}

func (a *archive) file(name, from string) {
	content, err := os.ReadFile(from)
	if err != nil && a.err == nil {
		a.err = err
	}
	a.write(name, typeFile, content)
}

func (a *archive) end() error {
	a.write("TRAILER!!!", 0, nil)
	return a.err
}

// write adds an entry. Name and content each end at a multiple of 4 bytes.
func (a *archive) write(name string, mode int, content []byte) {
	a.count++
	header := fmt.Sprintf("070701%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X", a.count, mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(name)+1, 0)
	for _, part := range [][]byte{pad(append([]byte(header+name), 0)), pad(content)} {
		if a.err == nil {
			_, a.err = a.to.Write(part)
		}
	}
}

func pad(content []byte) []byte {
	for len(content)%4 != 0 {
		content = append(content, 0)
	}
	return content
}
