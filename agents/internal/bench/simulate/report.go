package simulate

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Options apply to all sets.
type Options struct {
	Seed    uint64
	Seconds float64 // measured in each run of the grid; other sets have multiples
}

// Report is the result of a set.
type Report struct {
	Lines  []Line
	Tables []Table
}

// Table is a part of a report for readers.
type Table struct {
	Title   string
	Columns []string
	Rows    [][]string
}

// perCase has a row for each case and a column for each subject.
func perCase(title string, lines []Line, names []string, figure func(Result) float64) Table {
	table := Table{Title: title, Columns: append([]string{"case"}, names...)}
	cases, results := byCase(lines)
	for _, each := range cases {
		row := []string{each}
		for _, name := range names {
			row = append(row, digits(figure(results[each][name])))
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}

func digits(value float64) string {
	if value >= 100 {
		return fmt.Sprintf("%.0f", value)
	}
	return fmt.Sprintf("%.3g", value)
}

func (r Report) printJSON(out io.Writer) error {
	encoder := json.NewEncoder(out)
	for _, line := range r.Lines {
		if err := encoder.Encode(line); err != nil {
			return err
		}
	}
	return nil
}

func (r Report) printTables(out io.Writer) error {
	for _, table := range r.Tables {
		if _, err := fmt.Fprintf(out, "\n%s\n\n", table.Title); err != nil {
			return err
		}
		aligned := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		for _, row := range append([][]string{table.Columns}, table.Rows...) {
			_, _ = fmt.Fprintln(aligned, strings.Join(row, "\t"))
		}
		if err := aligned.Flush(); err != nil {
			return err
		}
	}
	return nil
}
