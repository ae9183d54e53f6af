// Package ecmp measures how long a router's kernel takes to follow: from what a speaker
// decides, or from what ends it, to the next hops that packets go by. Reflectors and
// speakers are real `fairlead-agent` processes in network namespaces; the router is ours
// or somebody else's. Then it measures how long a client takes to be answered through a
// replica whose backend has become ready.
package ecmp
