package gobgp

import (
	"context"
	"log/slog"
)

// warningsOnly drops gobgp's log below warnings: transitions report the rest.
type warningsOnly struct{ slog.Handler }

func (q warningsOnly) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && q.Handler.Enabled(ctx, level)
}

// WithAttrs implements slog.Handler.
func (q warningsOnly) WithAttrs(attributes []slog.Attr) slog.Handler {
	return warningsOnly{q.Handler.WithAttrs(attributes)}
}

// WithGroup implements slog.Handler.
func (q warningsOnly) WithGroup(name string) slog.Handler {
	return warningsOnly{q.Handler.WithGroup(name)}
}
