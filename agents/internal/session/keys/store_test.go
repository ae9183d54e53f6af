package keys

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// same compares states. Secrets are functions, which Go can't compare.
func same(a, b Rotation) bool {
	if len(a.Epochs) != len(b.Epochs) {
		return false
	}
	for i := range a.Epochs {
		if a.Epochs[i].Number != b.Epochs[i].Number || !a.Epochs[i].secret.Equal(b.Epochs[i].secret) {
			return false
		}
	}
	a.Epochs, b.Epochs = nil, nil
	return reflect.DeepEqual(a, b)
}

func TestARotationIsLoadedAsItWasSaved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rotation")
	adding := started(t)
	switching := acknowledgeAll(adding, begin)
	withAway := switching.SetMembers([]string{"a"}, nil, begin)
	for name, r := range map[string]Rotation{
		"new": New(epoch1, lifetime, begin), "idle": idle(), "adding": adding.Acknowledge(serverA, adding.Revision, begin),
		"switching": switching, "a server is away": withAway, "retiring": acknowledgeAll(switching, begin),
	} {
		if err := Save(path, r); err != nil {
			t.Fatal(err)
		}
		loaded, err := Load(path)
		if err != nil || !same(loaded, r) {
			t.Errorf("%s: %+v, %v, want %+v", name, loaded, err, r)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("mode %v, %v", info.Mode(), err)
		}
	}
}

func TestAnInvalidFileIsRejectedWithoutItsSecrets(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rotation")
	for text, want := range map[string]string{
		``:                                    "invalid JSON",
		`{"epochs":[{"secret":"c2Vj#`:         "invalid JSON",
		`{"epochs":[{"secret":"c2Vj#cmV0"}]}`: "invalid JSON",
		`{"phase":"other"}`:                   `unknown phase "other"`,
		`{"phase":"adding","epochs":[]}`:      "0 epochs in phase adding, expected 2",
		`{"phase":"idle","epochs":[{"number":7,"secret":"c2VjcmV0"}]}`: "the secret of epoch 7 has 6 bytes, expected 64",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(path); err == nil || !strings.HasSuffix(err.Error(), want) || strings.Contains(err.Error(), "c2Vj") {
			t.Errorf("%s: error %v, want %s", text, err, want)
		}
	}
	if _, err := Load(path + "-none"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}
