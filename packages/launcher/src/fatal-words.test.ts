import { describe, expect, it } from "vitest";
import { fatalWords } from "./fatal-words.ts";

const at = "2026-11-22 10:00:00.000 GMT [7]";

describe("fatalWords", () => {
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
      "the reason before what follows from it",
      [
        `${at} FATAL:  could not write to file "pg_wal/xlogtemp.9": No space left on device`,
        `${at} LOG:  startup process (PID 9) exited with exit code 1`,
        `${at} LOG:  database system is shut down`,
      ],
      'could not write to file "pg_wal/xlogtemp.9": No space left on device',
    ],
    [
      "nothing that was only told to a client",
      [
        `${at} FATAL:  lock file "postmaster.pid" is empty`,
        `${at} FATAL:  the database system is starting up`,
        `${at} FATAL:  terminating connection due to administrator command`,
      ],
      'lock file "postmaster.pid" is empty',
    ],
    [
      "what initdb calls an error",
      ["fixing permissions ...", "initdb: error: could not create file: Disk quota exceeded", "initdb: removing it"],
      "could not create file: Disk quota exceeded",
    ],
    [
      "what is said before there is a log",
      ['postgres: could not access directory "/d": Permission denied', "Run initdb to initialize it."],
      'could not access directory "/d": Permission denied',
    ],
    ["the last line where none is fatal", ["one", "two", ""], "two"],
  ])("finds %s", (_, lines, words) => {
    expect(fatalWords(lines.join("\n"))).toBe(words);
  });
});
