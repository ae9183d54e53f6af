package gobgp_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/eapache/channels"
)

// What gobgp closes it doesn't read to the end: then nothing may wait for a reader.
func TestAChannelThatIsClosedKeepsNothing(t *testing.T) {
	channel := channels.NewInfiniteChannel()
	for i := range 3 {
		channel.In() <- i
	}
	if got := []any{<-channel.Out(), channel.Len()}; got[0] != 0 || got[1] != 2 {
		t.Errorf("the first that came out, and how many wait: %v", got)
	}
	channel.Close()
	for until := time.Now().Add(5 * time.Second); channel.Len() > 0; runtime.Gosched() {
		if time.Now().After(until) {
			t.Fatalf("%d wait for a reader", channel.Len())
		}
	}
	if _, open := <-channel.Out(); open {
		t.Error("it is still open")
	}
}
