package configfile

import (
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// watch reports any change in the file's folder. It watches the folder because the file is
// replaced, and because a file mounted by Kubernetes is a link to a link that is replaced.
func watch(path string) (changes <-chan struct{}, stop func(), err error) {
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err != nil {
		return nil, func() {}, fmt.Errorf("open inotify: %w", err)
	}
	file := os.NewFile(uintptr(fd), "inotify") // non-blocking, so that Close ends Read
	folder := filepath.Dir(path)
	const events = unix.IN_MOVED_TO | unix.IN_CLOSE_WRITE | unix.IN_CREATE | unix.IN_DELETE
	if _, err := unix.InotifyAddWatch(fd, folder, events); err != nil {
		_ = file.Close()
		return nil, func() {}, fmt.Errorf("watch %s: %w", folder, err)
	}
	happened, done := make(chan struct{}, 1), make(chan struct{})
	go func() {
		defer close(done)
		buffer := make([]byte, 4096)
		for {
			if _, err := file.Read(buffer); err != nil {
				return
			}
			select {
			case happened <- struct{}{}:
			default:
			}
		}
	}()
	return happened, func() { _ = file.Close(); <-done }, nil
}
