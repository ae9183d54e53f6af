package sessionapp

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"net/http"
	"strconv"
)

// The paths.
const (
	SessionPath = "/session" // ?bytes=N: the size of the data of a session that begins
	ForgetPath  = "/forget"  // removes all sessions
)

// mostBytes is the maximum size of the data of a session.
const mostBytes = 64 << 20

const cookieName = "session"

// State is what the application found, in the header X-Session of its reply.
type State string

// The states.
const (
	Began State = "began" // the request had no session
	Kept  State = "kept"
	Lost  State = "lost" // the data are unknown here: the user has to begin again
)

// Store has the data of all sessions.
type Store interface {
	// Get calls use with the data of a session, which are valid until it returns; false without this session.
	Get(ctx context.Context, id string, use func(data []byte)) (found bool, err error)
	Set(ctx context.Context, id string, data []byte) error
	Clear(ctx context.Context) error
}

// Handler returns the application. Each reply has its name.
func Handler(name string, store Store) http.Handler {
	a := &app{name, store}
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+SessionPath, a.serve)
	mux.HandleFunc("GET "+ForgetPath, func(w http.ResponseWriter, r *http.Request) { a.reply(w, "forgotten\n", store.Clear(r.Context())) })
	mux.HandleFunc("GET /", func(w http.ResponseWriter, _ *http.Request) { a.reply(w, "ready\n", nil) })
	return mux
}

type app struct {
	name  string
	store Store
}

func (a *app) serve(w http.ResponseWriter, r *http.Request) {
	size, err := strconv.ParseUint(r.URL.Query().Get("bytes"), 10, 31)
	if err != nil || size == 0 || size > mostBytes {
		http.Error(w, fmt.Sprintf("bytes is %q; give 1 to %d", r.URL.Query().Get("bytes"), mostBytes), http.StatusBadRequest)
		return
	}
	state, text := Began, ""
	if cookie, err := r.Cookie(cookieName); err == nil {
		found, err := a.store.Get(r.Context(), cookie.Value, func(data []byte) { text = render(data) })
		switch {
		case err != nil:
			a.reply(w, "", err)
			return
		case found:
			state = Kept
		default:
			state = Lost
		}
	}
	if state != Kept {
		id, data := begin(int(size))
		if err := a.store.Set(r.Context(), id, data); err != nil {
			a.reply(w, "", err)
			return
		}
		http.SetCookie(w, &http.Cookie{Name: cookieName, Value: id, Path: "/"})
		text = render(data)
	}
	w.Header().Set("X-Session", string(state))
	a.reply(w, text, nil)
}

func (a *app) reply(w http.ResponseWriter, text string, err error) {
	w.Header().Set("X-Backend", a.name)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	_, _ = w.Write([]byte(text)) // a broken connection is the client's to report
}

// begin returns the data of a new session. They begin with a random id, so that those of two sessions differ.
func begin(size int) (id string, data []byte) {
	random := make([]byte, 16)
	_, _ = rand.Read(random) // never fails
	data = make([]byte, size)
	for i := range data {
		data[i] = byte(i)
	}
	copy(data, random)
	return hex.EncodeToString(random), data
}

// rendered is how much of the data the page shows. Most pages show a small part of their session.
const rendered = 4096

// render is the page: a reply of the same size whatever the size of the data.
func render(data []byte) string {
	return fmt.Sprintf("%010d bytes, %08x\n", len(data), crc32.ChecksumIEEE(data[:min(len(data), rendered)]))
}
