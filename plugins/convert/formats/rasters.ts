import type { Format } from './format.js'
import type { Shape } from './shape.js'

const JP2 = '\0\0\0\x0cjP  \r\n\x87\n'

type Names = Partial<Pick<Format, 'aliases' | 'extension'>>

const picture = (id: string, [title, mime]: readonly [string, string], is: Shape, names: Names = {}): Format => ({
  ...{ id, title, family: 'picture', mime, is },
  ...names,
})
const begins = (...bytes: string[]): Shape => ({ begins: bytes })
const at = (place: number, ...bytes: string[]): Shape => ({ begins: bytes.map((each) => ({ at: place, bytes: each })) })

/** Raster formats not displayed by browsers. Those without a signature are recognised only by their reader. */
export const RASTERS: readonly Format[] = [
  picture('bigtiff', ['BigTIFF picture', 'image/tiff'], begins('II+\0', 'MM\0+'), { aliases: ['tiff64'], extension: 'tif' }),
  picture('ptif', ['Pyramid of TIFF pictures', 'image/tiff'], begins('II*\0', 'MM\0*'), { aliases: ['ptiff'] }),
  picture('heic', ['HEIC picture', 'image/heic'], at(4, 'ftyphei', 'ftyphev', 'ftypmif1', 'ftypmsf1'), { aliases: ['heif'] }),
  picture('jp2', ['JPEG 2000 picture', 'image/jp2'], begins(JP2), { aliases: ['jpg2', 'jpeg2000'] }),
  picture('j2k', ['JPEG 2000 code stream', 'image/x-jp2-codestream'], begins('\xff\x4f\xff\x51'), { aliases: ['j2c', 'jpc'] }),
  picture('bmp', ['Windows bitmap', 'image/bmp'], begins('BM')),
  picture('dib', ['Windows bitmap without its file header', 'image/bmp'], begins('\x28\0\0\0', '\x6c\0\0\0', '\x7c\0\0\0')),
  picture('ico', ['Windows icon', 'image/vnd.microsoft.icon'], begins('\0\0\x01\0'), { aliases: ['icon'] }),
  picture('cur', ['Windows cursor', 'image/x-win-bitmap'], begins('\0\0\x02\0', '\0\0\x01\0')),
  picture('tga', ['Targa picture', 'image/x-tga'], {}, { aliases: ['targa', 'icb', 'vda', 'vst'] }),
  picture('dds', ['DirectDraw surface', 'image/vnd-ms.dds'], begins('DDS ')),
  picture('pcx', ['PC Paintbrush picture', 'image/vnd.zbrush.pcx'], begins('\x0a')),
  picture('dcx', ['PC Paintbrush pages', 'image/x-dcx'], begins('\xb1\x68\xde\x3a')),
  picture('psd', ['Photoshop picture', 'image/vnd.adobe.photoshop'], begins('8BPS\0\x01')),
  picture('psb', ['Photoshop picture, large', 'image/vnd.adobe.photoshop'], begins('8BPS\0\x02')),
  picture('ppm', ['Portable pixmap', 'image/x-portable-pixmap'], begins('P6', 'P3')),
  picture('pgm', ['Portable greymap', 'image/x-portable-graymap'], begins('P5', 'P2')),
  picture('pbm', ['Portable bitmap', 'image/x-portable-bitmap'], begins('P4', 'P1')),
  picture('pnm', ['Portable anymap', 'image/x-portable-anymap'], begins('P1', 'P2', 'P3', 'P4', 'P5', 'P6')),
  picture('pam', ['Portable arbitrary map', 'image/x-portable-arbitrarymap'], begins('P7')),
  picture('pfm', ['Portable float map', 'image/x-portable-floatmap'], begins('PF', 'Pf')),
  picture('xbm', ['X bitmap', 'image/x-xbitmap'], { text: /#define/ }),
  picture('xpm', ['X pixmap', 'image/x-xpixmap'], { text: /XPM/ }),
  picture('xwd', ['X window dump', 'image/x-xwindowdump'], {}),
  picture('sgi', ['Silicon Graphics picture', 'image/sgi'], begins('\x01\xda'), { aliases: ['rgb', 'bw', 'rgba'] }),
  picture('ras', ['Sun raster picture', 'image/x-sun-raster'], begins('\x59\xa6\x6a\x95'), { aliases: ['sun'] }),
  picture('hdr', ['Radiance picture', 'image/vnd.radiance'], begins('#?RADIANCE', '#?RGBE'), { aliases: ['rgbe'] }),
  picture('dpx', ['Picture of a film (DPX)', 'image/dpx'], begins('SDPX', 'XPDS')),
  picture('cin', ['Picture of a film (Cineon)', 'image/cineon'], begins('\x80\x2a\x5f\xd7', '\xd7\x5f\x2a\x80'), { aliases: ['cineon'] }),
  picture('fits', ['Picture of astronomy (FITS)', 'image/fits'], begins('SIMPLE'), { aliases: ['fts', 'fit'] }),
  picture('miff', ['ImageMagick picture', 'image/x-miff'], begins('id=ImageMagick')),
  picture('mng', ['MNG animation', 'video/x-mng'], begins('\x8aMNG\r\n\x1a\n')),
  picture('jng', ['JPEG picture with transparency (JNG)', 'image/x-jng'], begins('\x8bJNG\r\n\x1a\n')),
  picture('aai', ['Dune picture', 'image/x-aai'], {}),
  picture('art', ['First Publisher clip art', 'image/x-art'], {}),
  picture('avs', ['AVS X picture', 'image/x-avs'], {}),
  picture('cals', ['CALS raster picture', 'image/cals'], begins('srcdocid:'), { aliases: ['cal'] }),
  picture('hrz', ['Slow-scan television picture', 'image/x-hrz'], {}),
  picture('ipl', ['IPLab picture', 'image/x-ipl'], begins('iiii', 'mmmm')),
  picture('jbig', ['JBIG picture', 'image/x-jbig'], {}, { aliases: ['jbg', 'bie'] }),
  picture('mtv', ['MTV ray tracer picture', 'image/x-mtv'], {}),
  picture('otb', ['Picture for pagers (OTB)', 'image/x-otb'], {}),
  picture('palm', ['Palm pixmap', 'image/x-palm'], {}),
  picture('pict', ['QuickDraw picture', 'image/x-pict'], {}, { aliases: ['pct'] }),
  picture('pgx', ['JPEG 2000 test picture', 'image/x-pgx'], begins('PG ')),
  picture('rgf', ['Picture for Lego robots', 'image/x-rgf'], {}),
  picture('sixel', ['Picture for terminals (Sixel)', 'image/x-sixel'], begins('\x1bP'), { aliases: ['six'] }),
  picture('vicar', ['VICAR picture of planets', 'image/x-vicar'], begins('LBLSIZE=')),
  picture('viff', ['Khoros picture', 'image/x-viff'], begins('\xab'), { aliases: ['xv'] }),
  picture('vips', ['VIPS picture', 'image/x-vips'], begins('\x08\xf2\xa6\xb6', '\xb6\xa6\xf2\x08'), { aliases: ['v'] }),
  picture('wbmp', ['Wireless bitmap', 'image/vnd.wap.wbmp'], begins('\0')),
  picture('cut', ['Dr. Halo picture', 'image/x-cut'], {}),
  picture('mac', ['MacPaint picture', 'image/x-macpaint'], {}, { aliases: ['macpaint'] }),
  picture('pix', ['Alias pixel image', 'image/x-pix'], {}),
  picture('rle', ['Utah run-length picture', 'image/x-rle'], begins('\x52\xcc')),
  picture('sct', ['Scitex picture', 'image/x-sct'], at(80, 'CT')),
  picture('tim', ['PlayStation picture', 'image/x-tim'], begins('\x10\0\0\0')),
  picture('scr', ['ZX Spectrum screen', 'image/x-zx-screen'], {}),
]
