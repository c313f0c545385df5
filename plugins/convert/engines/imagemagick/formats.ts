/** ImageMagick 6's handling of a format (`-list format`). */
export interface PictureFormat {
  /** Name of the coder, used as a prefix of every file name so that nothing is guessed from the name or the content. */
  readonly coder: string
  readonly writes?: false
  readonly reads?: false
  /** A file may hold several pictures or pages. */
  readonly frames?: true
  /** The format supports transparency; in others it becomes white. */
  readonly alpha?: true
  /** Arguments before the result. */
  readonly args?: readonly string[]
  /** Other coders used by this one. */
  readonly uses?: readonly string[]
}

const GREY = ['-colorspace', 'Gray']
/** Dithered black and white. */
const BILEVEL = ['-colorspace', 'Gray', '-dither', 'FloydSteinberg', '-monochrome']
const ICON = ['-resize', '256x256>']

/**
 * Left out: raw pixels without a header, vector formats and everything rendered from text, PostScript and PDF,
 * formats that reference other files, and formats decoded by an external program. A test has converted a file of each
 * listed format.
 */
export const PICTURES: Readonly<Record<string, PictureFormat>> = {
  png: { coder: 'PNG', alpha: true },
  jpeg: { coder: 'JPEG', args: ['-quality', '90'] },
  gif: { coder: 'GIF', frames: true, alpha: true },
  webp: { coder: 'WEBP', frames: true, alpha: true, args: ['-quality', '85'] },
  tiff: { coder: 'TIFF', frames: true, alpha: true, args: ['-compress', 'LZW'] },
  bigtiff: { coder: 'TIFF64', frames: true, alpha: true, args: ['-compress', 'LZW'] },
  ptif: { coder: 'PTIF', alpha: true },
  avif: { coder: 'AVIF' },
  heic: { coder: 'HEIC' },
  jp2: { coder: 'JP2', alpha: true },
  j2k: { coder: 'J2K', alpha: true },
  bmp: { coder: 'BMP' },
  dib: { coder: 'DIB' },
  ico: { coder: 'ICO', frames: true, alpha: true, args: ICON, uses: ['PNG', 'BMP', 'DIB'] },
  cur: { coder: 'CUR', frames: true, alpha: true, args: ICON, uses: ['PNG', 'BMP', 'DIB'] },
  tga: { coder: 'TGA', alpha: true },
  dds: { coder: 'DDS', alpha: true },
  pcx: { coder: 'PCX' },
  dcx: { coder: 'DCX', frames: true, uses: ['PCX'] },
  psd: { coder: 'PSD', alpha: true },
  psb: { coder: 'PSB', alpha: true },
  ppm: { coder: 'PPM' },
  pgm: { coder: 'PGM', args: GREY },
  pbm: { coder: 'PBM', args: BILEVEL },
  pnm: { coder: 'PNM' },
  pam: { coder: 'PAM', alpha: true },
  pfm: { coder: 'PFM' },
  xbm: { coder: 'XBM', args: BILEVEL },
  xpm: { coder: 'XPM', alpha: true },
  xwd: { coder: 'XWD' },
  sgi: { coder: 'SGI', alpha: true },
  ras: { coder: 'SUN', alpha: true },
  hdr: { coder: 'HDR' },
  dpx: { coder: 'DPX' },
  cin: { coder: 'CIN' },
  fits: { coder: 'FITS', args: GREY },
  miff: { coder: 'MIFF', frames: true, alpha: true },
  mng: { coder: 'MNG', frames: true, alpha: true, uses: ['PNG', 'JNG', 'JPEG'] },
  jng: { coder: 'JNG', alpha: true, uses: ['JPEG', 'PNG'] },
  aai: { coder: 'AAI', alpha: true },
  art: { coder: 'ART', args: BILEVEL },
  avs: { coder: 'AVS', alpha: true },
  cals: { coder: 'CALS', args: BILEVEL, uses: ['GROUP4', 'TIFF'] },
  hrz: { coder: 'HRZ' },
  ipl: { coder: 'IPL' },
  jbig: { coder: 'JBIG', args: BILEVEL },
  mtv: { coder: 'MTV' },
  otb: { coder: 'OTB', args: ['-resize', '255x255>', ...BILEVEL] },
  palm: { coder: 'PALM' },
  pict: { coder: 'PICT', uses: ['JPEG'] },
  pgx: { coder: 'PGX', args: GREY },
  rgf: { coder: 'RGF', args: ['-resize', '255x255>', ...BILEVEL] },
  sixel: { coder: 'SIXEL' },
  vicar: { coder: 'VICAR', args: GREY },
  viff: { coder: 'VIFF', alpha: true },
  vips: { coder: 'VIPS' },
  wbmp: { coder: 'WBMP', args: BILEVEL },
  cut: { coder: 'CUT', writes: false },
  mac: { coder: 'MAC', writes: false },
  pix: { coder: 'PIX', writes: false },
  rle: { coder: 'RLE', writes: false, alpha: true },
  sct: { coder: 'SCT', writes: false },
  tim: { coder: 'TIM', writes: false },
  scr: { coder: 'SCR', writes: false },
}
