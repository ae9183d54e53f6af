package agent

import (
	"os"
	"path/filepath"
	"testing"

	"google.golang.org/protobuf/proto"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

func TestALastGoodConfigIsReadAsWritten(t *testing.T) {
	want := &agentv1.NodeConfig{Revision: 3, Digest: "d", Node: &agentv1.NodeRole{ExcludedInterfaces: []string{"veth*"}}}
	store := lastGood{folder: t.TempDir()}
	if err := store.save(want); err != nil {
		t.Fatal(err)
	}
	got, err := store.load()
	if err != nil || !proto.Equal(got, want) {
		t.Fatalf("got %v, %v", got, err)
	}
}

// A config has keys of services.
func TestOnlyTheAgentsUserReadsALastGoodConfig(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, lastGoodFile)
	for _, earlier := range []string{path, path + ".new"} { // as another version or a crash left them
		if err := os.WriteFile(earlier, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := (lastGood{folder: folder}).save(&agentv1.NodeConfig{Revision: 3}); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(folder)
	if err != nil || len(files) != 1 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	if info, err := files[0].Info(); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

// What can't be read is set aside, and has keys, too.
func TestOnlyTheAgentsUserReadsADamagedConfig(t *testing.T) {
	store := lastGood{folder: t.TempDir()}
	if err := store.save(&agentv1.NodeConfig{Revision: 3}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(store.folder, lastGoodFile)
	if err := os.WriteFile(path, []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := store.load(); err == nil {
		t.Fatal("read")
	}
	if info, err := os.Stat(path + ".damaged"); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}

func TestEveryTruncatedLastGoodConfigIsNoticed(t *testing.T) {
	whole, err := formatLastGood(&agentv1.NodeConfig{Revision: 3, Digest: "d"})
	if err != nil {
		t.Fatal(err)
	}
	for length := range len(whole) {
		if _, err := parseLastGood(whole[:length]); err == nil {
			t.Fatalf("the first %d of %d bytes were accepted", length, len(whole))
		}
	}
}

func FuzzParseLastGood(f *testing.F) {
	whole, err := formatLastGood(&agentv1.NodeConfig{Revision: 3, Digest: "d"})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add([]byte(lastGoodHeader))
	f.Fuzz(func(t *testing.T, data []byte) {
		config, err := parseLastGood(data)
		if (config == nil) == (err == nil) {
			t.Fatalf("config %v, err %v", config, err)
		}
		if err != nil {
			return
		}
		again, err := formatLastGood(config)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parseLastGood(again); err != nil {
			t.Fatalf("what was read can't be written: %v", err)
		}
	})
}
