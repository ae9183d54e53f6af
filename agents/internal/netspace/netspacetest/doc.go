// Package netspacetest observes network namespaces, and runs the tests of a package in their own
// namespace.
package netspacetest
