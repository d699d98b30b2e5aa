const POLYNOMIAL = 0x8005

const TABLE: Uint16Array = Uint16Array.from({ length: 256 }, (_, byte) => {
  let register = byte << 8
  for (let bit = 0; bit < 8; bit++) register = register & 0x8000 ? (register << 1) ^ POLYNOMIAL : register << 1
  return register & 0xffff
})

/**
 * CRC-16 of Dynamixel Protocol 2.0 (polynomial 0x8005, initial value 0, most significant bit first, no final xor)
 * over `bytes[start, end)`. Source: ROBOTIS e-manual, "Protocol 2.0, CRC calculation".
 */
export function crc16(bytes: Uint8Array, start = 0, end = bytes.length): number {
  let crc = 0
  for (let i = start; i < end; i++) {
    crc = ((crc << 8) ^ (TABLE[((crc >> 8) ^ (bytes[i] ?? 0)) & 0xff] ?? 0)) & 0xffff
  }
  return crc
}
