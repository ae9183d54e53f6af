//go:build race

package racing

// Slower is generous: the detector costs most where memory is touched most.
const Slower = 12
