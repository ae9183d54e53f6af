package keys

import (
	"fmt"
	"path/filepath"
	"strings"
)

const (
	// nginxInclude is the file with the directives, which nginx's configuration includes.
	nginxInclude = "tickets.conf"
	// The files of keys have a name between these.
	nginxKeyPrefix, nginxKeySuffix = "ticket-", ".key"
)

// Nginx returns the files for nginx: one of 80 bytes for each key, and the directives that list them,
// the server's own first. nginx encrypts with the first, accepts all, and reads them when it reloads.
func Nginx(folder string, server Server) []File {
	var files []File
	var directives strings.Builder
	for _, key := range server.all() {
		path := filepath.Join(folder, nginxKeyPrefix+key.Name.String()+nginxKeySuffix)
		files = append(files, File{Path: path, Content: hide(key.bytes(secretBytes))})
		fmt.Fprintf(&directives, "ssl_session_ticket_key %s;\n", quoted(path))
	}
	// Last, so that it never lists a file that is missing.
	return append(files, File{Path: filepath.Join(folder, nginxInclude), Content: hide([]byte(directives.String()))})
}

// WriteNginx writes these files, unless they are as they should be, and removes those of keys that aren't
// used any more.
func WriteNginx(folder string, server Server) error {
	_, err := replaceNginx(folder, server)
	return err
}

func replaceNginx(folder string, server Server) (changed bool, err error) {
	files := Nginx(folder, server)
	if changed, err = replace(files...); err != nil {
		return changed, err
	}
	pruned, err := prune(folder, files)
	return changed || pruned, err
}

// isKeyFile reports whether a file has a key, or is a temporary one of package atomicfile.
func isKeyFile(name string) bool {
	return strings.HasPrefix(name, nginxKeyPrefix) && strings.HasSuffix(strings.TrimSuffix(name, ".new"), nginxKeySuffix)
}

// quoted returns a path as a directive's argument.
func quoted(path string) string {
	if !strings.ContainsAny(path, " ;{}\"'\\#$") {
		return path
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(path) + `"`
}
