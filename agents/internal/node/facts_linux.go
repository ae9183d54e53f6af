package node

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sys/unix"
	"google.golang.org/protobuf/types/known/timestamppb"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/node/kernel"
)

// probeEvery is how often kernel features are probed again: a module may have been loaded since,
// but a probe costs a few milliseconds of kernel time.
const probeEvery = 10 * time.Minute

// hostFacts gathers facts of the running host. What can't change while the process runs is read
// once.
type hostFacts struct {
	fixed    *agentv1.NodeFacts
	features []*agentv1.KernelFeature
	probedAt time.Time
}

// NewFacts returns the facts of the host the agent runs on.
func NewFacts() Facts { return &hostFacts{} }

// Gather implements [Facts].
func (f *hostFacts) Gather(excludes func(string) bool) (*agentv1.NodeFacts, error) {
	if f.fixed == nil {
		fixed, err := readFixed()
		if err != nil {
			return nil, err
		}
		f.fixed = fixed
	}
	if time.Since(f.probedAt) >= probeEvery {
		f.features, f.probedAt = features(kernel.Probe()), time.Now()
	}
	interfaces, err := readInterfaces(excludes)
	if err != nil {
		return nil, err
	}
	// The hostname may change, so it is read each time.
	hostname, err := os.Hostname()
	if err != nil {
		return nil, fmt.Errorf("read the hostname: %w", err)
	}
	return &agentv1.NodeFacts{
		Hostname: strings.ToValidUTF8(hostname, "?"), Os: f.fixed.Os, Kernel: f.fixed.Kernel, Arch: f.fixed.Arch,
		CpuCount: f.fixed.CpuCount, CpuModel: f.fixed.CpuModel, MemoryBytes: f.fixed.MemoryBytes,
		BootedAt: f.fixed.BootedAt, Interfaces: interfaces, KernelFeatures: f.features,
	}, nil
}

func readFixed() (*agentv1.NodeFacts, error) {
	var name unix.Utsname
	if err := unix.Uname(&name); err != nil {
		return nil, fmt.Errorf("read the kernel's name: %w", err)
	}
	stat, err := os.ReadFile("/proc/stat")
	meminfo, err2 := os.ReadFile("/proc/meminfo")
	cpuinfo, err3 := os.ReadFile("/proc/cpuinfo")
	if err := errors.Join(err, err2, err3); err != nil {
		return nil, err
	}
	memory, err := parseMeminfo(meminfo)
	if err != nil {
		return nil, err
	}
	release, err := os.ReadFile("/etc/os-release")
	if err != nil {
		release = nil // minimal images have none
	}
	return &agentv1.NodeFacts{
		Os: parseOSRelease(release), Kernel: unix.ByteSliceToString(name.Release[:]), Arch: runtime.GOARCH,
		CpuCount: parseCPUCount(stat), CpuModel: parseCPUModel(cpuinfo), MemoryBytes: memory.Total,
		// Read once: the kernel derives it from the wall clock, so it drifts.
		BootedAt: timestamppb.New(parseBootTime(stat)),
	}, nil
}

func features(probed []kernel.Feature) []*agentv1.KernelFeature {
	var all []*agentv1.KernelFeature
	for _, feature := range probed {
		all = append(all, &agentv1.KernelFeature{Name: feature.Name, Available: feature.Available, Reason: feature.Reason})
	}
	return all
}
