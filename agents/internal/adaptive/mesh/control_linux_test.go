package mesh

import (
	"net"
	"testing"
	"time"
)

func TestHowLongADatagramWaitedForTheProcessIsKnown(t *testing.T) {
	from, to := newSocket(t), newSocket(t)
	if err := stamp(to); err != nil {
		t.Fatal(err)
	}
	in := newInbox(to)
	const tolerance = time.Millisecond // of the wall clock, while it is corrected
	// The kernel starts to take times a moment after it is first requested on a host.
	wait(t, "a time that is right", func() bool {
		before := time.Now()
		if _, err := from.WriteTo([]byte("x"), to.LocalAddr()); err != nil {
			t.Fatal(err)
		}
		sent, least, most := time.Now(), time.Duration(0), time.Duration(0)
		for least < 10*tolerance {
			least = time.Since(sent)
		}
		var got time.Duration
		err := in.receive(func(_ []byte, _ net.Addr, waited time.Duration) { got, most = waited, time.Since(before) })
		if err != nil {
			t.Fatal(err)
		}
		return got >= min(least-tolerance, waitedMost) && got <= most+tolerance
	})
}

func TestAWallClockThatIsSetChangesLittle(t *testing.T) {
	now := time.Unix(1000, 0)
	for _, test := range []struct {
		arrived time.Time
		want    time.Duration
	}{
		{time.Time{}, 0},
		{now.Add(-time.Millisecond), time.Millisecond},
		{now.Add(time.Hour), 0},
		{now.Add(-time.Hour), waitedMost},
	} {
		if got := waitedSince(test.arrived, now); got != test.want {
			t.Errorf("%v: %v, want %v", test.arrived, got, test.want)
		}
	}
}
