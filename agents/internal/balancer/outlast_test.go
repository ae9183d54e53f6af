package balancer

import (
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"fairlead.dev/agents/internal/speaker/beside"
)

// The connections of a draining speaker are carried here.
func TestAStoppingReplicaOutlastsTheSpeakerThatDrains(t *testing.T) {
	for _, c := range []struct {
		name    string
		request func(since time.Duration) string // content of the speaker's request, empty when it sends none
		took    time.Duration
	}{
		{"without a speaker", func(time.Duration) string { return "" }, 0},
		{"while its speaker goes on", func(time.Duration) string { return beside.Speaks }, endsWithin},
		{"while its speaker drains", func(since time.Duration) string {
			switch {
			case since < 300*time.Millisecond: // both were stopped at the same time
				return beside.Speaks
			case since < time.Minute:
				return beside.Ends
			}
			return ""
		}, time.Minute + goneAfter},
		{"and not the one that comes then", func(since time.Duration) string {
			if since < time.Minute {
				return beside.Ends
			}
			return beside.Speaks
		}, time.Minute},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t, t.TempDir(), "tcx")
				defer b.Close()
				mustSet(t, b, config(1, at("192.0.2.1")))
				page := b.Pages(nil)["/addresses"]
				send := func(state string) {
					question := httptest.NewRequest("GET", "/addresses", nil)
					question.Header.Set(beside.Header, state)
					page.ServeHTTP(httptest.NewRecorder(), question)
				}
				if c.request(0) != "" {
					send(beside.Speaks)
				}
				began := time.Now()
				for time.Since(began) < 2*outlastMost {
					if state := c.request(time.Since(began)); state != "" {
						send(state)
					}
					left, err := b.Leave(t.Context())
					if err != nil {
						t.Fatal(err)
					}
					if left {
						break
					}
					time.Sleep(outlastLook)
					synctest.Wait()
					select {
					case <-b.wake:
					default:
						t.Fatal("the loop is not woken again")
					}
				}
				if took := time.Since(began); took < c.took-outlastLook || took > c.took+outlastLook {
					t.Errorf("it ends after %s, want %s", took, c.took)
				}
			})
		})
	}
}
