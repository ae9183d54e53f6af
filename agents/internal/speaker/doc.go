// Package speaker is the role next to a balancer replica that advertises its service addresses to
// routers, as long as a probe through the replica's own data path succeeds. A flapping service is
// held back. A leaving service first becomes the last resort, and is withdrawn when its connections
// have ended.
//
// It never reads the balancer's config: what a probe can't reach isn't advertised, whatever is
// configured.
package speaker
