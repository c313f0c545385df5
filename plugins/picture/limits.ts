/** Bounds of one picture. A file beyond one of them is an `invalid` Fault that names it. */
export const LIMITS = {
  /** Bytes of a file, and of the result. */
  bytes: 128 * 1024 * 1024,
  /** Bytes of an SVG file. */
  svgBytes: 5_000_000,
  /** Pixels of a picture, all its frames together. */
  pixels: 40_000_000,
  frames: 300,
  /** Pages that a file may have, of which one is read. */
  pages: 10_000,
  /** Pixels of a side of a result; WebP takes no more. */
  side: 16_383,
  steps: 20,
  /** Pages that become pages of a PDF, and seconds for all of them. */
  printedPages: 500,
  printedSeconds: 90,
  /** Seconds, and MiB of memory, for one picture. */
  seconds: 20,
  memoryMb: 1024,
} as const
