import { checkPermissions } from "../access/check-permissions.ts";
import { readVersion } from "../access/read-version.ts";
import { connect } from "../api/connect.ts";
import { inClusterFolder } from "../api/in-cluster.ts";

// The controller's first step in a pod: it reads the version and its permissions from its own cluster, without a
// kubeconfig. Its account may only write Services, so the result is stored in one.
const { KUBERNETES_SERVICE_HOST: host = "", KUBERNETES_SERVICE_PORT: port = "" } = process.env;
const api = connect({ type: "in-cluster" }, { inCluster: { host, port, folder: inClusterFolder } });
const signal = AbortSignal.timeout(30_000);
const version = await readVersion(api.calls, signal);
const permissions = await checkPermissions(api.calls, signal);
const missing = permissions.filter((each) => each.required && !each.granted);
const { items } = await api.reads.list<{ items: { metadata: { name: string } }[] }>("/api/v1/pods", { signal });
const seen = { version, missing, checked: permissions.length, pods: items.map(({ metadata }) => metadata.name) };
const metadata = { namespace: "default", name: "seen", annotations: { seen: JSON.stringify(seen) } };
await api.calls.applyService({ apiVersion: "v1", kind: "Service", metadata, spec: { ports: [{ port: 80 }] } }, signal);
await api.close();
