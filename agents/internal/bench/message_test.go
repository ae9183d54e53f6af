package bench

import (
	"strings"
	"testing"
)

func TestRequestsAreParsed(t *testing.T) {
	for _, c := range []struct {
		name, in   string
		bulk, last bool
		rest       string
	}{
		{"keep-alive", string(request(smallPath, false)), false, false, ""},
		{"the last one", string(request(smallPath, true)), false, true, ""},
		{"a large body", string(request(bulkPath, false)), true, false, ""},
		{"through a proxy that writes lower case", "GET /small HTTP/1.1\r\nhost: bench\r\nconnection: Close\r\n\r\n", false, true, ""},
		{"two at once", string(request(bulkPath, false)) + "GET /sm", true, false, "GET /sm"},
		{"incomplete", "GET /bulk HTTP/1.1\r\nHost: bench\r\n\r", false, false, "GET /bulk HTTP/1.1\r\nHost: bench\r\n\r"},
	} {
		t.Run(c.name, func(t *testing.T) {
			bulk, last, length := parseRequest([]byte(c.in))
			if bulk != c.bulk || last != c.last || c.in[length:] != c.rest {
				t.Errorf("bulk %v, last %v, rest %q", bulk, last, c.in[length:])
			}
		})
	}
}

func TestAnswersAreMeasured(t *testing.T) {
	whole := string(response("a", 128, true))
	for _, c := range []struct {
		name, in string
		length   int
		wants    string // in the error
	}{
		{"whole", whole, len(whole), ""},
		{"with an incomplete body", whole[:len(whole)-100], len(whole), ""},
		{"without its head", whole[:20], 0, ""},
		{"lower case", "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello", 43, ""},
		{"an error of a proxy", "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n", 0, "503"},
		{"no length", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", 0, "no valid Content-Length"},
	} {
		t.Run(c.name, func(t *testing.T) {
			length, err := parseResponse([]byte(c.in))
			if length != c.length || (err != nil) != (c.wants != "") || err != nil && !strings.Contains(err.Error(), c.wants) {
				t.Errorf("length %d, error %v", length, err)
			}
		})
	}
}

func TestRepliesNameTheirBackend(t *testing.T) {
	if got := string(field(response("b2", 0, false), "x-backend")); got != "b2" {
		t.Errorf("%q", got)
	}
}

func FuzzMessages(f *testing.F) {
	f.Add(request(smallPath, true))
	f.Add(request(bulkPath, false))
	f.Add(response("a", 5, true))
	f.Add([]byte("HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if _, _, length := parseRequest(text); length < 0 || length > len(text) {
			t.Errorf("a request of %d bytes in %d", length, len(text))
		}
		if length, err := parseResponse(text); length < 0 || err != nil && length != 0 {
			t.Errorf("an answer of %d bytes, %v", length, err)
		}
	})
}
