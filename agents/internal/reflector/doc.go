// Package reflector is the role that passes on what speakers offer: routers are given
// every route to a prefix, not only the best one, and speakers are given nothing.
package reflector
