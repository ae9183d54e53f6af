/** CloudRefused means that the cloud rejected a request and an operator must change something. Any other error is temporary. */
export class CloudRefused extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = "CloudRefused";
  }
}
