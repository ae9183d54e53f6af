// Package fleet simulates many agents at once, to load a control plane. Each has its own key,
// certificate and connection, and uses the code of real agents; only the host is simulated.
//
// It runs on the same machine as what it measures, so it saves resources: reports and their points
// are reused after their acknowledgement.
package fleet
