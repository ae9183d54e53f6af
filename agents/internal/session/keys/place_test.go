package keys

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// snapshot returns what readers of a folder would notice.
func snapshot(t *testing.T, folder string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil {
			t.Fatal(err)
		}
		content, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		found[entry.Name()] = info.Mode().String() + info.ModTime().Format(time.RFC3339Nano) + string(content)
	}
	return found
}

func apply(t *testing.T, p Place, server Server, want bool) {
	t.Helper()
	applied, err := p.Apply(t.Context(), server)
	if err != nil || applied.Changed != want {
		t.Fatalf("%s: changed %t, %v", p.Software, applied.Changed, err)
	}
}

func TestKeysAreWrittenOnlyWhereTheyDiffer(t *testing.T) {
	for _, software := range All {
		t.Run(string(software), func(t *testing.T) {
			p := Place{Software: software, Folder: t.TempDir()}
			apply(t, p, For("a", servers, epoch1), true)
			written := snapshot(t, p.Folder)
			apply(t, p, For("a", servers, epoch1), false)
			if now := snapshot(t, p.Folder); !reflect.DeepEqual(now, written) {
				t.Errorf("equal keys were written again")
			}
			for name := range written {
				path := filepath.Join(p.Folder, name)
				for what, damage := range map[string]func() error{
					"removed":       func() error { return os.Remove(path) },
					"changed":       func() error { return os.WriteFile(path, make([]byte, len(written[name])), 0o600) },
					"readable":      func() error { return os.Chmod(path, 0o644) },
					"another owner": func() error { return os.Chown(path, 12345, 12345) },
					"a link":        func() error { _ = os.Remove(path); return os.Symlink("/dev/null", path) },
				} {
					if err := damage(); err != nil {
						t.Fatal(err)
					}
					if applied, err := p.Apply(t.Context(), For("a", servers, epoch1)); err != nil || !applied.Changed {
						t.Errorf("%s %s: changed %t, %v", name, what, applied.Changed, err)
					}
					for file, now := range snapshot(t, p.Folder) {
						if !strings.HasPrefix(now, "-rw-------") || !strings.HasSuffix(now, written[file][len("-rw-------")+len(time.RFC3339Nano):]) {
							t.Errorf("%s isn't as before after %s was %s", file, name, what)
						}
					}
				}
			}
			apply(t, p, For("a", servers, epoch2), true)
			for name := range snapshot(t, p.Folder) {
				if strings.Contains(name, epoch1.Name("a").String()) {
					t.Errorf("%s of the old epoch stays", name)
				}
			}
		})
	}
}

// nginx is reloaded when the file that lists its keys is replaced.
func TestTheWatchedFileIsReplacedAfterAnyKey(t *testing.T) {
	p := Place{Software: ForNginx, Folder: t.TempDir()}
	apply(t, p, For("a", servers, epoch1), true)
	before := snapshot(t, p.Folder)[nginxInclude]
	if err := os.Remove(filepath.Join(p.Folder, "ticket-"+epoch1.Name("b").String()+".key")); err != nil {
		t.Fatal(err)
	}
	time.Sleep(10 * time.Millisecond) // file systems have coarse clocks
	apply(t, p, For("a", servers, epoch1), true)
	if snapshot(t, p.Folder)[nginxInclude] == before {
		t.Error("the file with the directives wasn't replaced")
	}
}

func TestFilesBelongToTheOwnerOfTheirFolder(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files to others")
	}
	p := Place{Software: ForNode, Folder: t.TempDir()}
	if err := os.Chown(p.Folder, 12345, 54321); err != nil {
		t.Fatal(err)
	}
	apply(t, p, For("a", servers, epoch1), true)
	info, err := os.Stat(filepath.Join(p.Folder, binaryFile))
	if err != nil || !(owner{12345, 54321}).has(info) {
		t.Errorf("owner %+v, %v", of(info), err)
	}
	apply(t, p, For("a", servers, epoch1), false)
}

func TestAnErrorHasTheCure(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		place Place
		want  string
	}{
		"a missing folder":  {Place{Software: ForGo, Folder: folder + "/none"}, "the folder " + folder + "/none doesn't exist on this node: create it"},
		"a file":            {Place{Software: ForGo, Folder: file}, file + " isn't a folder: set a folder"},
		"no HAProxy":        {Place{Software: ForHAProxy, Folder: folder, Socket: folder + "/socket"}, "no such file or directory: start HAProxy, or set the path of its stats socket"},
		"another software":  {Place{Software: "apache", Folder: folder}, `there is no software "apache"`},
		"missing for nginx": {Place{Software: ForNginx, Folder: folder + "/none"}, "doesn't exist on this node: create it"},
	} {
		if _, err := c.place.Apply(t.Context(), For("a", servers, epoch1)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := os.Stat(filepath.Join(folder, haproxyFile)); err != nil {
		t.Errorf("HAProxy has no keys for its next start: %v", err)
	}
}

func TestALimitationHasTheCure(t *testing.T) {
	p := Place{Software: ForHAProxy, Folder: t.TempDir()}
	applied, err := p.Apply(t.Context(), For("a", servers, epoch1))
	if got := applied.Limitation(); err != nil || !strings.Contains(got, "has 3 slots for ticket keys, which are too few for those of one other server") || !strings.Contains(got, "TLS_TICKETS_NO of 4 or more") {
		t.Errorf("%q, %v", got, err)
	}
	if applied, err = p.Apply(t.Context(), For("a", servers[:2], epoch1)); err != nil || applied.Limitation() != "" {
		t.Errorf("%q, %v", applied.Limitation(), err)
	}
	reload := Applied{Reload: []Key{epoch1.key("b"), epoch2.key("b"), epoch1.key("c")}}
	if got := reload.Limitation(); !strings.Contains(got, "the tickets of 2 other servers only after a reload: reload it") {
		t.Error(got)
	}
}

// The own keys of another epoch come first: software with few slots needs them most.
func TestOwnKeysComeFirst(t *testing.T) {
	mixed := For("a", servers, epoch2, epoch1)
	mixed.Accept = append(mixed.Accept[1:], mixed.Accept[0])
	if got := mixed.withOwnFirst(); !got.Accept[0].Equal(epoch1.key("a")) || len(got.Accept) != 5 {
		t.Errorf("%v", got.Accept)
	}
}

func TestAPathIsQuotedForNginx(t *testing.T) {
	for path, want := range map[string]string{"/run/a-b.key": "/run/a-b.key", `/run/a b";{}\`: `"/run/a b\";{}\\"`} {
		if got := quoted(path); got != want {
			t.Errorf("%s: %s", path, got)
		}
	}
}
