/** Numbers as the headers of formats have them. */
export function u16be(...numbers: readonly number[]): Buffer {
  return Buffer.concat(numbers.map((number) => Buffer.from([(number >> 8) & 255, number & 255])))
}

export function u16le(...numbers: readonly number[]): Buffer {
  return u16be(...numbers).swap16()
}

export function u32le(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 4)
  for (const [at, number] of numbers.entries()) bytes.writeUInt32LE(number >>> 0, at * 4)
  return bytes
}

export function repeated(times: number, each: (at: number) => Uint8Array): Buffer {
  return Buffer.concat(Array.from({ length: times }, (_, at) => each(at)))
}
