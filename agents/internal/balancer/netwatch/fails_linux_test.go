package netwatch

import (
	"testing"
	"time"
)

func TestAWatchThatFailsHasAnError(t *testing.T) {
	started, err := Start("lo", func(Change) {})
	if err != nil {
		t.Fatal(err)
	}
	if err := started.Err(); err != nil {
		t.Errorf("at first: %v", err)
	}
	started.(*watch).socket.Close()
	for began := time.Now(); started.Err() == nil; time.Sleep(time.Millisecond) {
		if time.Since(began) > 10*time.Second {
			t.Fatal("it can't receive, and has no error")
		}
	}
	if err := started.Close(); err != nil {
		t.Error(err)
	}
}
