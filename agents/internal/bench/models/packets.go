package models

import (
	"cmp"
	"container/heap"
	"iter"
	"math/rand/v2"
	"time"

	"fairlead.dev/agents/internal/lab/topology"
)

type packet struct {
	at     time.Duration
	client int // has one connection at a time
	flow   uint64
	first  bool
}

// packetsOf are all requests, in order of time. They are made one by one, because a long span has many millions.
func packetsOf(traffic []topology.Traffic, span time.Duration, seed uint64) iter.Seq[packet] {
	return func(yield func(packet) bool) {
		for next := sendersOf(traffic, span, seed); len(next) > 0; {
			if !yield(next[0].send()) {
				return
			}
			if next[0].at < span {
				heap.Fix(&next, 0)
			} else {
				heap.Pop(&next)
			}
		}
	}
}

// sender is a client that sends requests at equal intervals.
type sender struct {
	client   int
	at       time.Duration // of the next request
	pause    time.Duration
	requests int // of a connection; 0: it never ends
	request  int // clients begin in the middle of connections
	begun    bool
	flow     uint64
	random   *rand.Rand
}

func (s *sender) send() packet {
	begins := !s.begun || s.requests > 0 && s.request%s.requests == 0
	if begins {
		s.flow = s.random.Uint64()
	}
	sent := packet{s.at, s.client, s.flow, begins}
	s.begun = true
	s.request++
	s.at += s.pause
	return sent
}

// senders is a heap: the first one sends next.
type senders []*sender

func sendersOf(traffic []topology.Traffic, span time.Duration, seed uint64) (all senders) {
	client := 0
	for _, t := range traffic {
		pause := time.Duration(float64(time.Second) * float64(t.Connections) / t.PerSecond)
		for i := range t.Connections {
			at := time.Duration(float64(pause) * float64(i) / float64(t.Connections))
			if at < span {
				random := rand.New(rand.NewPCG(seed, uint64(client)))
				all = append(all, &sender{client: client, at: at, pause: pause, requests: t.RequestsPerConnection, request: i, random: random})
			}
			client++
		}
	}
	heap.Init(&all)
	return all
}

func (s senders) Len() int { return len(s) }

func (s senders) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(s[i].at, s[j].at), cmp.Compare(s[i].client, s[j].client)) < 0
}

func (s senders) Swap(i, j int) { s[i], s[j] = s[j], s[i] }

func (s *senders) Push(one any) { *s = append(*s, one.(*sender)) }

func (s *senders) Pop() any {
	last := (*s)[len(*s)-1]
	*s = (*s)[:len(*s)-1]
	return last
}
