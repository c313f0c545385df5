/** A device of Ghostscript (https://ghostscript.readthedocs.io/en/latest/Devices.html). */
interface Device {
  readonly name: string
  readonly args?: readonly string[]
  /** One file per page. */
  readonly pages: boolean
}

const SMOOTH = ['-dTextAlphaBits=4', '-dGraphicsAlphaBits=4']

export const DEVICES: Readonly<Record<string, Device>> = {
  pdf: { name: 'pdfwrite', pages: false },
  png: { name: 'png16m', args: SMOOTH, pages: true },
  jpeg: { name: 'jpeg', args: [...SMOOTH, '-dJPEGQ=90'], pages: true },
  tiff: { name: 'tiff24nc', args: ['-sCompression=lzw', ...SMOOTH], pages: false },
  txt: { name: 'txtwrite', pages: false },
  ps: { name: 'ps2write', pages: false },
  eps: { name: 'eps2write', pages: true },
  pxl: { name: 'pxlcolor', pages: false },
}
