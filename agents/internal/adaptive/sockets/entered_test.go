package sockets

import (
	"testing"
	"time"
)

func TestConnectionsFromOutsideAreThoseOfTheTimeOfFigures(t *testing.T) {
	began := time.Now()
	var e entered
	if got := e.at(1, began); got != 0 {
		t.Errorf("before the first read: %d", got)
	}
	for i := range uint64(enteredMost + 2) {
		e.add(enteredRead{time: began.Add(time.Duration(i) * time.Second), open: []uint64{0, i}})
	}
	for _, test := range []struct {
		name string
		slot uint32
		at   time.Duration
		want uint64
	}{
		{"at a read", 1, 5 * time.Second, 5},
		{"between two reads", 1, 5*time.Second + time.Millisecond, 5},
		{"after the last one", 1, time.Minute, 9},
		{"before the oldest that is kept", 1, 0, 2},
		{"a place that is newer", 7, 5 * time.Second, 0},
	} {
		if got := e.at(test.slot, began.Add(test.at)); got != test.want {
			t.Errorf("%s: %d, want %d", test.name, got, test.want)
		}
	}
}
