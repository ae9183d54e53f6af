// Package rap owns the decision of the baseline RAP: Algorithm 1 of Nguyen et al., Sensors 22(8) 2869. It never measures
// or connects. The control plane has the same decision in packages/domain/src/exposure/rap, for the figures of
// metrics-server, and testdata keeps the two equal.
package rap
