package replica

import (
	"testing"
	"time"

	"fairlead.dev/agents/internal/session/message"
)

// aged returns the ids after a number as an answer to a request, of a companion that has those from 5001 to 9000.
func aged(first, last uint64) message.Message {
	m := numbered("a", 5000, first, last)
	m.Kind, m.Newest = message.AgedIDs, 9000
	return m
}

func TestIDsAreRequestedInBatchesAndAgainIfTheyAreLost(t *testing.T) {
	const batch = 1000
	now := time.Unix(1_800_000_000, 0)
	awaiting := progress{last: 6000, requested: 7500, asked: now}
	for _, c := range []struct {
		name  string
		from  progress
		m     message.Message
		after time.Duration
		want  step
	}{
		{"the first answer, at once the next batch", progress{requested: batch, asked: now}, aged(5000, 5035), 0, step{store: true, request: true, after: 6000}},
		{"two batches are under way", progress{last: 5035, requested: 7000, asked: now}, aged(5035, 5070), 0, step{store: true}},
		{"one batch has arrived", progress{last: 5965, requested: 7000, asked: now}, aged(5965, 6000), 0, step{store: true, request: true, after: 7000}},
		{"all are under way", progress{last: 8500, requested: 9500, asked: now}, aged(8500, 8535), 0, step{store: true}},
		{"the last ones", progress{last: 8980, requested: 9500, asked: now}, aged(8980, 9000), 0, step{store: true, complete: true}},
		{"there are none", progress{last: 9000}, aged(9000, 9000), 0, step{store: true, complete: true}},
		{"some come twice", awaiting, aged(5965, 6000), 0, step{}},
		{"some were lost", awaiting, aged(6035, 6070), 0, step{request: true, after: 6000}},
		{"they are on their way again", progress{last: 6000, requested: 7500, asked: now, repaired: 6000}, aged(6070, 6105), 0, step{}},
		{"they were lost again", progress{last: 6000, requested: 7500, asked: now, repaired: 6000}, aged(6070, 6105), repeatEvery, step{request: true, after: 6000}},
		{"the server begins a session meanwhile", awaiting, numbered("a", 5000, 9000, 9001), 0, step{}},
		{"a new one was lost", progress{last: 9000, requested: 9000, asked: now, all: true}, numbered("a", 5000, 9001, 9002), 0, step{request: true, after: 9000}},
		{"the oldest have expired meanwhile", progress{last: 4000, requested: 5500, asked: now}, aged(5000, 5035), 0, step{store: true}},
		{"a companion of an earlier version has more", progress{last: 6000, requested: 7000, asked: now}, numbered("a", 5000, 6000, 6032), 0, step{store: true, request: true, after: 6032}},
		{"it has no more", progress{last: 6000, requested: 7000, asked: now}, numbered("a", 5000, 6000, 6031), 0, step{store: true, complete: true}},
	} {
		at := c.from
		got := at.next(c.m, batch, now.Add(c.after))
		if !got.request {
			got.after = 0
		}
		if got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestRequestsLeaveRoomForTheAnswersOfAllCompanions(t *testing.T) {
	for lacking, want := range map[int]uint64{0: batchMost, 1: batchMost, 16: batchMost, 100: 163, 16384: 1, 1 << 20: 1} {
		if got := (&learnt{lacking: lacking}).batch(); got != want {
			t.Errorf("%d companions: %d, want %d", lacking, got, want)
		}
	}
	const datagram = 4096 // bytes, as the kernel counts one of 1,400
	if need := awaitedMost / message.AgedMost("") * datagram; need > bufferBytes || awaitedMost/message.AgedMost("a backend's ID of usual length") > arrivedMost {
		t.Errorf("the answers need %d bytes", need)
	}
}
