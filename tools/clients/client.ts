/** Client is a client of the REST API that a generator writes. */
export type Client = {
  name: string;
  /** Writes the client for an OpenAPI document into a folder, and compiles it with the program that uses it. */
  build: (document: string, folder: string) => Promise<void>;
  /** The command that runs the plan which its last argument names. */
  command: (folder: string) => [program: string, ...args: string[]];
};
