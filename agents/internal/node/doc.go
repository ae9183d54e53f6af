// Package node is the role "node": it measures its host and gathers facts that rarely change. It
// never changes the host.
//
// It measures round trips to other nodes with package echo.
//
// Reading is separate from calculation: a [Source] returns raw counters, and pure functions turn
// two readings into figures.
package node
