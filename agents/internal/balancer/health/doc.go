// Package health finds out whether backends answer: it connects to each one's
// own address at an interval and turns a row of answers into up or down. It
// decides nothing about traffic and keeps nothing beyond the process.
//
// Probing is split from judging: a [Prober] asks once, a verdict is a pure
// function of what it said and when, and a [Monitor] does both on time.
package health
