package vmtest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// kernelVariable has the folder of an unpacked Debian package with a kernel and its modules.
// Then Boot starts that kernel in QEMU.
const kernelVariable = "FAIRLEAD_TEST_KERNEL"

// bootMachine runs init on a kernel in QEMU. It emulates the processor, because not every machine has one
// that can be shared.
func bootMachine(t *testing.T, folder, init string) ([]byte, error) {
	emulator, err := exec.LookPath("qemu-system-x86_64")
	if err != nil {
		return nil, fmt.Errorf("QEMU isn't here: install the Debian package qemu-system-x86 (%w)", err)
	}
	kernels, err := filepath.Glob(filepath.Join(folder, "boot", "vmlinuz-*"))
	if err != nil || len(kernels) != 1 {
		return nil, fmt.Errorf("%s has %d kernels in boot, want one (%w)", folder, len(kernels), err)
	}
	release := strings.TrimPrefix(filepath.Base(kernels[0]), "vmlinuz-")
	files := filepath.Join(t.TempDir(), "files.cpio")
	if err := packFiles(files, init, filepath.Join(folder, "lib", "modules", release), release); err != nil {
		return nil, fmt.Errorf("pack the files of the VM: %w", err)
	}
	parameters := append([]string{"console=ttyS0", "quiet", "panic=-1", "mitigations=off", "rdinit=/init"}, arguments(t)...)
	return exec.CommandContext(t.Context(), emulator, "-accel", "tcg,thread=multi", "-cpu", "max", "-smp", "2", "-m", "2048", "-nodefaults", "-no-reboot",
		"-display", "none", "-serial", "stdio", "-kernel", kernels[0], "-initrd", files, "-append", strings.Join(parameters, " ")).CombinedOutput()
}

// packFiles writes the VM's initial file system: init, and the wanted modules with those that they need.
func packFiles(to, init, modules, release string) (err error) {
	file, err := os.Create(to)
	if err != nil {
		return err
	}
	defer file.Close()
	archive := &archive{to: file}
	for _, folder := range append(folders, "modules/"+release) {
		archive.folder(folder)
	}
	archive.file("init", init)
	needed, err := filesOf(modules, wanted)
	if err != nil {
		return err
	}
	for _, name := range append(needed, "modules.dep", "modules.builtin") {
		archive.parents("modules/" + release + "/" + name)
		archive.file("modules/"+release+"/"+name, filepath.Join(modules, name))
	}
	return archive.end()
}
