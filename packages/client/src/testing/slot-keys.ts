/** keysOfAllSlots returns one key for each slot of a Redis Cluster, in slot order. */
export function keysOfAllSlots(): string[] {
  const keys: string[] = new Array(slots);
  let found = 0;
  for (let i = 0; found < slots; i++) {
    const key = `key-${i}`;
    const slot = crc16(key) % slots;
    if (keys[slot] !== undefined) continue;
    keys[slot] = key;
    found++;
  }
  return keys;
}

const slots = 16_384;

/** The CRC that the cluster's specification names: CRC-16/XMODEM. */
function crc16(text: string): number {
  let crc = 0;
  for (const byte of Buffer.from(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc;
}
