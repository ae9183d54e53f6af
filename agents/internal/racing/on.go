//go:build race

package racing

// Slower is generous: the detector costs most in code with many memory accesses.
const Slower = 12
