// Package datapath is the contract between the balancer role and the engines
// that carry packets: one interface, its words, and how an engine is chosen.
// It never talks to the control plane and never checks a backend's health.
package datapath
