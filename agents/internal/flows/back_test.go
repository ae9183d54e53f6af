package flows

import (
	"testing"
	"time"
)

// A replica that returns is contacted at once, without waiting for the next retry: it
// soon has new connections.
func TestAPeerThatReturnsIsContactedAtOnce(t *testing.T) {
	stayed := newReplica(t, "127.0.0.1:0", nil)
	back := stayed.returned()
	away := newReplica(t, "127.0.0.1:0", nil)
	away.SetPeers([]Peer{{"stayed", stayed.Address()}})
	if !pauseUntil(t.Context(), 10*time.Second, back) {
		t.Fatal("its return was not noticed")
	}
}
