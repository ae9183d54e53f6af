package adaptive

import "testing"

func isLocal(v visits) bool { return v.Failed == 0 && v.Served["n1"] > 3 && len(v.Served) == 1 }

func TestConnectionsStayAtTheirNodeUntilItIsBusy(t *testing.T) {
	first := newLab(t, 3)[0]
	first.visitUntil("few are served here", shop, few, isLocal)
	first.visitUntil("many are served by all", shop, many, func(v visits) bool {
		return v.Failed == 0 && v.share("n1") > 0.2 && v.share("n2") > 0.2 && v.share("n3") > 0.2
	})
	first.visitUntil("few are served here again", shop, few, isLocal)
	first.visitUntil("standby isn't used while others can serve", backup, many, func(v visits) bool {
		return v.Failed == 0 && v.share("n1") > 0.3 && v.share("n2") > 0.3 && v.Served["n3"] == 0
	})
}
