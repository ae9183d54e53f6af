// Package ecmp measures how long a router's kernel takes to follow: from a speaker's decision, or
// the end of its process, to the next hops that packets use. Reflectors and speakers are real
// `fairlead-agent` processes in network namespaces; the router is ours or a third-party one. It
// also measures how long a client waits for a reply through a replica whose backend has become
// ready.
package ecmp
