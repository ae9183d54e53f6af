// Package router is the role of an upstream router: the best routes that peers offer
// become routes of the kernel. It never decides which routes are good; the filter of the
// engine and the list of what may be routed do. When nobody tells it anything any more,
// it goes on with what it knows for a while, since the balancers may be well.
package router
