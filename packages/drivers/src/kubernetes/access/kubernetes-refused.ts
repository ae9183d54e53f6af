/** KubernetesRefused means that a cluster's API refuses access and an operator must change something. Its message is for users. */
export class KubernetesRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = "KubernetesRefused";
  }
}
