package cpulimit

import (
	"io/fs"
	"os"
	"path/filepath"
)

// foldersOfPods are where kubelets put the cgroup of all pods: with the drivers systemd and cgroupfs, at the root or
// in the cgroup that is set as theirs.
var foldersOfPods = []string{"kubepods.slice", "kubepods", "*/*-kubepods.slice", "*/kubepods"}

// PodsIn returns the cgroup of all pods of a kubelet below this one. It is empty without one, and with several of them,
// because then it is unknown which is meant.
func PodsIn(cgroup string) string {
	for _, pattern := range foldersOfPods {
		found, _ := fs.Glob(os.DirFS(cgroup), pattern) // fails only for a bad pattern
		switch len(found) {
		case 0:
		case 1:
			return filepath.Join(cgroup, found[0])
		default:
			return ""
		}
	}
	return ""
}
