package adaptive

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"fairlead.dev/agents/internal/adaptive/cpulimit"
)

func TestTheRoleIsReadyWhileItsConfigIsInUse(t *testing.T) {
	first := newLab(t, 1)[0]
	first.stop()
	driver := first.newDriver()
	t.Cleanup(func() { must(t, driver.Close()) })
	want := func(status int, text string) {
		t.Helper()
		answer := httptest.NewRecorder()
		driver.Pages(nil)["/readyz"].ServeHTTP(answer, httptest.NewRequest("GET", "/readyz", nil))
		if got := strings.TrimSpace(answer.Body.String()); answer.Code != status || !strings.HasPrefix(got, text) {
			t.Errorf("got %d %q, want %d %q", answer.Code, got, status, text)
		}
	}
	want(503, "This agent has no configuration with the role adaptive.")
	desired, err := ParseDesired(unchecked(configOf(first, []*labNode{first})))
	must(t, err)
	_, err = driver.Set(t.Context(), desired)
	must(t, err)
	want(200, fmt.Sprintf("All %d services are distributed.", len(desired.Services)))

	unknown := desired
	unknown.Cores = 0
	driver.mutex.Lock()
	driver.options.CPU = cpulimit.Cgroup{CPU: t.TempDir(), Online: "/does/not/exist"}
	driver.mutex.Unlock()
	if _, err := driver.Set(t.Context(), unknown); err == nil {
		t.Error("a config without cores was set on a host whose CPUs are unknown")
	}
	want(503, "The newest configuration is not in use: read the CPU limit")
	_, err = driver.Set(t.Context(), desired)
	must(t, err)
	want(200, "All ")
	_, err = driver.Set(t.Context(), Desired{})
	must(t, err)
	want(503, "This agent has no configuration with the role adaptive.")
}
