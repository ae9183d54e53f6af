// Package router is the role of an upstream router: it installs the best routes of its BGP peers in
// the kernel. It doesn't select routes; the engine's import filter and the list of allowed prefixes
// do. When it loses all peers it keeps its routes for a while, since the balancers may still work.
package router
