package sessionapp

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"testing"
	"time"
)

// user is a browser with its cookies.
type user struct{ cookies map[string]*http.Cookie }

func (u *user) get(t *testing.T, app http.Handler, path string) (state State, body string) {
	t.Helper()
	request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
	for _, cookie := range u.cookies {
		request.AddCookie(cookie)
	}
	recorded := httptest.NewRecorder()
	app.ServeHTTP(recorded, request)
	response := recorded.Result()
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s: %s", path, response.Status, recorded.Body)
	}
	for _, cookie := range response.Cookies() {
		u.cookies[cookie.Name] = cookie
	}
	text, _ := io.ReadAll(response.Body)
	return State(response.Header.Get("X-Session")), string(text)
}

func newUser() *user { return &user{map[string]*http.Cookie{}} }

func TestEachStoreKeepsTheDataOfASession(t *testing.T) {
	for name, store := range map[string]Store{"memory": NewMemory(), "Redis": NewRedis(startRedis(t))} {
		t.Run(name, func(t *testing.T) {
			app := Handler("a", store)
			for _, size := range []int{1, 1 << 10, 4 << 20} {
				one, other := newUser(), newUser()
				path := fmt.Sprintf("%s?bytes=%d", SessionPath, size)
				began, page := one.get(t, app, path)
				kept, again := one.get(t, app, path)
				if began != Began || kept != Kept || again != page || page[:10] != fmt.Sprintf("%010d", size) {
					t.Errorf("%d bytes: %s, then %s: %q, then %q", size, began, kept, page, again)
				}
				if state, unlike := other.get(t, app, path); state != Began || size > 16 && unlike == page {
					t.Errorf("another user, %d bytes: %s: %q", size, state, unlike)
				}
				newUser().get(t, app, ForgetPath)
				if state, _ := one.get(t, app, path); state != Lost {
					t.Errorf("forgotten, %d bytes: %s", size, state)
				}
				if state, _ := one.get(t, app, path); state != Kept {
					t.Errorf("begun again, %d bytes: %s", size, state)
				}
			}
		})
	}
}

func TestOnlyASharedStoreHasTheSessionAtAnotherServer(t *testing.T) {
	address := startRedis(t)
	for _, test := range []struct {
		name        string
		here, there Store
		want        State
	}{
		{"memory", NewMemory(), NewMemory(), Lost},
		{"Redis", NewRedis(address), NewRedis(address), Kept},
	} {
		one := newUser()
		one.get(t, Handler("a", test.here), SessionPath+"?bytes=2000")
		if state, _ := one.get(t, Handler("b", test.there), SessionPath+"?bytes=2000"); state != test.want {
			t.Errorf("%s: %s, want %s", test.name, state, test.want)
		}
	}
}

func TestAStoreThatIsGoneIsAnError(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	_ = listener.Close()
	recorded := httptest.NewRecorder()
	Handler("a", NewRedis(address)).ServeHTTP(recorded, httptest.NewRequestWithContext(t.Context(), http.MethodGet, SessionPath+"?bytes=1", nil))
	if recorded.Code != http.StatusInternalServerError {
		t.Errorf("%d: %s", recorded.Code, recorded.Body)
	}
}

func TestSizesAreChecked(t *testing.T) {
	for _, size := range []string{"", "0", "-1", "x", "99999999999"} {
		recorded := httptest.NewRecorder()
		Handler("a", NewMemory()).ServeHTTP(recorded, httptest.NewRequestWithContext(t.Context(), http.MethodGet, SessionPath+"?bytes="+size, nil))
		if recorded.Code != http.StatusBadRequest {
			t.Errorf("%q: %d", size, recorded.Code)
		}
	}
}

// startRedis starts one that ends with the test.
func startRedis(t *testing.T) string {
	t.Helper()
	if _, err := os.Stat(RedisProgram); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip("this test needs redis-server")
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	_ = listener.Close()
	command := exec.CommandContext(t.Context(), RedisProgram, RedisArguments("127.0.0.1", port, t.TempDir())...)
	command.Stderr = os.Stderr
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	store := NewRedis("127.0.0.1:" + port)
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		err := store.Clear(context.Background())
		if err == nil {
			return store.address
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
}
