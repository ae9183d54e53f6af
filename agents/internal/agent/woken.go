package agent

import "context"

// woken lets the driver take in what it found out between two Sets, and says
// whether that is worth a report.
func (l *loop[Desired, Observed]) woken(ctx context.Context) (news bool) {
	ctx, cancel := context.WithTimeout(ctx, driverTimeout)
	defer cancel()
	news, err := l.role.Woken(ctx)
	if err != nil && err.Error() != l.wokenError { // once, not at every wake
		l.options.Log.Error("what the role found out could not be applied; the next resync tries again", "revision", l.revision, "err", err)
	}
	l.wokenError = ""
	if err != nil {
		l.wokenError = err.Error()
	}
	return news
}
