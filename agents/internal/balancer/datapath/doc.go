// Package datapath is the contract between the balancer role and the engines that carry
// packets: one interface, its types, and how an engine is chosen. It never communicates
// with the control plane and never checks a backend's health.
package datapath
