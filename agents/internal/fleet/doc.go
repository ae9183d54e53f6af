// Package fleet plays many agents at once, to load a control plane. Each has its
// own key, certificate and connection and speaks through the code that real
// agents use; only the host behind it is made up.
//
// It shares a machine with what it measures, so it is frugal: reports and their
// points are reused as soon as they are answered.
package fleet
