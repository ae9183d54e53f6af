package exposition_test

import (
	"errors"
	"net/http/httptest"
	"strings"
	"testing"

	"fairlead.dev/agents/internal/exposition"
	"fairlead.dev/agents/internal/exposition/expositiontest"
)

func TestWriteEscapesTextsAndWritesEachSeriesOnce(t *testing.T) {
	var page strings.Builder
	err := exposition.Write(&page, []exposition.Family{
		{Name: "fairlead_a", Help: "Path C:\\x\nnext.", Kind: exposition.Gauge, Samples: []exposition.Sample{
			{Value: 0.25},
			{Labels: map[string]string{"name": "a \"b\"\\\n\tü", "also": "x"}, Value: 1},
			{Labels: map[string]string{"also": "x", "name": "a \"b\"\\\n\tü"}, Value: 2},
		}},
		{Name: "fairlead_later_total", Help: "Nothing yet.", Kind: exposition.Counter},
	})
	want := `# HELP fairlead_a Path C:\\x\nnext.
# TYPE fairlead_a gauge
fairlead_a 0.25
fairlead_a{also="x",name="a \"b\"\\\n` + "\t" + `ü"} 1
# HELP fairlead_later_total Nothing yet.
# TYPE fairlead_later_total counter
`
	if err != nil || page.String() != want {
		t.Fatalf("%v, the page is\n%s\nwant\n%s", err, page.String(), want)
	}
	expositiontest.Lint(t, page.String())
}

func TestAPageThatCanNotBeReadIsAnError(t *testing.T) {
	answer := httptest.NewRecorder()
	exposition.Page(func() ([]exposition.Family, error) { return nil, errors.New("no map") }).
		ServeHTTP(answer, httptest.NewRequest("GET", "/metrics", nil))
	if answer.Code != 500 || answer.Body.String() != "no map\n" {
		t.Fatalf("%d %s", answer.Code, answer.Body)
	}
}
