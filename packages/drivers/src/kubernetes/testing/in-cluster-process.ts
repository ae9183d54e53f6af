import { checkPermissions } from "../access/check-permissions.ts";
import { readVersion } from "../access/read-version.ts";
import { connect } from "../api/connect.ts";
import { inClusterFolder } from "../api/in-cluster.ts";

// What the controller does first in a pod: it asks the cluster around it what it is and what it may, with nothing given to
// it. The only thing that its account may write is Services, so one says what came of it.
const { KUBERNETES_SERVICE_HOST: host = "", KUBERNETES_SERVICE_PORT: port = "" } = process.env;
const api = connect({ type: "in-cluster" }, { inCluster: { host, port, folder: inClusterFolder } });
const signal = AbortSignal.timeout(30_000);
const version = await readVersion(api.calls, signal);
const permissions = await checkPermissions(api.calls, signal);
const missing = permissions.filter((each) => each.required && !each.granted);
const { items } = await api.reads.list<{ items: { metadata: { name: string } }[] }>("/api/v1/pods", { signal });
const seen = { version, missing, asked: permissions.length, pods: items.map(({ metadata }) => metadata.name) };
const metadata = { namespace: "default", name: "seen", annotations: { seen: JSON.stringify(seen) } };
await api.calls.applyService({ apiVersion: "v1", kind: "Service", metadata, spec: { ports: [{ port: 80 }] } }, signal);
await api.close();
