// Package exposition writes pages in Prometheus' text format. The format takes a page of code; the
// client library would add a dozen packages to the agent.
//
// Names, units and help texts follow the rules of promtool check metrics. Package expositiontest
// checks that.
package exposition
