package nftables

import (
	"errors"
	"fmt"
	"os"
	"testing"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/privileged"
)

// Answers are left in the socket when the kernel rejects a whole batch, or when there was
// no room for one of them.
func TestAnAnswerToAnEarlierBatchIsIgnored(t *testing.T) {
	space := ownSpace(t)
	there, absent := table{family: unix.NFPROTO_NETDEV, name: "there"}, table{family: unix.NFPROTO_NETDEV, name: "absent"}
	for _, c := range []struct {
		name          string
		earlier, this []message
		want          error
	}{
		{"a failure before a success", []message{absent.remove()}, []message{there.add()}, nil},
		{"a success before a failure", []message{there.add()}, []message{absent.remove()}, unix.ENOENT},
		{"many failures before a success", []message{absent.remove(), absent.remove(), absent.remove()}, []message{there.add()}, nil},
		{"a failure before another one", []message{absent.emptyChain("none")}, []message{there.add(), there.removeCounter("none")}, unix.ENOENT},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := socketIn(t, space)
			sender := *s // sends by the same descriptor, and receives nothing
			if _, _, err := sender.request(c.earlier); err != nil {
				t.Fatal(err)
			}
			s.sequence = sender.sequence
			if err := s.commit(c.this); !errors.Is(err, c.want) {
				t.Errorf("it ended with %v, want %v", err, c.want)
			}
			if err := s.commit([]message{there.add()}); err != nil {
				t.Errorf("the next one ended with %v", err)
			}
		})
	}
}

func ownSpace(t *testing.T) *netspace.Space {
	t.Helper()
	privileged.Need(t)
	spaces++
	space, err := netspace.New(fmt.Sprintf("flnft%d-%d", os.Getpid(), spaces))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = space.Delete() })
	return space
}

var spaces int

func socketIn(t *testing.T, space *netspace.Space) (s *socket) {
	t.Helper()
	if err := space.Do(func() (err error) { s, err = openSocket(); return err }); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.close() })
	return s
}
