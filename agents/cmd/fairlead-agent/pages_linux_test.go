package main

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/privileged"
)

const testKey = "0123456789abcdef"

func TestPagesAreReadByThisHostAndByOthersWithTheKey(t *testing.T) {
	privileged.Need(t)
	var spaces [2]*netspace.Space
	var ends [2]netspace.End
	for i, name := range []string{"agent", "other"} {
		space, err := netspace.New(fmt.Sprintf("flpages%d-%s", os.Getpid(), name))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = space.Delete() })
		spaces[i], ends[i] = space, netspace.End{Space: space, Interface: "eth0", Addresses: []netip.Prefix{netip.PrefixFrom(netip.AddrFrom4([4]byte{10, 9, 0, byte(1 + i)}), 24)}}
	}
	if err := netspace.Connect(ends[0], ends[1]); err != nil {
		t.Fatal(err)
	}
	keyFile := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(keyFile, []byte(testKey+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	reads := 0
	pages := map[string]http.Handler{"/addresses": http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reads++ })}
	for i, file := range []string{"", keyFile} {
		listen := fmt.Sprintf("0.0.0.0:%d", 9100+i)
		err := spaces[0].Do(func() error {
			stop, err := servePages(pagesOptions{listen: listen, keyFile: file}, pages, slog.New(slog.DiscardHandler))
			if err == nil {
				t.Cleanup(stop)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		withKey := map[string]int{"": http.StatusForbidden, keyFile: http.StatusOK}[file]
		without := map[string]int{"": http.StatusForbidden, keyFile: http.StatusUnauthorized}[file]
		for _, c := range []struct {
			name string
			from *netspace.Space
			at   string
			key  string
			want int
		}{
			{"loopback", spaces[0], "127.0.0.1", "", http.StatusOK},
			{"the host's own address", spaces[0], "10.9.0.1", "", http.StatusOK},
			{"another host", spaces[1], "10.9.0.1", "", without},
			{"another host with a wrong key", spaces[1], "10.9.0.1", testKey + "0", without},
			{"another host with the key", spaces[1], "10.9.0.1", testKey, withKey},
		} {
			before := reads
			got := statusOf(t, c.from, fmt.Sprintf("http://%s:%d/addresses", c.at, 9100+i), c.key)
			if got != c.want || reads-before != map[bool]int{true: 1}[got == http.StatusOK] {
				t.Errorf("%s, key file %q: status %d, want %d; %d reads", c.name, file, got, c.want, reads-before)
			}
		}
	}
	// The key is replaced without a restart.
	if err := os.WriteFile(keyFile, []byte("fedcba9876543210"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := statusOf(t, spaces[1], "http://10.9.0.1:9101/addresses", testKey); got != http.StatusUnauthorized {
		t.Errorf("the former key: status %d", got)
	}
}

func statusOf(t *testing.T, from *netspace.Space, url, key string) int {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, network, to string) (net.Conn, error) {
		return from.Dial(ctx, network, to)
	}}}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if key != "" {
		request.Header.Set("Authorization", "Bearer "+key)
	}
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	return response.StatusCode
}

func TestAKeyThatCantBeReadIsLoggedOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "key")
	var log bytes.Buffer
	handler := protected(http.NotFoundHandler(), file, slog.New(slog.NewTextHandler(&log, nil)))
	expect := func(status, lines int) {
		t.Helper()
		request := httptest.NewRequest(http.MethodGet, "/addresses", nil)
		request.RemoteAddr = "192.0.2.1:1000"
		for range 3 {
			response := httptest.NewRecorder()
			handler.ServeHTTP(response, request)
			if response.Code != status {
				t.Errorf("status %d, want %d", response.Code, status)
			}
		}
		if got := strings.Count(log.String(), "\n"); got != lines {
			t.Errorf("%d lines are logged, want %d:\n%s", got, lines, log.String())
		}
	}
	expect(http.StatusServiceUnavailable, 1)
	if err := os.WriteFile(file, []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	expect(http.StatusServiceUnavailable, 2)
	if err := os.WriteFile(file, []byte(testKey), 0o600); err != nil {
		t.Fatal(err)
	}
	expect(http.StatusUnauthorized, 2)
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	expect(http.StatusServiceUnavailable, 3)
}

func TestAKeyThatEveryUserCanReadIsLogged(t *testing.T) {
	for mode, want := range map[os.FileMode]bool{0o600: false, 0o640: false, 0o644: true} {
		file := filepath.Join(t.TempDir(), "key")
		if err := os.WriteFile(file, []byte(testKey), mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(file, mode); err != nil { // despite the umask
			t.Fatal(err)
		}
		var log bytes.Buffer
		stop, err := servePages(pagesOptions{listen: "127.0.0.1:0", keyFile: file}, nil, slog.New(slog.NewTextHandler(&log, nil)))
		if err != nil {
			t.Fatal(err)
		}
		stop()
		if got := strings.Contains(log.String(), "every user of this host can read the key"); got != want {
			t.Errorf("mode %o: a warning %v, want %v", mode, got, want)
		}
	}
}

func TestABadKeyOfPagesIsRejectedAtTheStart(t *testing.T) {
	folder := t.TempDir()
	for content, want := range map[string]string{
		"short":               "use one line of at least 16 ASCII characters without spaces, such as from `openssl rand -hex 32`",
		testKey + "\nanother": "use one line of at least 16 ASCII characters",
		"-":                   "--pages-key-file can't be read",
	} {
		file := filepath.Join(folder, "absent")
		if content != "-" {
			file = filepath.Join(folder, "key")
			if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		_, err := servePages(pagesOptions{listen: "127.0.0.1:0", keyFile: file}, nil, slog.New(slog.DiscardHandler))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "--pages-key-file") {
			t.Errorf("%q: %v, want %q", content, err, want)
		}
	}
}
