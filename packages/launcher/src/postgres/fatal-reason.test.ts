import { describe, expect, it } from "vitest";
import { fatalReason } from "./fatal-reason.ts";

const at = "2026-11-22 10:00:00.000 GMT [7]";

describe("fatalReason", () => {
  it.each([
    [
      "the reason with its hint",
      [
        `${at} FATAL:  data directory "/d" has wrong ownership`,
        `${at} HINT:  The server must be started by the user that owns the data directory.`,
      ],
      'data directory "/d" has wrong ownership. The server must be started by the user that owns the data directory',
    ],
    [
      "the cause before its consequences",
      [
        `${at} FATAL:  could not write to file "pg_wal/xlogtemp.9": No space left on device`,
        `${at} LOG:  startup process (PID 9) exited with exit code 1`,
        `${at} LOG:  database system is shut down`,
      ],
      'could not write to file "pg_wal/xlogtemp.9": No space left on device',
    ],
    [
      "nothing that was only a message to a client",
      [
        `${at} FATAL:  lock file "postmaster.pid" is empty`,
        `${at} FATAL:  the database system is starting up`,
        `${at} FATAL:  terminating connection due to administrator command`,
      ],
      'lock file "postmaster.pid" is empty',
    ],
    [
      "an error of initdb",
      ["fixing permissions ...", "initdb: error: could not create file: Disk quota exceeded", "initdb: removing it"],
      "could not create file: Disk quota exceeded",
    ],
    [
      "output from before the log starts",
      ['postgres: could not access directory "/d": Permission denied', "Run initdb to initialize it."],
      'could not access directory "/d": Permission denied',
    ],
    ["the last line if none is fatal", ["one", "two", ""], "two"],
  ])("finds %s", (_, lines, words) => {
    expect(fatalReason(lines.join("\n"))).toBe(words);
  });
});
