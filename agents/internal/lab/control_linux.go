package lab

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// ErrDown reports that a lab is not up.
var ErrDown = errors.New("this lab is not up: bring it up with \"fairlead-agent lab up\"")

const controlSocket = "control.sock"

// serveControl serves a socket that only the current user and root may open.
func (l *Lab) serveControl(ctx context.Context) (stop func(), err error) {
	listener, err := net.Listen("unix", l.folder.at(controlSocket))
	if err != nil {
		return nil, fmt.Errorf("listen for commands: %w", err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /status", func(w http.ResponseWriter, r *http.Request) {
		status, err := l.status(r.Context())
		answer(w, status, err)
	})
	mux.HandleFunc("POST /change", func(w http.ResponseWriter, r *http.Request) {
		var c Change
		if err := json.NewDecoder(io.LimitReader(r.Body, 1<<16)).Decode(&c); err != nil {
			answer(w, nil, fmt.Errorf("read the command: %w", err))
			return
		}
		var result string
		err := l.do(r.Context(), func() (err error) {
			result, err = l.change(ctx, c) // not the request's context: what it starts outlives it
			return err
		})
		answer(w, result, err)
	})
	mux.HandleFunc("POST /down", func(w http.ResponseWriter, _ *http.Request) {
		select {
		case l.down <- struct{}{}:
		default: // already requested
		}
		answer(w, "it goes down", nil)
	})
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go func() { _ = server.Serve(listener) }() // ends with Close
	return func() {
		// Let the client that requested the stop receive the response.
		ending, stop := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer stop()
		if server.Shutdown(ending) != nil {
			_ = server.Close()
		}
	}, nil
}

func answer(w http.ResponseWriter, value any, err error) {
	w.Header().Set("Content-Type", "application/json")
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		value = map[string]string{"error": err.Error()}
	}
	_ = json.NewEncoder(w).Encode(value) // the client may have disconnected
}

// OutsideSocket is the socket through which a lab without root reaches the control plane. It is next
// to the lab's own folder.
func OutsideSocket(root, name string) string { return filepath.Join(root, name+".outside") }

// Remote is a lab that another process runs.
type Remote struct{ root, name, folder string }

// Find returns the lab of that name, up or not.
func Find(root, name string) Remote { return Remote{root, name, filepath.Join(root, name)} }

// Status returns the state of the lab.
func (r Remote) Status(ctx context.Context) (Status, error) {
	var status Status
	err := r.call(ctx, http.MethodGet, "/status", nil, &status)
	return status, err
}

// Change requests a change and returns its result.
func (r Remote) Change(ctx context.Context, c Change) (string, error) {
	var result string
	err := r.call(ctx, http.MethodPost, "/change", c, &result)
	return result, err
}

// Record identifies the process that runs it.
func (r Remote) Record() (Record, error) {
	record, err := readRecord(r.folder)
	if errors.Is(err, fs.ErrNotExist) {
		return record, ErrDown
	}
	return record, err
}

// Down stops the lab, and cleans up if its process was killed.
func (r Remote) Down(ctx context.Context) error {
	record, _ := r.Record() // missing when it is not up
	err := r.call(ctx, http.MethodPost, "/down", nil, nil)
	if err != nil && !errors.Is(err, ErrDown) {
		return err
	}
	var folder *Folder
	for requestedAt := time.Now(); ; {
		if folder, err = take(r.root, r.name); !errors.Is(err, ErrRunning) {
			break
		}
		if time.Since(requestedAt) > 3*stopGrace {
			r.kill()
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
	if err != nil {
		return err
	}
	if err := errors.Join(sweep(folder.Path, r.name), folder.release()); err != nil {
		return err
	}
	if err := os.RemoveAll(OutsideSocket(r.root, r.name)); err != nil {
		return fmt.Errorf("remove a socket: %w", err)
	}
	for record.alive() || record.Outer != nil && record.Outer.alive() {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Millisecond): // poll until the process has ended
		}
	}
	return nil
}

// kill ends a lab that doesn't respond.
func (r Remote) kill() {
	record, err := r.Record()
	if err != nil {
		return
	}
	if record.alive() {
		_ = unix.Kill(record.Pid, unix.SIGKILL) // it may be ending right now
	}
}

func (r Remote) call(ctx context.Context, method, path string, body, into any) error {
	data, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("describe the command: %w", err)
	}
	request, err := http.NewRequestWithContext(ctx, method, "http://lab"+path, bytes.NewReader(data))
	if err != nil {
		return err
	}
	response, err := overSocket(filepath.Join(r.folder, controlSocket), 30*time.Second).Do(request)
	// Reset: it ended before it accepted our connection.
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, syscall.ECONNRESET) {
		return ErrDown
	}
	if err != nil {
		return fmt.Errorf("query the lab: %w", err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		var failure struct{ Error string }
		if err := json.NewDecoder(response.Body).Decode(&failure); err != nil {
			return fmt.Errorf("the lab answered %s", response.Status)
		}
		return errors.New(failure.Error)
	}
	if into == nil {
		return nil
	}
	return json.NewDecoder(response.Body).Decode(into)
}
