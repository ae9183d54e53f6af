import { answerImage } from "./start-nodes.ts";

/** answersOf is a stateful set whose pods return their names on port 8080 of TCP and UDP, spread over all nodes. */
export function answersOf(name: string, replicas: number): object {
  return podsOf(name, replicas, {
    ...{ name: "answer", image: answerImage, ports: [{ containerPort: 8_080 }] },
    readinessProbe: { tcpSocket: { port: 8_080 }, periodSeconds: 1 },
  });
}

/** podsOf is a stateful set of pods with one container, spread over the nodes, which already have the images. */
export function podsOf(name: string, replicas: number, container: object, volumes: readonly object[] = []): object {
  const labels = { app: name };
  const spread = {
    ...{ maxSkew: 1, topologyKey: "kubernetes.io/hostname", whenUnsatisfiable: "DoNotSchedule" },
    labelSelector: { matchLabels: labels },
  };
  const spec = {
    ...{ terminationGracePeriodSeconds: 1, automountServiceAccountToken: false, enableServiceLinks: false },
    topologySpreadConstraints: [spread],
    // A container without a request gets no CPU time on a busy machine.
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
