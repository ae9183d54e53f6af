package adaptive

import (
	"reflect"
	"testing"
	"time"
)

func TestATurnSummarizesAllNodes(t *testing.T) {
	warmup, length := time.Second, 2*time.Second
	results := []turnResult{
		{Due: []uint32{1_000_000, 1_500_000, 2_999_000}, Took: []uint32{1000, 3000, 2000}, Node: []int{0, 0, 1}, Late: []uint32{10, 20}},
		{Due: []uint32{1_000_000}, Took: []uint32{2000}, Node: []int{1}, Failures: []failure{{1_200_000, "refused"}}},
	}
	var got Turn
	got.summarize(results, warmup, length)
	want := Turn{
		Requests: 3, // the third was answered too late for the rate
		Seconds:  2, MeanMs: 2, P50Ms: 2, P99Ms: 3, Served: [][]uint64{{2, 1, 0, 0}, {0, 1, 0, 0}}, Failed: 1, Because: "refused", LatenessP99Ms: 0.02,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestARecoveryIsMeasuredFromTheEvent(t *testing.T) {
	const event, end = time.Second, 3 * time.Second
	var one turnResult
	for at := time.Duration(0); at < end; at += 10 * time.Millisecond {
		took := uint32(1000)
		if at < event || at >= event+200*time.Millisecond && at < event+300*time.Millisecond {
			took = 5000
		}
		one.Due, one.Took = append(one.Due, micros(at)), append(one.Took, took)
	}
	one.Failures = []failure{{micros(event) - 1, "reset"}, {micros(event) + 120_000, "refused"}}
	var got Turn
	got.recover([]turnResult{one}, event, end)
	want := Recovery{FinalMeanMs: 1, FailedLater: []uint64{1}, Failures: make([]int, 20)}
	want.Failures[1] = 1
	for i := range 20 {
		want.MeansMs = append(want.MeansMs, 1)
		if i == 2 {
			want.MeansMs[i] = 5
		}
	}
	if !reflect.DeepEqual(*got.Recovery, want) {
		t.Errorf("got %+v, want %+v", *got.Recovery, want)
	}
}

func TestATurnIsVoidIfTheMachineOrTheGeneratorWasTooSlow(t *testing.T) {
	for _, test := range []struct {
		turn Turn
		want int
	}{
		{Turn{IdleShare: 0.11, LatenessP99Ms: 0.9}, 0},
		{Turn{IdleShare: 0.09, LatenessP99Ms: 0.9}, 1},
		{Turn{IdleShare: 0.11, LatenessP99Ms: 1.1}, 1},
		{Turn{IdleShare: 0.09, LatenessP99Ms: 1.1}, 2},
	} {
		if got := test.turn.void(); len(got) != test.want {
			t.Errorf("idle %v, late %v: %q", test.turn.IdleShare, test.turn.LatenessP99Ms, got)
		}
	}
}

func TestIdleTimeIsAShareOfAllTime(t *testing.T) {
	before, err := parseProcessors("cpu  100 0 100 100 0 0 0 0 7 7")
	if err != nil {
		t.Fatal(err)
	}
	after, err := parseProcessors("cpu  200 0 200 250 50 0 0 0 9 9")
	if err != nil {
		t.Fatal(err)
	}
	if got := after.idleShare(before); got != 0.5 {
		t.Errorf("%v", got)
	}
	for _, line := range []string{"", "cpu 1 2 3", "cpu0 1 1 1 1 1 1 1 1", "cpu 1 1 1 x 1 1 1 1"} {
		if _, err := parseProcessors(line); err == nil {
			t.Errorf("%q is accepted", line)
		}
	}
}
