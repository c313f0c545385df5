/** What of Poppler's programs makes a format. */
interface Target {
  readonly program: 'pdftoppm' | 'pdftocairo' | 'pdftotext' | 'pdftohtml'
  readonly args: (page: number, source: string) => string[]
  /** A file for each page. */
  readonly pages: boolean
  /** The program writes one page at a time. */
  readonly each: boolean
}

export const PAGE_LIMITS = { pages: 300, megabytes: 512 } as const
const DPI = '150'

const drawn = (...format: string[]): Target => ({
  program: 'pdftoppm',
  args: (_page, source) => ['-r', DPI, ...format, source, 'page'],
  pages: true,
  each: false,
})
const cairo = (format: string): Target => ({
  program: 'pdftocairo',
  args: (page, source) => [format, '-f', String(page), '-l', String(page), source, 'page'],
  pages: true,
  each: true,
})

export const TARGETS: Readonly<Record<string, Target>> = {
  png: drawn('-png'),
  jpeg: drawn('-jpeg', '-jpegopt', 'quality=90'),
  tiff: drawn('-tiff', '-tiffcompression', 'lzw'),
  ppm: drawn(),
  svg: cairo('-svg'),
  eps: cairo('-eps'),
  ps: { program: 'pdftocairo', args: (_page, source) => ['-ps', source, 'document'], pages: false, each: false },
  txt: { program: 'pdftotext', args: (_page, source) => ['-enc', 'UTF-8', '-layout', source, 'document'], pages: false, each: false },
  html: {
    program: 'pdftohtml',
    args: (_page, source) => ['-q', '-s', '-noframes', '-dataurls', '-enc', 'UTF-8', source, 'document.html'],
    pages: false,
    each: false,
  },
}
