package peer

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"text/template"
)

const nftProgram = "/usr/sbin/nft"

// Connections are distributed at random, as in kube-proxy. Both directions are translated, and conntrack
// keeps existing connections. The whole ruleset is replaced in one transaction.
var nftablesConfig = template.Must(template.New("nftables").Parse(`
{{range $family := .Families}}
table {{$family}} peer
delete table {{$family}} peer
table {{$family}} peer {
  chain before {
    type nat hook prerouting priority dstnat;
{{range $.Services}}{{if eq .Family $family}}    {{.Family}} daddr {{.Address}} {{.Protocol}} dport {{.Port}} dnat to numgen random mod {{len .Backends}} map { {{range $i, $b := .Backends}}{{if $i}}, {{end}}{{$i}} : {{$b.Address}}{{end}} }
{{end}}{{end}}  }
  chain after { type nat hook postrouting priority srcnat; ct status dnat masquerade; }
}
{{end}}`))

type nftables struct{}

func openNftables() peer { return nftables{} }

// routing are the sysctls for forwarding translated packets.
var routing = map[string]string{
	"net/ipv4/ip_forward": "1", "net/ipv6/conf/all/forwarding": "1",
	"net/ipv4/conf/all/send_redirects": "0", "net/ipv4/conf/eth0/send_redirects": "0",
}

func (nftables) apply(ctx context.Context, file string) error {
	for setting, value := range routing {
		if err := os.WriteFile("/proc/sys/"+setting, []byte(value), 0); err != nil {
			return fmt.Errorf("enable forwarding: %w", err)
		}
	}
	if out, err := exec.CommandContext(ctx, nftProgram, "-f", file).CombinedOutput(); err != nil {
		return fmt.Errorf("it refuses %s: %w: %s", file, err, out)
	}
	return nil
}

func (nftables) ended() <-chan error { return nil }

// The rules are removed with the pod.
func (nftables) stop() {}
