/** Bounds of one picture. A file beyond one of them is an `invalid` Fault that names it. */
export const LIMITS = {
  /** Bytes of a file, and of the result. */
  bytes: 128 * 1024 * 1024,
  /** Bytes of an SVG file. */
  svgBytes: 5_000_000,
  /** Pixels of a picture, all its frames together. */
  pixels: 40_000_000,
  frames: 300,
  /** Pages a file may have, one of which is read. */
  pages: 10_000,
  /** Maximum side of a result in pixels; the limit of WebP. */
  side: 16_383,
  steps: 20,
  /** Pages converted to pages of a PDF, and seconds for all of them. */
  printedPages: 500,
  printedSeconds: 90,
  /** Pages of a PDF that are rendered to detect blank ones. */
  blankPages: 20,
  /** Seconds, and MiB of memory, for one picture. */
  seconds: 20,
  memoryMb: 1024,
} as const
