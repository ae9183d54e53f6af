// Package netspacetest looks on at what happens in network namespaces.
package netspacetest
