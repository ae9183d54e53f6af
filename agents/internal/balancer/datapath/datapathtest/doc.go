// Package datapathtest is what every engine has to keep: one contract, tried
// with real packets between network namespaces. The engine runs in a process of
// its own inside the balancer's namespace, as it would in a pod, so it can be
// killed and taken over. The package knows no engine.
package datapathtest
