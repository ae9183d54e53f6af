// Package hold has the first packets that a program holds until the peers have acknowledged
// where their connections go. It sends each by running the program again, or drops it when
// its client will have retried.
package hold
