package cpulimit

import (
	"path/filepath"
	"testing"
)

func TestTheCgroupOfPodsIsFoundWhereKubeletsPutIt(t *testing.T) {
	for _, test := range []struct {
		name    string
		cgroups []string
		want    string
	}{
		{"driver systemd", []string{"system.slice/kubelet.service", "kubepods.slice/kubepods-besteffort.slice"}, "kubepods.slice"},
		{"driver cgroupfs", []string{"kubepods/burstable/pod1", "init.scope"}, "kubepods"},
		{"driver systemd, in a cgroup of kubelets", []string{"kubelet.slice/kubelet-kubepods.slice"}, "kubelet.slice/kubelet-kubepods.slice"},
		{"driver cgroupfs, in a cgroup of kubelets", []string{"kubelet/kubepods", "system"}, "kubelet/kubepods"},
		{"of a former driver too", []string{"kubepods", "kubepods.slice"}, "kubepods.slice"},
		{"no kubelet", []string{"system.slice/docker.service", "user.slice"}, ""},
		{"several kubelets", []string{"node-1/kubepods", "node-2/kubepods"}, ""},
		{"one at the root, and others", []string{"kubepods.slice", "node-1/kubepods", "node-2/kubepods"}, "kubepods.slice"},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := map[string]string{}
			for _, cgroup := range test.cgroups {
				files[cgroup+"/cgroup.procs"] = ""
			}
			root, want := folderOf(t, files), ""
			if test.want != "" {
				want = filepath.Join(root, test.want)
			}
			if got := PodsIn(root); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}
