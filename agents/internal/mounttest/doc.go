// Package mounttest gives a test file systems of its own, of cgroups and of pinned BPF objects, and removes them
// when the test ends.
package mounttest
