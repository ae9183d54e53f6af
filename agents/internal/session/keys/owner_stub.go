//go:build !unix

package keys

import (
	"io/fs"
	"os"
)

type owner struct{}

func ownerOf(folder string) (owner, error) {
	_, err := os.Stat(folder)
	return owner{}, err
}

func (owner) has(fs.FileInfo) bool { return true }

func (owner) give(*os.File) error { return nil }
