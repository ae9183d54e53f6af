package agent_test

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"

	"fairlead.dev/agents/internal/agent"
	"fairlead.dev/agents/internal/controlplane/controlplanetest"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

func TestRunsAgainstANewerControlPlaneAndKeepsWhatItDoesNotKnow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp, folder := controlplanetest.New(t), t.TempDir()
		cp.SetSkew(controlplanetest.Newer)
		a := start(t, cp, folder, &agent.Fake[spec]{})
		cp.SetConfig(config(1, 1000))
		time.Sleep(time.Minute)
		synctest.Wait()
		if a.host.Host() != (spec{1000}) || lastReport(t, cp).GetObservedRevision() != 1 || len(cp.Watches()) != 1 {
			t.Fatalf("host %v, watches %d\n%s", a.host.Host(), len(cp.Watches()), a.log)
		}

		// A newer version of the agent starts from the same file and knows the field.
		stored, err := agent.StoredConfig(folder)
		if err != nil || !bytes.Contains(stored, []byte("from the future")) {
			t.Fatalf("the unknown field is gone (%v)", err)
		}
	})
}

func TestRunsAgainstAnOlderControlPlane(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp := controlplanetest.New(t)
		cp.SetSkew(controlplanetest.Older)
		cp.SetCertificateLife(24 * time.Hour)
		a := start(t, cp, t.TempDir(), &agent.Fake[spec]{})
		quiet := config(1, 1000)
		quiet.ReportIntervalMs = 300_000
		cp.SetConfig(quiet)
		time.Sleep(20 * time.Hour)
		synctest.Wait()
		if a.host.Host() != (spec{1000}) || lastReport(t, cp).GetObservedRevision() != 1 {
			t.Fatalf("host %v\n%s", a.host.Host(), a.log)
		}
		if logged := strings.Count(a.log.String(), "can't renew"); logged != 1 {
			t.Fatalf("logged %d times that the certificate can't be renewed", logged)
		}
	})
}

// An older control plane reads reports with its own, smaller schema.
func TestAnOlderSchemaReadsWhatItKnowsOfAReport(t *testing.T) {
	data, err := proto.Marshal(&agentv1.ReportRequest{
		BootId: "boot", Sequence: 9, ObservedRevision: 4, Warnings: []string{"new"},
		Series: []*agentv1.SeriesPoints{{Metric: "load1", AtMs: []int64{1}, Values: []float64{2}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	file := protodesc.ToFileDescriptorProto(agentv1.File_fairlead_agent_v1_report_proto)
	for _, message := range file.MessageType {
		if message.GetName() == "ReportRequest" {
			message.Field = message.Field[:4]
		}
	}
	older, err := protodesc.NewFile(file, protoregistry.GlobalFiles)
	if err != nil {
		t.Fatal(err)
	}
	report := dynamicpb.NewMessage(older.Messages().ByName("ReportRequest"))
	if err := proto.Unmarshal(data, report); err != nil {
		t.Fatal(err)
	}
	sequence := report.Get(report.Descriptor().Fields().ByName("sequence")).Uint()
	if sequence != 9 || len(report.GetUnknown()) == 0 {
		t.Fatalf("sequence %d, unknown %d bytes", sequence, len(report.GetUnknown()))
	}
}
