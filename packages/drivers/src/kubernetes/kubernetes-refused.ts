/** KubernetesRefused says that a cluster's API won't have us as we are: somebody has to change something. Its message is for people. */
export class KubernetesRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = "KubernetesRefused";
  }
}
