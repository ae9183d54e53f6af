package bpf

import (
	"bytes"
	"encoding/binary"
	"runtime"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// together runs two frames through the program at the same moment, on two CPUs, and
// returns the results.
func together(t *testing.T, e *Engine, cpus [2]unix.CPUSet, frames [2][]byte) (out [2][]byte) {
	t.Helper()
	var ready, both sync.WaitGroup
	ready.Add(len(frames))
	for i, frame := range frames {
		both.Go(func() {
			runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
			if err := unix.SchedSetaffinity(0, &cpus[i]); err != nil {
				t.Error(err)
			}
			ready.Done()
			ready.Wait()
			_, sent, err := e.program.Test(frame)
			if err != nil {
				t.Error(err)
			}
			out[i] = sent
		})
	}
	both.Wait()
	return out
}

// twoCPUs returns two CPUs that this process may use.
func twoCPUs(t *testing.T) (two [2]unix.CPUSet) {
	t.Helper()
	var ours unix.CPUSet
	must(t, unix.SchedGetaffinity(0, &ours))
	if ours.Count() < len(two) {
		t.Skip("it takes two CPUs")
	}
	for cpu, found := 0, 0; found < len(two); cpu++ {
		if ours.IsSet(cpu) {
			two[found].Set(cpu)
			found++
		}
	}
	return two
}

// A client's acknowledgement and its first data may arrive on two CPUs at once.
func TestTheFirstPacketsOfAConnectionArriveTogether(t *testing.T) {
	cpus := twoCPUs(t)
	e := openAt(t, newPlace(t), TCX, datapath.Options{})
	set(t, e, filling())
	tried := 0
	for began, port := time.Now(), uint16(1000); time.Since(began) < 5*time.Second && port < 65000; port++ {
		if send(t, e, from4(6, port, syn, "")) != "b" {
			continue // its next packets go to a in any case
		}
		tried++
		for i, frame := range together(t, e, cpus, [2][]byte{from4(6, port, ack, "").bytes(), from4(6, port, ack, "data").bytes()}) {
			if !bytes.Equal(frame[:6], macB) {
				t.Fatalf("packet %d of connection %d, which began at b, went to %x", i+2, tried, frame[:6])
			}
		}
	}
	t.Logf("%d connections", tried)
}

// The same for a translated connection, which must use one port, and for the backend's
// first reply.
func TestTheFirstPacketsOfATranslatedConnectionArriveTogether(t *testing.T) {
	cpus := twoCPUs(t)
	e := natEngine(t)
	const ownPort = 14 + 20
	tried := 0
	for began, port := time.Now(), uint16(1000); time.Since(began) < 5*time.Second && port < 65000; port++ {
		tried++
		_, there, err := e.program.Test(from4(6, port, syn, "").bytes())
		must(t, err)
		own := there[ownPort : ownPort+2]
		second := from4(6, port, ack, "")
		other := from4(6, port, ack, "data").bytes()
		answers := tried%2 == 0
		if answers {
			in, _ := answer(syn|ack, binary.BigEndian.Uint16(own))
			other = in.bytes()
		}
		out := together(t, e, cpus, [2][]byte{second.bytes(), other})
		if got := out[0][ownPort : ownPort+2]; !bytes.Equal(got, own) {
			t.Fatalf("connection %d went on by port %x, it began by %x", tried, got, own)
		}
		if got := out[1][ownPort : ownPort+2]; !answers && !bytes.Equal(got, own) {
			t.Fatalf("data of connection %d went by port %x, it began by %x", tried, got, own)
		}
		if answers && !bytes.Equal(out[1][:6], router) {
			t.Fatalf("the answer to connection %d went to %x", tried, out[1][:6])
		}
	}
	t.Logf("%d connections", tried)
}
