/** CloudRefused says that the cloud understands us and won't: somebody has to change something. Weather is any other error. */
export class CloudRefused extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = "CloudRefused";
  }
}
