const MIB = 1024 * 1024

/** Bounds of one picture. */
export const LIMITS = {
  /** Bytes of the file at the address. */
  source: 20 * MIB,
  /** Bytes of the file in an answer, and of a vendor's reply. */
  result: 32 * MIB,
  pixels: 40_000_000,
  /** Pixels of a `preview`, and the maximum of `auto`. */
  preview: 250_000,
  auto: 10_000_000,
  /** Pixels of a side of WebP. */
  side: 16_383,
  /** Size of a JPEG file up to which it is sent as PNG, without further loss. */
  lossless: 2 * MIB,
  /** Milliseconds and MiB of one step in the sandbox. */
  stepMs: 40_000,
  memoryMb: 1536,
} as const
