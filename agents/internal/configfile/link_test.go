package configfile_test

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fairlead.dev/agents/internal/configfile"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// follow runs a link on a file in its own folder.
func follow(t *testing.T, from uint64) (*configfile.Link, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.json")
	link := configfile.New(path, slog.New(slog.DiscardHandler))
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- link.Run(ctx, from) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return link, path
}

// replace writes a temporary file and renames it.
func replace(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path+".new", []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
}

func next(t *testing.T, link *configfile.Link) *agentv1.NodeConfig {
	t.Helper()
	select {
	case config := <-link.Configs():
		return config
	case <-time.After(10 * time.Second):
		t.Fatal("no config came")
		return nil
	}
}

// warning waits until the file's warning contains these words.
func warning(t *testing.T, link *configfile.Link, want string) {
	t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for {
		report := &agentv1.ReportRequest{}
		link.Report(report)
		warnings := strings.Join(report.Warnings, " ")
		if strings.Contains(warnings, want) && (want != "" || warnings == "") {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("got %q, want %q", warnings, want)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func TestEachReplacedFileYieldsOneConfig(t *testing.T) {
	link, path := follow(t, 7)
	warning(t, link, "no such file")
	replace(t, path, `{"balancer": {"engine": "tcx", "aFieldFromTheFuture": 1}}`)
	if got := next(t, link); got.GetRevision() != 8 || got.GetBalancer().GetEngine() != "tcx" {
		t.Fatalf("got %v", got)
	}
	warning(t, link, "")
	start := time.Now()
	replace(t, path, `{"balancer": {"engine": "ipvs"}}`)
	if got := next(t, link); got.GetRevision() != 9 || got.GetBalancer().GetEngine() != "ipvs" {
		t.Fatalf("got %v", got)
	}
	t.Logf("detected after %v", time.Since(start))
	replace(t, path, `{"revision": "20"}`)
	if got := next(t, link); got.GetRevision() != 20 {
		t.Fatalf("got %v", got)
	}
}

func TestAnInvalidFileChangesNothingAndIsReported(t *testing.T) {
	link, path := follow(t, 0)
	replace(t, path, `{"revision": "5"}`)
	next(t, link)
	for _, test := range []struct{ content, want string }{
		{"", "it is empty"},
		{`{"revision": 5`, "not a NodeConfig in JSON"},
		{`{"revision": 4}`, "its revision 4 is not newer than the active 5"},
		{`{"revision": 5}`, "its revision 5 is not newer than the active 5"},
	} {
		replace(t, path, test.content)
		warning(t, link, test.want)
		select {
		case config := <-link.Configs():
			t.Fatalf("%q gave %v", test.content, config)
		default:
		}
	}
	replace(t, path, `{"revision": "5"}`) // as before
	warning(t, link, "")
	replace(t, path, `{"revision": 6}`)
	if got := next(t, link); got.GetRevision() != 6 {
		t.Fatalf("got %v", got)
	}
	warning(t, link, "")
}

// Kubernetes mounts a symbolic link to a folder that it replaces.
func TestAFileBehindAReplacedSymlink(t *testing.T) {
	folder := t.TempDir()
	for name, content := range map[string]string{"1": `{"revision": 1}`, "2": `{"revision": 2}`} {
		if err := os.MkdirAll(filepath.Join(folder, name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name, "config.json"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	point := func(at string) {
		if err := os.Symlink(at, filepath.Join(folder, "..tmp")); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(filepath.Join(folder, "..tmp"), filepath.Join(folder, "..data")); err != nil {
			t.Fatal(err)
		}
	}
	point("1")
	path := filepath.Join(folder, "config.json")
	if err := os.Symlink("..data/config.json", path); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	link := configfile.New(path, slog.New(slog.NewTextHandler(&log, nil)))
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- link.Run(ctx, 0) }()
	first := next(t, link).GetRevision()
	point("2")
	second := next(t, link).GetRevision()
	cancel()
	if err := <-done; err != nil || first != 1 || second != 2 {
		t.Fatalf("got %d and %d, %v\n%s", first, second, err, log.String())
	}
}
