package signals

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/adaptive/program"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/attach"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/pins"
)

// Options are where the programs run.
type Options struct {
	Cgroup string // of version 2: sockets of its processes, and of all cgroups below it, are counted

	// PinFolder, on a BPF file system, is the folder of the role, and the same for package sockets.
	PinFolder string
}

// Signals counts the requests of a node. One goroutine uses it.
type Signals struct {
	folder      string
	layout      string // of the maps
	maps        map[string]*ebpf.Map
	collection  *ebpf.Collection
	attachments []attach.Attachment
	services    []Service

	observed map[uint16]ServiceCounts // by the last Observe
	former   map[uint16]ServiceCounts // by the one before, whose memory is used again
	rounds   uint64                   // of Observe

	originKeys []originKey // memory for eachOrigin
	origins    []originEntry
}

// hooks are attached in this order. Without sock_ops, connections would be counted from their
// first packet on, and none would end.
var hooks = []struct {
	program string
	at      ebpf.AttachType
}{
	{program.SignalsProgSeeState, ebpf.AttachCGroupSockOps},
	{program.SignalsProgSeeReceived, ebpf.AttachCGroupInetIngress},
	{program.SignalsProgSeeSent, ebpf.AttachCGroupInetEgress},
}

// Open attaches the programs, with the counts and the services of a former process.
func Open(options Options) (_ *Signals, err error) {
	s := &Signals{folder: filepath.Join(options.PinFolder, folderName)}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	for _, hook := range hooks {
		attachment, err := attach.Cgroup(options.Cgroup, hook.at, s.folder)
		if err != nil {
			return nil, err
		}
		s.attachments = append(s.attachments, attachment)
	}
	if err := s.load(); err != nil {
		return nil, err
	}
	if _, err := s.Attach(); err != nil {
		return nil, err
	}
	// Connections that other programs counted are counted again from their next packet on.
	return s, pins.RemoveOtherGenerations(s.folder, s.layout)
}

// Attach attaches what was detached by hand, and returns how many changes that took.
func (s *Signals) Attach() (changes int, err error) {
	for i, hook := range hooks {
		n, err := s.attachments[i].Put(s.collection.Programs[hook.program])
		changes += n
		if err != nil {
			return changes, fmt.Errorf("count requests: %w", err)
		}
	}
	return changes, nil
}

// Close leaves the programs attached: they count on, and the next process continues.
func (s *Signals) Close() error {
	var errs []error
	for _, attachment := range s.attachments {
		errs = append(errs, attachment.Close())
	}
	if s.collection != nil {
		s.collection.Close()
	}
	pins.CloseMaps(s.maps)
	return errors.Join(errs...)
}

// Remove detaches the programs and removes the counts. The shared map stays as long as package sockets
// uses it, without requests.
func (s *Signals) Remove() error {
	var errs []error
	for _, attachment := range s.attachments {
		errs = append(errs, attachment.Remove())
	}
	errs = append(errs, s.Set(Config{}), s.Close(), program.Remove(s.folder))
	return errors.Join(errs...)
}
