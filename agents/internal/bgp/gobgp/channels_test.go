package gobgp_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/eapache/channels"
)

// gobgp closes channels without draining them: no goroutine may then wait for a reader.
func TestCloseDropsQueuedItems(t *testing.T) {
	channel := channels.NewInfiniteChannel()
	for i := range 3 {
		channel.In() <- i
	}
	if got := []any{<-channel.Out(), channel.Len()}; got[0] != 0 || got[1] != 2 {
		t.Errorf("first item and queue length: %v", got)
	}
	channel.Close()
	for until := time.Now().Add(5 * time.Second); channel.Len() > 0; runtime.Gosched() {
		if time.Now().After(until) {
			t.Fatalf("%d items are still queued", channel.Len())
		}
	}
	if _, open := <-channel.Out(); open {
		t.Error("the channel is still open")
	}
}
