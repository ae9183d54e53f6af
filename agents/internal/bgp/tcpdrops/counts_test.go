package tcpdrops

import (
	"strings"
	"testing"
)

func TestParseReadsTheKernelsCounters(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       Counts
		fails      bool
	}{
		{"complete", "TcpExt: SyncookiesSent TCPMD5NotFound TCPMD5Unexpected TCPMD5Failure TCPMinTTLDrop\nTcpExt: 9 1 2 4 7\nIpExt: InNoRoutes\nIpExt: 3\n", Counts{WrongPassword: 7, TooFar: 7}, false},
		{"an old kernel", "TcpExt: TCPMD5NotFound\nTcpExt: 1\n", Counts{WrongPassword: 1}, false},
		{"a negative number", "TcpExt: TCPMaxConn TCPMinTTLDrop\nTcpExt: -1 2\n", Counts{TooFar: 2}, false},
		{"cut off", "TcpExt: TCPMD5NotFound TCPMinTTLDrop\nTcpExt: 1\n", Counts{}, true},
		{"nothing", "", Counts{}, true},
	} {
		got, err := parse(strings.NewReader(c.text))
		if got != c.want || (err != nil) != c.fails {
			t.Errorf("%s: %+v, %v", c.name, got, err)
		}
	}
	if _, err := Read(); err != nil {
		t.Errorf("this kernel: %v", err)
	}
}
