// Package health checks backends: it connects to each one's own address at an interval
// and turns consecutive results into up or down. It decides nothing about traffic and
// keeps no state beyond the process. Package delivery checks the paths of targets that
// have one.
//
// Probing is separate from judging: a [Prober] checks once, a verdict is a pure function
// of results and times, and a [Monitor] schedules both.
package health
