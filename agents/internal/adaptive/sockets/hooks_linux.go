package sockets

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/adaptive/program"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/attach"
)

type hook struct {
	program string
	at      ebpf.AttachType
}

// What counts the end of connections is attached first, so that none begins uncounted.
var hooks = []hook{
	{program.SocketsProgFairleadClose, ebpf.AttachCgroupInetSockRelease},
	{program.SocketsProgFairleadState, ebpf.AttachCGroupSockOps},
	{program.SocketsProgFairleadPeer4, ebpf.AttachCgroupInet4GetPeername},
	{program.SocketsProgFairleadPeer6, ebpf.AttachCgroupInet6GetPeername},
	{program.SocketsProgFairleadRecv4, ebpf.AttachCGroupUDP4Recvmsg},
	{program.SocketsProgFairleadRecv6, ebpf.AttachCGroupUDP6Recvmsg},
	{program.SocketsProgFairleadSend4, ebpf.AttachCGroupUDP4Sendmsg},
	{program.SocketsProgFairleadSend6, ebpf.AttachCGroupUDP6Sendmsg},
	{program.SocketsProgFairleadConn4, ebpf.AttachCGroupInet4Connect},
	{program.SocketsProgFairleadConn6, ebpf.AttachCGroupInet6Connect},
}

func attachmentsIn(cgroup, folder string) (out []attach.Attachment, err error) {
	for _, hook := range hooks {
		attachment, err := attach.Cgroup(cgroup, hook.at, folder)
		if err != nil {
			return nil, err
		}
		out = append(out, attachment)
	}
	return out, nil
}

// refusedBy explains why a program can't be attached.
func refusedBy(cgroup string, at hook, err error) error {
	if !errors.Is(err, unix.EPERM) {
		return err
	}
	names, _ := othersAt(cgroup, at, 0)
	if len(names) == 0 {
		return err
	}
	return fmt.Errorf("%s is attached at %s of %s and admits no other program: attach it with BPF_F_ALLOW_MULTI, or remove it: %w",
		strings.Join(names, ", "), at.at, cgroup, err)
}

// othersAt returns the names of the programs that sockets of a cgroup pass at a hook, in their order, except
// ours.
func othersAt(cgroup string, at hook, own ebpf.ProgramID) (names []string, err error) {
	folder, err := os.Open(cgroup)
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	found, err := link.QueryPrograms(link.QueryOptions{Target: int(folder.Fd()), Attach: at.at, QueryFlags: unix.BPF_F_QUERY_EFFECTIVE})
	if err != nil {
		return nil, fmt.Errorf("list the programs at %s of %s: %w", at.at, cgroup, err)
	}
	for _, each := range found.Programs {
		if each.ID == own {
			continue
		}
		name, err := nameOf(each.ID)
		if err != nil {
			continue // it was removed meanwhile
		}
		names = append(names, name)
	}
	return names, nil
}

func nameOf(id ebpf.ProgramID) (string, error) {
	other, err := ebpf.NewProgramFromID(id)
	if err != nil {
		return "", err
	}
	defer other.Close()
	info, err := other.Info()
	if err != nil {
		return "", err
	}
	return info.Name, nil
}

// warnings report programs that don't run, and programs of others at the same hooks.
func (e *Engine) warnings() (out []string) {
	for i, hook := range hooks {
		out = append(out, e.attachments[i].Warnings(true)...)
		own, err := e.attachments[i].Attached()
		if err != nil {
			continue
		}
		names, err := othersAt(e.options.Cgroup, hook, own)
		if err != nil || len(names) == 0 || !translates(hook.at) {
			continue
		}
		out = append(out, fmt.Sprintf("Other programs run at %s of %s (%s): they may change or refuse a destination too.",
			hook.at, e.options.Cgroup, strings.Join(names, ", ")))
	}
	if !isRoot(e.options.Cgroup) {
		out = append(out, fmt.Sprintf("Only processes in cgroup %s are distributed, because it isn't the root of the host.", e.options.Cgroup))
	}
	return out
}

func translates(at ebpf.AttachType) bool {
	switch at {
	case ebpf.AttachCGroupInet4Connect, ebpf.AttachCGroupInet6Connect, ebpf.AttachCGroupUDP4Sendmsg, ebpf.AttachCGroupUDP6Sendmsg:
		return true
	}
	return false
}
