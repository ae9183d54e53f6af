// Package node is the role "node": it measures the host it runs on and gathers
// the facts that change seldom. It reads, and never changes the host.
//
// Reading is split from thinking: a [Source] returns raw counters of one moment,
// and pure functions turn two moments into figures.
package node
