package mesh

import (
	"testing"

	"fairlead.dev/agents/internal/netspace/netspacetest"
)

func TestMain(m *testing.M) { netspacetest.Main(m) }
