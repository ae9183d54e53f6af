/** Where tests have an emulated cloud: the product is told that it may be asked there. */
export const cloudPort = 3192;
export const cloudUrl = `http://127.0.0.1:${cloudPort}`;
