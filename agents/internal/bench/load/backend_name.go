package load

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// BackendName is where a reply names its backend: a header, or the first line of the body when that is empty.
type BackendName struct{ Header string }

// longestName bounds a name: the body, and also a header, may be any text.
const longestName = 200

// ParseBackendName parses `header:NAME` or `body`.
func ParseBackendName(text string) (BackendName, error) {
	if text == "body" {
		return BackendName{}, nil
	}
	name, is := strings.CutPrefix(text, "header:")
	if !is || name == "" || strings.ContainsAny(name, " :\t") {
		return BackendName{}, fmt.Errorf("--backend is %q: use header:NAME, such as header:X-Backend, or body for the first line of the body", text)
	}
	return BackendName{http.CanonicalHeaderKey(name)}, nil
}

// read reads the whole body, and returns the backend's name; empty if the reply has none.
func (b BackendName) read(response *http.Response) (string, error) {
	name := ""
	if b.Header != "" {
		name = response.Header.Get(b.Header)
	} else {
		lines := bufio.NewReaderSize(response.Body, longestName)
		line, err := lines.ReadSlice('\n')
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, bufio.ErrBufferFull) {
			return "", err
		}
		name = strings.TrimSpace(string(line))
	}
	_, err := io.Copy(io.Discard, response.Body)
	return printable(name), err
}

// printable returns the name without what a terminal would interpret, and not longer than longestName.
func printable(name string) string {
	quoted := strconv.Quote(name[:min(len(name), longestName)])
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}
