package racing

import (
	"fmt"
	"os"
	"strconv"
)

// variable overrides Slower in a test binary without the race detector, such as one in a VM next to tests
// that have it.
const variable = "FAIRLEAD_SLOWER"

// Environment is that variable with this process's value, for the environment of a child process.
func Environment() string { return fmt.Sprintf("%s=%d", variable, Slower) }

// Here is Slower, or the value from the environment if that is larger.
func Here() int {
	given, _ := strconv.Atoi(os.Getenv(variable))
	return max(Slower, given)
}
