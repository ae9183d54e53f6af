package node

import (
	"bufio"
	"io"
	"net/http"
	"strconv"
	"strings"
	"unicode"
)

// Metrics serves the figures of the last sample in Prometheus' text format. The format needs a
// dozen lines; the client library would be a dozen packages.
func (d *Driver) Metrics() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		writeExposition(w, d.points.snapshot())
	})
}

// writeExposition groups by metric, as the format requires.
func writeExposition(w io.Writer, figures []Figure) {
	var order []string
	grouped := map[string][]Figure{}
	for _, figure := range figures {
		if _, known := grouped[figure.Metric]; !known {
			order = append(order, figure.Metric)
		}
		grouped[figure.Metric] = append(grouped[figure.Metric], figure)
	}
	out := bufio.NewWriter(w)
	defer out.Flush()
	for _, metric := range order {
		name := "fairlead_" + snakeCase(metric)
		out.WriteString("# TYPE " + name + " gauge\n")
		for _, figure := range grouped[metric] {
			out.WriteString(name)
			if figure.Interface != "" {
				out.WriteString(`{interface="` + labelEscaper.Replace(figure.Interface) + `"}`)
			}
			out.WriteString(" " + strconv.FormatFloat(figure.Value, 'g', -1, 64) + "\n")
		}
	}
}

var labelEscaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

func snakeCase(metric string) string {
	var out strings.Builder
	for i, r := range metric {
		if unicode.IsUpper(r) && i > 0 {
			out.WriteByte('_')
		}
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}
