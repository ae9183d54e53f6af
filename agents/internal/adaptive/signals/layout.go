package signals

import "fairlead.dev/agents/internal/adaptive/program"

// The layouts of the programs, by their names in signals.h.
type (
	backendEntry = program.SignalsSignalBackend
	prefixEntry  = program.SignalsSignalPrefix
	portSet      = program.SignalsSignalPortSet
	serviceEntry = program.SignalsSignalService
	originKey    = program.SignalsSignalOriginKey
	originEntry  = program.SignalsSignalOrigin
	order        = program.SignalsSignalOrder
	correction   = program.SignalsSignalCorrection
)
