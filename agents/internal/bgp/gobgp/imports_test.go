package gobgp_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// An implementation without gobgp would replace only this package.
func TestOnlyThisPackageImportsGobgp(t *testing.T) {
	const module, here = "github.com/osrg/gobgp/", "internal/bgp/gobgp/"
	known := 0
	err := filepath.WalkDir("../../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, one := range file.Imports {
			if !strings.HasPrefix(strings.Trim(one.Path.Value, `"`), module) {
				continue
			}
			known++
			if !strings.Contains(filepath.ToSlash(path), here) {
				t.Errorf("%s imports %s", path, one.Path.Value)
			}
		}
		return nil
	})
	if err != nil || known == 0 {
		t.Errorf("found %d imports of gobgp, %v", known, err)
	}
}
