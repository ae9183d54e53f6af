package flows

import (
	"testing"
	"time"
)

// A replica that was away waits for nobody's next try: it has new connections soon.
func TestAPeerThatListensAgainIsHeardAtOnce(t *testing.T) {
	stayed := newReplica(t, "127.0.0.1:0", nil)
	back := stayed.comesBack()
	away := newReplica(t, "127.0.0.1:0", nil)
	away.SetPeers([]Peer{{"stayed", stayed.Address()}})
	if !pauseUntil(t.Context(), 10*time.Second, back) {
		t.Fatal("nobody noticed that it is back")
	}
}
