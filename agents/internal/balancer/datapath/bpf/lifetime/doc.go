// Package lifetime has the rules for when a connection counts as live and when it is over.
// They are pure functions of an entry and the time.
package lifetime
