package bench

import (
	"bytes"
	"fmt"
	"strconv"
)

// The paths that backends serve.
const (
	smallPath = "/small"
	bulkPath  = "/bulk"
	smallSize = 128
	bulkSize  = 64 << 10
)

var headEnd = []byte("\r\n\r\n")

// requestOf is the request that a client of the workload repeats.
func requestOf(workload Workload) []byte {
	if workload == Bulk {
		return request(bulkPath, false)
	}
	return request(smallPath, workload == New || workload == Return)
}

func request(path string, last bool) []byte {
	connection := ""
	if last {
		connection = "Connection: close\r\n"
	}
	return fmt.Appendf(nil, "GET %s HTTP/1.1\r\nHost: bench\r\n%s\r\n", path, connection)
}

// response is a backend's reply. It contains the backend's name, so that a trial can check that both are
// reached.
func response(backend string, size int, last bool) []byte {
	connection := ""
	if last {
		connection = "Connection: close\r\n"
	}
	head := fmt.Sprintf("HTTP/1.1 200 OK\r\nX-Backend: %s\r\nContent-Length: %d\r\n%s\r\n", backend, size, connection)
	return append([]byte(head), bytes.Repeat([]byte{'x'}, size)...)
}

// parseRequest parses the first request in the data, and returns its length; 0 when it isn't complete. Requests of
// this benchmark have no body.
func parseRequest(text []byte) (bulk, last bool, length int) {
	end := bytes.Index(text, headEnd)
	if end < 0 {
		return false, false, 0
	}
	head := text[:end]
	bulk = bytes.HasPrefix(head, []byte("GET "+bulkPath))
	last = bytes.Equal(bytes.ToLower(field(head, "connection")), []byte("close"))
	return bulk, last, end + len(headEnd)
}

// parseResponse parses the start of a response, and returns its length with the body; 0 when its head isn't
// complete.
func parseResponse(text []byte) (length int, err error) {
	end := bytes.Index(text, headEnd)
	if end < 0 {
		return 0, nil
	}
	head := text[:end]
	if status := head[:min(len(head), len("HTTP/1.1 200"))]; !bytes.HasSuffix(status, []byte(" 200")) {
		return 0, fmt.Errorf("the answer begins with %q instead of status 200", status)
	}
	body, err := strconv.ParseUint(string(field(head, "content-length")), 10, 30)
	if err != nil {
		return 0, fmt.Errorf("the answer has no valid Content-Length: %q", head)
	}
	return end + len(headEnd) + int(body), nil
}

// field is the value of a header, by its lower-case name; proxies vary the case.
func field(head []byte, name string) []byte {
	for len(head) > 0 {
		line, rest, _ := bytes.Cut(head, []byte("\r\n"))
		if len(line) > len(name) && line[len(name)] == ':' && bytes.EqualFold(line[:len(name)], []byte(name)) {
			return bytes.TrimSpace(line[len(name)+1:])
		}
		head = rest
	}
	return nil
}
