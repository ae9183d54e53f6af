package balancer

// The words events of this role can be searched for.
const (
	BackendDown   = "BackendDown"
	BackendUp     = "BackendUp"
	EngineChosen  = "EngineChosen"
	EngineFailed  = "EngineFailed"
	ConfigRefused = "ConfigRefused"
	FlowsUnshared = "FlowsUnshared"
)
