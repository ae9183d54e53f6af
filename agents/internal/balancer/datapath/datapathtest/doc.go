// Package datapathtest is the contract that every engine must keep, tested with real
// packets between network namespaces. The engine runs in its own process inside the
// balancer's namespace, as in a pod, so it can be killed and taken over. The package is
// independent of any engine.
package datapathtest
