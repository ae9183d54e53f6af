package bench

import (
	"slices"
	"testing"
	"time"

	"fairlead.dev/agents/internal/bench/load"
)

func TestReturnsOfRemovedBackendsAreCountedApart(t *testing.T) {
	during := &changes{leaving: 10 * time.Second, left: 11 * time.Second}
	var r Returned
	for _, one := range []load.Return{
		{Seconds: 5, Resumed: true, Backend: "a", Before: "a"},                      // home
		{Seconds: 5, Resumed: true, Backend: "d", Before: "d"},                      // home, while it is there
		{Seconds: 5, Resumed: true, Backend: "b", Before: "d"},                      // elsewhere too early
		{Seconds: 5, Backend: "a", Before: "a"},                                     // not resumed
		{Seconds: 9.2, Milliseconds: 500, Resumed: true, Backend: "a", Before: "e"}, // perhaps after it began to leave
		{Seconds: 12, Resumed: true, Backend: "a", Before: "e"},
		{Seconds: 12, Resumed: true, Backend: "e", Before: "e"}, // it should have gone
		{Seconds: 12, Resumed: true, Backend: "b", Before: "b"},
	} {
		r.count(one, during)
	}
	want := Returned{Returns: 5, Resumed: 4, SameBackend: 3, Between: 1, Gone: 2, GoneResumed: 1}
	if r.Returns != want.Returns || r.Resumed != want.Resumed || r.SameBackend != want.SameBackend ||
		r.Between != want.Between || r.Gone != want.Gone || r.GoneResumed != want.GoneResumed {
		t.Errorf("%+v", r)
	}
}

func TestAClientKeepsItsCookie(t *testing.T) {
	c := &tlsClient{LoadOptions: LoadOptions{Workload: Return}, request: requestOf(Return), config: secured}
	u := c.newUser("")
	for _, name := range []string{"one", "other"} {
		u.read([]byte("HTTP/1.1 200 OK\r\nX-Backend: b\r\nContent-Length: 1\r\nSet-Cookie: backend=" + name + "; path=/\r\n\r\nx"))
	}
	want := "GET /small HTTP/1.1\r\nHost: bench\r\nConnection: close\r\nCookie: backend=other\r\n\r\n"
	if string(u.request) != want || u.backend != "b" {
		t.Errorf("%q of %q", u.request, u.backend)
	}
	u.read([]byte("HTTP/1.1 200 OK\r\nSet-Cookie: session=1; Path=/\r\nX-Session: lost\r\nSet-Cookie: backend=third\r\n\r\nSet-Cookie: body=1"))
	two := "GET /small HTTP/1.1\r\nHost: bench\r\nConnection: close\r\nCookie: backend=third; session=1\r\n\r\n"
	if string(u.request) != two || !u.lost {
		t.Errorf("%q, lost %t", u.request, u.lost)
	}
	if string(c.request) == want {
		t.Error("the cookie is every client's")
	}
}

func TestTheEntriesOfAMapAreOfThreeTimes(t *testing.T) {
	use := func(process, name string, entries uint32) MapUse {
		return MapUse{Process: process, Map: name, Most: 10, Before: entries}
	}
	got := together(
		[]MapUse{use("replica", "a", 1), use("replica", "b", 2), use("companion", "a", 3)},
		[]MapUse{use("companion", "a", 4), use("replica", "a", 5), use("replica", "b", 6)},
		[]MapUse{use("replica", "b", 7), use("replica", "a", 8)})
	var counts [][3]uint32
	for _, each := range got {
		counts = append(counts, [3]uint32{each.Before, each.During, each.After})
	}
	if want := [][3]uint32{{1, 5, 8}, {2, 6, 7}, {3, 4, 0}}; !slices.Equal(counts, want) {
		t.Errorf("%v, want %v", counts, want)
	}
}
