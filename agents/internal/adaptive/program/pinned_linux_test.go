package program

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/pins"
	"fairlead.dev/agents/internal/mounttest"
)

func openMaps(t *testing.T, folder string, load func() (*ebpf.CollectionSpec, error)) (map[string]*ebpf.Map, error) {
	t.Helper()
	spec, err := Spec(load)
	if err != nil {
		t.Fatal(err)
	}
	maps, err := OpenMaps(folder, spec)
	t.Cleanup(func() { pins.CloseMaps(maps) })
	return maps, err
}

func TestSocketsReadWhatSignalsCount(t *testing.T) {
	role := filepath.Join(mounttest.BPF(t), "role")
	signals, err := openMaps(t, filepath.Join(role, "signals"), LoadSignals)
	if err != nil {
		t.Fatal(err)
	}
	sockets, err := openMaps(t, filepath.Join(role, "sockets"), LoadSockets)
	if err != nil {
		t.Fatal(err)
	}
	if err := signals[SignalsMapInFlight].Put(uint32(LastNumber), int64(3)); err != nil {
		t.Fatal(err)
	}
	var got int64
	if err := sockets[SocketsMapInFlight].Lookup(uint32(LastNumber), &got); err != nil || got != 3 {
		t.Errorf("%d requests are in flight (%v), want 3", got, err)
	}
}

func TestTheLastObjectRemovesTheFolderOfTheRole(t *testing.T) {
	role := filepath.Join(mounttest.BPF(t), "role")
	signals, sockets := filepath.Join(role, "signals"), filepath.Join(role, "sockets")
	if _, err := openMaps(t, signals, LoadSignals); err != nil {
		t.Fatal(err)
	}
	if _, err := openMaps(t, sockets, LoadSockets); err != nil {
		t.Fatal(err)
	}
	if err := Remove(signals); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(role, inFlight)); err != nil {
		t.Errorf("the shared map, while sockets use it: %v", err)
	}
	if err := Remove(sockets); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(role); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder of the role: %v", err)
	}
}

func TestASharedMapOfAnotherLayoutIsAnError(t *testing.T) {
	role := filepath.Join(mounttest.BPF(t), "role")
	if err := pins.MakeFolder(role); err != nil {
		t.Fatal(err)
	}
	other, err := ebpf.NewMap(&ebpf.MapSpec{Type: ebpf.Array, KeySize: 4, ValueSize: 4, MaxEntries: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if err := other.Pin(filepath.Join(role, inFlight)); err != nil {
		t.Fatal(err)
	}
	if _, err := openMaps(t, filepath.Join(role, "sockets"), LoadSockets); err == nil || !strings.Contains(err.Error(), "remove it by hand") {
		t.Errorf("got %v", err)
	}
}
