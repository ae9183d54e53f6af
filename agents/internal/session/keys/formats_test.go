package keys

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var (
	servers        = []string{"a", "b", "c"}
	epoch1, epoch2 = NewEpoch(1), NewEpoch(2)
)

func lines(file File) []string { return strings.Fields(string(file.Content.reveal())) }

func TestNginxGetsAFileForEachKeyItsOwnFirst(t *testing.T) {
	folder := t.TempDir()
	if err := WriteNginx(folder, For("a", servers, epoch1)); err != nil {
		t.Fatal(err)
	}
	if err := WriteNginx(folder, For("a", servers, epoch2)); err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	for _, id := range servers {
		path := filepath.Join(folder, "ticket-"+epoch2.Name(id).String()+".key")
		want.WriteString("ssl_session_ticket_key " + path + ";\n")
		key, err := os.ReadFile(path)
		name := epoch2.Name(id)
		if err != nil || !bytes.Equal(key, slices.Concat(name[:], epoch2.secret.reveal())) || len(key) != 80 {
			t.Errorf("key of %s: %d bytes, %v", id, len(key), err)
		}
	}
	if got, err := os.ReadFile(filepath.Join(folder, nginxInclude)); err != nil || string(got) != want.String() {
		t.Errorf("directives %s, %v, want %s", got, err, want.String())
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 4 {
		t.Errorf("files %v, %v: keys of the old epoch must not stay", entries, err)
	}
	for _, entry := range entries {
		if info, err := entry.Info(); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v, %v", entry.Name(), info.Mode(), err)
		}
	}
}

// A pattern of the standard library would read the brackets of the folder's name as a set of characters.
func TestOldKeysOfNginxAreRemovedFromAnyFolder(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "site[1]")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := WriteNginx(folder, For("a", servers, epoch1)); err != nil {
		t.Fatal(err)
	}
	interrupted := filepath.Join(folder, "ticket-"+epoch1.Name("a").String()+".key.new")
	others := []string{"ticket-list.txt", "server.key"}
	for _, path := range []string{interrupted, filepath.Join(folder, others[0]), filepath.Join(folder, others[1])} {
		if err := os.WriteFile(path, []byte("a secret"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := WriteNginx(folder, For("a", servers, epoch2)); err != nil {
		t.Fatal(err)
	}
	want := append(others, nginxInclude)
	for _, id := range servers {
		want = append(want, "ticket-"+epoch2.Name(id).String()+".key")
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, entry := range entries {
		got = append(got, entry.Name())
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("files %v, want %v", got, want)
	}
}

func TestAnInterruptedWriteLeavesNginxWithItsOldKeys(t *testing.T) {
	folder := t.TempDir()
	if err := WriteNginx(folder, For("a", servers, epoch1)); err != nil {
		t.Fatal(err)
	}
	// A folder in the way of the temporary file: the keys are written, but not the directives.
	obstacle := filepath.Join(folder, nginxInclude+".new")
	if err := os.MkdirAll(filepath.Join(obstacle, "in-the-way"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := WriteNginx(folder, For("a", servers, epoch2)); err == nil {
		t.Fatal("no error")
	}
	for _, file := range Nginx(folder, For("a", servers, epoch1)) {
		if got, err := os.ReadFile(file.Path); err != nil || !bytes.Equal(got, file.Content.reveal()) {
			t.Errorf("%s: %v", file.Path, err)
		}
	}
	if err := os.RemoveAll(obstacle); err != nil {
		t.Fatal(err)
	}
	if err := WriteNginx(folder, For("a", servers, epoch2)); err != nil {
		t.Fatal(err)
	}
	if old, err := filepath.Glob(filepath.Join(folder, "ticket-"+epoch1.Name("a").String()+"*")); err != nil || len(old) != 0 {
		t.Errorf("old keys %v, %v", old, err)
	}
}

func TestEnvoyGetsASecretThatItsSchemaHas(t *testing.T) {
	file, err := Envoy("keys", "tickets", For("a", servers, epoch1, epoch2))
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Resources []struct {
			Type string `json:"@type"`
			Name string `json:"name"`
			Keys struct {
				Keys []struct {
					Bytes []byte `json:"inline_bytes"`
				} `json:"keys"`
			} `json:"session_ticket_keys"`
		} `json:"resources"`
	}
	decoder := json.NewDecoder(bytes.NewReader(file.Content.reveal()))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&got); err != nil {
		t.Fatal(err)
	}
	if len(got.Resources) != 1 || got.Resources[0].Name != "tickets" || len(got.Resources[0].Keys.Keys) != 6 {
		t.Fatalf("%d resources", len(got.Resources))
	}
	name := epoch1.Name("a")
	for i, key := range got.Resources[0].Keys.Keys {
		if len(key.Bytes) != 80 || bytes.HasPrefix(key.Bytes, name[:]) != (i == 0) {
			t.Errorf("key %d has %d bytes", i, len(key.Bytes))
		}
	}
}

func TestNodeHasOneKeyAndNamesTheOthers(t *testing.T) {
	file, rejected := Node("keys", For("b", servers, epoch1, epoch2))
	name := epoch1.Name("b")
	if !bytes.Equal(file.Content.reveal(), slices.Concat(name[:], epoch1.secret.reveal()[:32])) || len(rejected) != 5 {
		t.Errorf("%d bytes, %d rejected", len(file.Content.reveal()), len(rejected))
	}
}

func TestHAProxyEncryptsWithTheLastKeyButOne(t *testing.T) {
	key := func(epoch Epoch, id string) string {
		return base64.StdEncoding.EncodeToString(epoch.key(id).bytes(secretBytes))
	}
	ownOld, own, next := key(epoch1, "a"), key(epoch2, "a"), key(epoch2, "a")
	tests := []struct {
		name     string
		server   Server
		size     int
		want     []string
		rejected int
	}{
		{"idle, and one other key fits", For("a", servers, epoch1), 3, []string{key(epoch1, "b"), ownOld, ownOld}, 1},
		{"adding", For("a", servers, epoch1, epoch2), 3, []string{key(epoch1, "b"), ownOld, next}, 3},
		{"switching: its own old key is the first that fits", For("a", servers, epoch2, epoch1), 3, []string{ownOld, own, own}, 4},
		{"one server", For("a", nil, epoch1), 3, []string{ownOld, ownOld, ownOld}, 0},
		{"a large ring", For("a", servers, epoch1), 5, []string{ownOld, key(epoch1, "c"), key(epoch1, "b"), ownOld, ownOld}, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			file, rejected := HAProxy("keys", test.server, test.size)
			if got := lines(file); !slices.Equal(got, test.want) || len(rejected) != test.rejected {
				t.Errorf("%d rejected, lines %v, want %v", len(rejected), got, test.want)
			}
		})
	}
}

func TestHAProxyRotatesAtRunTimeWithoutAnotherServersKeyFirst(t *testing.T) {
	for _, size := range []int{3, 4, 8} {
		ring := haproxyRing(For("a", servers, epoch1), size)
		for _, step := range []struct {
			phase  string
			epochs []Epoch
		}{{"adding", []Epoch{epoch1, epoch2}}, {"adding again", []Epoch{epoch1, epoch2}}, {"switching", []Epoch{epoch2, epoch1}}, {"idle", []Epoch{epoch2}}} {
			server := For("a", servers, step.epochs...)
			added, err := pushes(ring, server)
			if err != nil {
				t.Fatalf("ring of %d, %s: %v", size, step.phase, err)
			}
			for _, key := range added {
				ring = append(slices.Clone(ring[1:]), key)
				if encrypting(ring).Server != "a" {
					t.Fatalf("ring of %d, %s: encrypts with the key of %s", size, step.phase, encrypting(ring).Server)
				}
				if _, err := pushes(ring, server); err != nil {
					t.Fatalf("ring of %d, %s: can't continue after an interruption: %v", size, step.phase, err)
				}
			}
			if !encrypting(ring).Equal(server.Own) {
				t.Errorf("ring of %d, %s: encrypts with %v", size, step.phase, encrypting(ring))
			}
			for _, epoch := range []Epoch{epoch1, epoch2} {
				wanted := slices.ContainsFunc(step.epochs, func(one Epoch) bool { return one.Number == epoch.Number })
				if holds(ring, epoch.key("a")) != wanted {
					t.Errorf("ring of %d, %s: has its key of epoch %d: %v", size, step.phase, epoch.Number, !wanted)
				}
			}
			if again, err := pushes(ring, server); err != nil || len(again) != 0 {
				t.Errorf("ring of %d, %s: %d more keys, %v", size, step.phase, len(again), err)
			}
		}
	}
}

func TestHAProxyIsReloadedWhereNoOrderIsSafe(t *testing.T) {
	foreign := For("b", servers, epoch1).Own
	adding := For("a", servers, epoch1, epoch2)
	for name, ring := range map[string][]Key{
		"its last key is another server's": {adding.Own, adding.Own, foreign},
		"it has only two keys":             {adding.Own, adding.Own},
	} {
		if added, err := pushes(ring, adding); !errors.Is(err, ErrReload) {
			t.Errorf("%s: adds %v, %v", name, added, err)
		}
	}
}
