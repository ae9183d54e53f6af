package bench

import (
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
	c := &tlsClient{LoadOptions: LoadOptions{Workload: Return}, request: requestOf(Return)}
	u := c.newUser("")
	for _, name := range []string{"one", "other"} {
		u.read([]byte("HTTP/1.1 200 OK\r\nX-Backend: b\r\nContent-Length: 1\r\nSet-Cookie: backend=" + name + "; path=/\r\n\r\nx"))
	}
	want := "GET /small HTTP/1.1\r\nHost: bench\r\nConnection: close\r\nCookie: backend=other\r\n\r\n"
	if string(u.request) != want || u.backend != "b" {
		t.Errorf("%q of %q", u.request, u.backend)
	}
	if string(c.request) == want {
		t.Error("the cookie is every client's")
	}
}
