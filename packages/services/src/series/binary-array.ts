// PostgreSQL's binary form of an array. Ten thousand samples arrive each second, and formatting each as text
// (quoted, joined, parsed again) costs four times as much as the numbers themselves.

const headerBytes = 20;
const int4 = { oid: 23, bytes: 4 } as const;
const float8 = { oid: 701, bytes: 8 } as const;
const timestamptz = { oid: 1184, bytes: 8 } as const;

/** PostgreSQL's epoch: 1 January 2000. */
const postgresEpochMs = 946_684_800_000;

type Binary = Buffer<ArrayBuffer>;

export function int4Array(values: ArrayLike<number>): Binary {
  return encode(int4, values.length, (buffer, at, index) => {
    buffer.writeInt32BE(values[index] ?? 0, at);
  });
}

export function float8Array(values: ArrayLike<number>): Binary {
  return encode(float8, values.length, (buffer, at, index) => {
    buffer.writeDoubleBE(values[index] ?? 0, at);
  });
}

/** timestamptzArray takes Unix milliseconds. */
export function timestamptzArray(atMs: ArrayLike<number>): Binary {
  return encode(timestamptz, atMs.length, (buffer, at, index) => {
    const micros = ((atMs[index] ?? 0) - postgresEpochMs) * 1_000;
    // Two halves rather than a BigInt each; exact, because any date we accept is far below 2^53 µs.
    buffer.writeInt32BE(Math.floor(micros / 2 ** 32), at);
    buffer.writeUInt32BE(micros - Math.floor(micros / 2 ** 32) * 2 ** 32, at + 4);
  });
}

function encode(
  element: { oid: number; bytes: number },
  length: number,
  write: (buffer: Buffer, at: number, index: number) => void,
): Binary {
  const stride = 4 + element.bytes;
  const buffer = Buffer.alloc(headerBytes + length * stride);
  buffer.writeInt32BE(length === 0 ? 0 : 1, 0); // dimensions
  buffer.writeInt32BE(element.oid, 8);
  if (length === 0) return buffer.subarray(0, 12);
  buffer.writeInt32BE(length, 12);
  buffer.writeInt32BE(1, 16); // lower bound
  for (let index = 0, at = headerBytes; index < length; index++, at += stride) {
    buffer.writeInt32BE(element.bytes, at);
    write(buffer, at + 4, index);
  }
  return buffer;
}
