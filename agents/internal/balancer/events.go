package balancer

// Event reasons of this role.
const (
	BackendDown   = "BackendDown"
	BackendUp     = "BackendUp"
	EngineChosen  = "EngineChosen"
	EngineFailed  = "EngineFailed"
	ConfigRefused = "ConfigRefused"
	FlowsUnshared = "FlowsUnshared"

	TicketNameLearned = "TicketNameLearned"
	TicketNameChanged = "TicketNameChanged"
	TicketNamesShared = "TicketNamesShared"
	TicketNameLacking = "TicketNameLacking"
	TicketNameForeign = "TicketNameForeign"
	SessionIDsMissing = "SessionIDsMissing"

	BackendByProxy   = "BackendByProxy"
	BackendBySession = "BackendBySession"
)
