package agent

import "context"

// woken calls the role's Woken, and reports whether it changed something worth a report.
func (l *loop[Desired, Observed]) woken(ctx context.Context) (news bool) {
	ctx, cancel := context.WithTimeout(ctx, driverTimeout)
	defer cancel()
	news, err := l.role.Woken(ctx)
	if err != nil && err.Error() != l.wokenError { // once, not at every wake
		l.options.Log.Error("a change detected by the role could not be applied; the next resync retries", "revision", l.revision, "err", err)
	}
	l.wokenError = ""
	if err != nil {
		l.wokenError = err.Error()
	}
	return news
}
