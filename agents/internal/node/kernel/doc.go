// Package kernel finds out what the running kernel lets this process do. Every
// answer comes from trying, not from version numbers, and no probe leaves a
// trace: it asks, or it does something to a thread that is then thrown away.
package kernel
