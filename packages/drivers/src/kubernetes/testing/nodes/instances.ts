import { answerImage } from "./start-nodes.ts";

/** answersOf is a stateful set whose pods say which they are, at port 8080 of TCP and UDP, on as many nodes as there are. */
export function answersOf(name: string, replicas: number): object {
  return podsOf(name, replicas, {
    ...{ name: "answer", image: answerImage, ports: [{ containerPort: 8_080 }] },
    readinessProbe: { tcpSocket: { port: 8_080 }, periodSeconds: 1 },
  });
}

/** podsOf is a stateful set of pods with one container, spread over the nodes. Nodes pull no images: they have them. */
export function podsOf(name: string, replicas: number, container: object, volumes: readonly object[] = []): object {
  const labels = { app: name };
  const spread = {
    ...{ maxSkew: 1, topologyKey: "kubernetes.io/hostname", whenUnsatisfiable: "DoNotSchedule" },
    labelSelector: { matchLabels: labels },
  };
  const spec = {
    ...{ terminationGracePeriodSeconds: 1, automountServiceAccountToken: false, enableServiceLinks: false },
    topologySpreadConstraints: [spread],
    // Who asks for nothing gets none of a processor that others use.
    containers: [{ imagePullPolicy: "Never", resources: { requests: { cpu: "100m" } }, ...container }],
    volumes,
  };
  return {
    metadata: { name },
    spec: {
      ...{ replicas, serviceName: name, podManagementPolicy: "Parallel", selector: { matchLabels: labels } },
      template: { metadata: { labels }, spec },
    },
  };
}
