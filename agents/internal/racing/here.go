package racing

import (
	"fmt"
	"os"
	"strconv"
)

// variable tells a test that runs without the race detector, as in a guest, beside those that run with it.
const variable = "FAIRLEAD_SLOWER"

// Told is what tells it, as a variable of the environment.
func Told() string { return fmt.Sprintf("%s=%d", variable, Slower) }

// Here is Slower, or what was told from outside if that is more.
func Here() int {
	told, _ := strconv.Atoi(os.Getenv(variable))
	return max(Slower, told)
}
