package agent

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

func TestALastGoodConfigIsReadAsWritten(t *testing.T) {
	want := &agentv1.NodeConfig{Revision: 3, Digest: "d", Node: &agentv1.NodeRole{ExcludedInterfaces: []string{"veth*"}}}
	store := newLastGood(t.TempDir(), "")
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
	if err := newLastGood(folder, "").save(&agentv1.NodeConfig{Revision: 3}); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(folder)
	if err != nil || len(files) != 2 || files[0].Name() != sealKeyFile || files[1].Name() != lastGoodFile {
		t.Fatalf("files %v, %v", files, err)
	}
	for _, file := range files {
		if info, err := file.Info(); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("mode of %s %v, %v", file.Name(), info.Mode(), err)
		}
	}
}

// What can't be read is set aside, and has keys, too.
func TestOnlyTheAgentsUserReadsADamagedConfig(t *testing.T) {
	store := newLastGood(t.TempDir(), "")
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

// withKeys returns a config with keys, and the keys.
func withKeys() (config *agentv1.NodeConfig, secrets [][]byte) {
	cookie, ticket := bytes.Repeat([]byte("cookie-k"), 8), bytes.Repeat([]byte("ticket-k"), 8)
	return &agentv1.NodeConfig{Revision: 3, Digest: "d", Backend: &agentv1.BackendRole{Servers: []*agentv1.BackendServer{{
		BackendId: "bk_1", Keys: &agentv1.SessionKeys{Current: cookie}, TicketKeys: &agentv1.TicketKeys{Keys: []*agentv1.TicketKey{{Secret: ticket}}},
	}}}}, [][]byte{cookie[:8], ticket[:8]}
}

func TestALastGoodConfigOnDiskHasNoKeyOfAService(t *testing.T) {
	store := newLastGood(t.TempDir(), "")
	want, secrets := withKeys()
	var first []byte
	for range 2 {
		if err := store.save(want); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(store.path())
		if err != nil || bytes.Equal(data, first) {
			t.Fatalf("equal to the one before, or %v", err)
		}
		first = data
		for _, secret := range append(secrets, []byte("bk_1")) {
			if bytes.Contains(data, secret) {
				t.Errorf("%s is in the file", secret)
			}
		}
		if got, err := store.load(); err != nil || !proto.Equal(got, want) {
			t.Fatalf("got %v, %v", got, err)
		}
	}
}

func TestAnUnencryptedConfigOfAnEarlierVersionIsReadAndEncrypted(t *testing.T) {
	store := newLastGood(t.TempDir(), "")
	want, secrets := withKeys()
	message, err := proto.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(message)
	if err := os.WriteFile(store.path(), slices.Concat([]byte(plainHeader), sum[:], message), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if got, err := store.load(); err != nil || !proto.Equal(got, want) {
			t.Fatalf("got %v, %v", got, err)
		}
		if data, err := os.ReadFile(store.path()); err != nil || bytes.Contains(data, secrets[0]) {
			t.Errorf("it is still unencrypted, or %v", err)
		}
	}
}

func TestAConfigIsOnlyReadWithItsKey(t *testing.T) {
	folder, given := t.TempDir(), filepath.Join(t.TempDir(), "key")
	write := func(path string, key []byte) {
		t.Helper()
		if err := os.WriteFile(path, key, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, _ := withKeys()
	write(given, bytes.Repeat([]byte{1}, 64))
	if err := newLastGood(folder, given).save(want); err != nil {
		t.Fatal(err)
	}
	fails := func(store lastGood, words string) {
		t.Helper()
		if got, err := store.load(); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("got %v, %v", got, err)
		}
	}
	fails(newLastGood(folder, ""), "its key "+filepath.Join(folder, sealKeyFile)+" doesn't exist")
	write(given, []byte{1})
	fails(newLastGood(folder, given), "has 1 bytes")
	if err := newLastGood(folder, given).save(want); err == nil {
		t.Error("saved with a short key")
	}
	write(given, bytes.Repeat([]byte{1}, 64))
	if got, err := newLastGood(folder, given).load(); err != nil || !proto.Equal(got, want) {
		t.Errorf("once the key is back: %v, %v", got, err)
	}
	write(given, bytes.Repeat([]byte{2}, 64))
	fails(newLastGood(folder, given), "is damaged, or was encrypted with another key than that of "+given)

}

func TestAKeyOfItsOwnIsCreatedOnlyIfThereIsNone(t *testing.T) {
	store := newLastGood(t.TempDir(), "")
	want, _ := withKeys()
	for what, damage := range map[string]func() error{
		"too short":  func() error { return os.WriteFile(store.key.path, []byte("short"), 0o600) },
		"unreadable": func() error { return os.Symlink(sealKeyFile, store.key.path) },
	} {
		if err := damage(); err != nil {
			t.Fatal(err)
		}
		before, _ := os.Lstat(store.key.path)
		cure := "repair or delete " + store.key.path
		if err := store.save(want); err == nil || !strings.Contains(err.Error(), cure) {
			t.Errorf("with the %s key: %v", what, err)
		}
		if after, err := os.Lstat(store.key.path); err != nil || !os.SameFile(before, after) {
			t.Errorf("the %s key was replaced, or %v", what, err)
		}
		if err := os.Remove(store.key.path); err != nil {
			t.Fatal(err)
		}
		if err := store.save(want); err != nil {
			t.Errorf("once the %s key is deleted: %v", what, err)
		}
		if got, err := store.load(); err != nil || !proto.Equal(got, want) {
			t.Errorf("got %v, %v", got, err)
		}
		if err := os.Remove(store.key.path); err != nil {
			t.Fatal(err)
		}
	}
}

func TestEveryTruncatedOrChangedLastGoodConfigIsNoticed(t *testing.T) {
	store := newLastGood(t.TempDir(), "")
	whole, err := store.format(&agentv1.NodeConfig{Revision: 3, Digest: "d"})
	if err != nil {
		t.Fatal(err)
	}
	for at := range whole {
		if _, err := store.parse(whole[:at]); !errors.Is(err, errCorrupt) {
			t.Fatalf("the first %d of %d bytes: %v", at, len(whole), err)
		}
		changed := bytes.Clone(whole)
		changed[at] ^= 1
		if _, err := store.parse(changed); !errors.Is(err, errCorrupt) {
			t.Fatalf("with byte %d of %d changed: %v", at, len(whole), err)
		}
	}
}

func FuzzParseLastGood(f *testing.F) {
	store := newLastGood(f.TempDir(), "")
	whole, err := store.format(&agentv1.NodeConfig{Revision: 3, Digest: "d"})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add([]byte(lastGoodHeader))
	f.Add([]byte(plainHeader))
	f.Fuzz(func(t *testing.T, data []byte) {
		config, err := store.parse(data)
		if (config == nil) == (err == nil) {
			t.Fatalf("config %v, err %v", config, err)
		}
		if err != nil {
			return
		}
		again, err := store.format(config)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := store.parse(again); err != nil {
			t.Fatalf("what was read can't be written: %v", err)
		}
	})
}
