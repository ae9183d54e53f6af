// Package netspace creates network namespaces and links between them, and runs code and processes
// inside. The lab and all tests that change the kernel's network use it.
package netspace
